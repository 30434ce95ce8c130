import {
  type ApiKey,
  issueApiKey,
  type ListedKey,
  listApiKeys,
  type Permission,
  revokeApiKey,
  rotateApiKey,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { agoInWords, momentInWords } from '../../site/formats.ts';
import type { MessageKey, Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Moment } from '../../staff/moment.tsx';
import { type Names, namesOf } from '../../staff/names.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { type Column, RowLink, Table } from '../../staff/table.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { keyPath, NEW_KEY_PATH } from '../paths.ts';

/** Lists the client's keys, newest first. */
export function keysPage(site: Site): Handler<StaffEnv> {
  const { signIn, clock } = site.options;
  return async (context) => {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const { keys, active, limit } = await as.run(listApiKeys, {});
    const creators = keys.map(({ createdBy }) => createdBy);
    const names = await namesOf(creators, signIn, t);
    return answerDashboardPage(
      context,
      site,
      { title: t('dashboard:keys.title') },
      <>
        {context.req.query('done') === 'revoked' ? <Result text={t('dashboard:keys.revoked')} /> : null}
        <h1>{t('dashboard:keys.title')}</h1>
        <div class="list-head">
          <p>{t('dashboard:keys.active', { active, limit })}</p>
          {as.may(issueApiKey) === 'no' ? null : (
            <a class="action" href={href(NEW_KEY_PATH)}>
              {t('dashboard:keys.create')}
            </a>
          )}
        </div>
        {keys.length === 0 ? (
          <div class="empty">
            <p>{t('dashboard:keys.empty')}</p>
          </div>
        ) : (
          <Table rows={keys} columns={columnsFor(context, names, clock.now())} />
        )}
      </>,
    );
  };
}

function columnsFor(context: Context<StaffEnv>, names: Names, now: Date): readonly Column<ListedKey>[] {
  const page = context.get('page');
  const { t } = page;
  const { may } = context.get('as');
  return [
    {
      title: t('dashboard:keys.key'),
      isRowHeader: true,
      cell: ({ name, display }) => (
        <>
          {name === '' ? null : <span class="as-typed block">{name}</span>}
          <code>{display}</code>
        </>
      ),
    },
    { title: t('dashboard:keys.state'), cell: (key) => <KeyState apiKey={key} page={page} /> },
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
      cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} now={now} page={page} />,
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
    {
      title: t('dashboard:keys.acts'),
      cell: (key) => {
        if (key.state === 'revoked') return <span class="quiet">{t('dashboard:keys.none')}</span>;
        const about = { page, about: nameOfKey(key) };
        return (
          <div class="buttons">
            {key.state === 'active' && may(rotateApiKey) !== 'no' ? (
              <RowLink path={keyPath(key.id, 'rotate')} text={t('dashboard:keys.rotate')} {...about} />
            ) : null}
            {may(revokeApiKey) === 'no' ? null : (
              <RowLink path={keyPath(key.id, 'revoke')} text={t('dashboard:keys.revoke')} {...about} />
            )}
          </div>
        );
      },
    },
  ];
}

/** What a permission allows. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, MessageKey>> = {
  'verifications:create': 'dashboard:permission.create',
  'verifications:read': 'dashboard:permission.read',
  '*': 'dashboard:permission.all',
};

/** The name that a key is shown and revoked by: its own, else its first and last characters. */
export function nameOfKey({ name, display }: Pick<ApiKey, 'name' | 'display'>): string {
  return name === '' ? display : name;
}

function expiryText({ state, expiresAt, expiresInDays }: ListedKey, t: Translate): string {
  if (state !== 'active') return t('dashboard:keys.noLonger');
  if (expiresAt === null || expiresInDays === null) return t('dashboard:keys.never');
  return t('dashboard:keys.inDays', { count: expiresInDays });
}

/** Shows whether a key is active, expired or revoked. */
export const KeyState: FC<{ apiKey: ListedKey; page: Page }> = ({ apiKey: { state }, page: { t } }) => (
  <span class={`badge state-${state}`}>{t(`dashboard:keyState.${state}`)}</span>
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
