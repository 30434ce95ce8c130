import type { ListedKey } from '@countersign/domain';
import { issueApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '@countersign/domain/actions';
import type { FC } from 'hono/jsx';
import { KeyNetworks, nameOfKey, PERMISSION_TEXTS } from '../../actions/keys/key-parts.tsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Moment } from '../../parts/page-parts.tsx';
import { agoInWords, momentInWords } from '../../site/formats.ts';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { ListPage } from '../../staff/list-page.tsx';
import { actionColumn } from '../../staff/row-actions.tsx';
import { namesOf } from '../../staff/users.tsx';
import { KEYS_PATH, keyPath, NEW_KEY_PATH } from '../paths.ts';

/** The client's keys, newest first. */
export const keyList: ListPage<ListedKey> = {
  path: KEYS_PATH,
  title: 'dashboard:keys.title',
  results: 'dashboard:keys.done',
  links: [{ path: NEW_KEY_PATH, label: 'dashboard:keys.create', action: issueApiKey }],
  empty: { title: 'dashboard:keys.empty' },
  async load(context) {
    const { keys, active, limit } = await context.get('as').run(listApiKeys, {});
    return { rows: keys, note: context.get('page').t('dashboard:keys.active', { active, limit }) };
  },
  async columns(context, keys) {
    const page = context.get('page');
    const { t } = page;
    const { signIn, clock } = context.get('site').options;
    const creators = keys.map(({ createdBy }) => createdBy);
    const names = await namesOf(creators, signIn, t);
    return [
      {
        title: t('dashboard:keys.key'),
        isRowHeader: true,
        cell: ({ name, display }) => (
          <>
            {name === '' ? null : (
              <span class="as-typed block">
                <bdi>{name}</bdi>
              </span>
            )}
            <code>{display}</code>
          </>
        ),
      },
      { title: t('dashboard:keys.state'), class: 'status', cell: (key) => <KeyState apiKey={key} page={page} /> },
      {
        title: t('dashboard:keys.permissions'),
        cell: ({ permissions }) => (
          <ul>
            {permissions.map((permission) => (
              <li>
                {t(PERMISSION_TEXTS[permission])} <code>{permission}</code>
              </li>
            ))}
          </ul>
        ),
      },
      { title: t('dashboard:keys.networks'), cell: (key) => <KeyNetworks apiKey={key} page={page} /> },
      {
        title: t('dashboard:keys.created'),
        cell: ({ createdAt, createdBy }) => (
          <>
            <Moment at={createdAt} page={page} />{' '}
            <span class="block quiet as-typed">
              {createdBy === null
                ? t('dashboard:keys.byCommandLine')
                : t('dashboard:keys.by', { name: names.of(createdBy) })}
            </span>
          </>
        ),
      },
      {
        title: t('dashboard:keys.lastUsed'),
        cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} now={clock.now()} page={page} />,
      },
      {
        title: t('dashboard:keys.expires'),
        cell: (key) => (
          <>
            {expiryText(key, t)}
            {key.expiresAt === null || key.state === 'revoked' ? null : (
              <span class="block quiet">
                <Moment at={key.expiresAt} page={page} />
              </span>
            )}
          </>
        ),
      },
      ...actionColumn<ListedKey>(
        context,
        [
          {
            action: rotateApiKey,
            label: 'dashboard:keys.rotate',
            path: ({ id }) => keyPath(id, 'rotate'),
            when: ({ state }) => state === 'active',
          },
          {
            action: revokeApiKey,
            label: 'dashboard:keys.revoke',
            path: ({ id }) => keyPath(id, 'revoke'),
            isDangerous: true,
            when: ({ state }) => state !== 'revoked',
          },
        ],
        nameOfKey,
      ),
    ];
  },
};

function expiryText({ state, expiresAt, expiresInDays }: ListedKey, t: Translate): string {
  if (state !== 'active') return t('dashboard:keys.noLonger');
  if (expiresAt === null || expiresInDays === null) return t('dashboard:keys.never');
  return t('dashboard:keys.inDays', { count: expiresInDays });
}

/** Shows whether a key is active, expired or revoked. */
export const KeyState: FC<{ apiKey: ListedKey; page: Page }> = ({ apiKey: { state }, page }) => (
  <StateBadge of={`key.${state}`} page={page} />
);

const MINUTE_MS = 60_000;

/** `lastUsedAt` is stored at most this often (domain), so a shorter time is shown as a range. */
const EXACT_TO_MINUTES = 5;

/** Shows when a key was last used, in words; the exact time is in the element and shown on hover. */
export const LastUsed: FC<{ at: Date | null; now: Date; page: Page }> = ({ at, now, page: { t, language } }) => {
  if (at === null) return <>{t('dashboard:keys.neverUsed')}</>;
  const ago = now.getTime() - at.getTime();
  return (
    <time datetime={at.toISOString()} title={momentInWords(at, language)}>
      {ago < EXACT_TO_MINUTES * MINUTE_MS
        ? t('dashboard:keys.justNow', { minutes: EXACT_TO_MINUTES })
        : agoInWords(ago, language)}
    </time>
  );
};
