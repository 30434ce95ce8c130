import type { ListedKey } from '@countersign/domain';
import { issueApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '@countersign/domain/actions';
import type { FC } from 'hono/jsx';
import { nameOfKey, PERMISSION_TEXTS, PERMISSION_WORDS } from '../../actions/keys/key-parts.tsx';
import { StateBadge } from '../../parts/badge.tsx';
import { agoInWords, momentInWords } from '../../site/formats.ts';
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
    return { rows: keys, count: context.get('page').t('dashboard:keys.active', { active, limit }) };
  },
  async columns(context, keys) {
    const page = context.get('page');
    const { t, language } = page;
    const { signIn, clock } = context.get('site').options;
    const creators = keys.map(({ createdBy }) => createdBy);
    const names = await namesOf(creators, signIn, t);
    return [
      {
        title: t('dashboard:keys.name'),
        isRowHeader: true,
        class: 'clip share',
        cell: ({ name, createdAt, createdBy }) => {
          const by = createdBy === null ? t('dashboard:keys.byCommandLine') : names.of(createdBy);
          const created = t('dashboard:keys.createdBy', { at: momentInWords(createdAt, language), by });
          return (
            <span class={name === '' ? 'quiet' : 'as-typed'} title={name === '' ? created : `${name}: ${created}`}>
              <bdi>{name || t('dashboard:keys.noName')}</bdi>
            </span>
          );
        },
      },
      {
        title: t('dashboard:keys.key'),
        isClear: true,
        class: 'id',
        cell: ({ display }) => <code>{display}</code>,
      },
      { title: t('dashboard:keys.state'), class: 'status', cell: (key) => <KeyState apiKey={key} page={page} /> },
      {
        title: t('dashboard:keys.permissions'),
        hiddenOn: 'phone',
        class: 'short',
        cell: ({ permissions }) => (
          <span title={permissions.map((each) => `${t(PERMISSION_TEXTS[each])} (${each})`).join('\n')}>
            {permissions.map((each) => t(PERMISSION_WORDS[each])).join(', ')}
          </span>
        ),
      },
      {
        title: t('dashboard:keys.networks'),
        hiddenOn: 'narrow',
        class: 'short',
        cell: ({ networks }) =>
          networks.length === 0 ? (
            t('dashboard:keys.everywhere')
          ) : (
            <span title={networks.join('\n')}>{t('dashboard:keys.networkCount', { count: networks.length })}</span>
          ),
      },
      {
        title: t('dashboard:keys.lastUsed'),
        hiddenOn: 'phone',
        class: 'time',
        cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} now={clock.now()} page={page} />,
      },
      { title: t('dashboard:keys.expires'), class: 'time', cell: (key) => <Expiry apiKey={key} page={page} /> },
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

const Expiry: FC<{ apiKey: ListedKey; page: Page }> = ({ apiKey, page: { t, language } }) => {
  const { state, expiresAt, expiresInDays } = apiKey;
  if (state === 'revoked') return <>{t('dashboard:keys.noLonger')}</>;
  if (expiresAt === null) return <>{t('dashboard:keys.never')}</>;
  return (
    <time datetime={expiresAt.toISOString()} title={momentInWords(expiresAt, language)}>
      {expiresInDays === null
        ? t('dashboard:keys.noLonger')
        : t('dashboard:keys.inDays', { count: expiresInDays })}
    </time>
  );
};

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
