import type { ListedKey } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Names } from '../../review/names.ts';
import type { Page } from '../../site/page.ts';
import { Moment } from '../../wording/moment.tsx';
import { ActLink } from '../act-link.tsx';
import { keyPath } from '../paths.ts';
import { calledBy, expiryInWords, PERMISSION_WORDS } from './key-words.ts';
import { LastUsed } from './last-used.tsx';

interface TableProps {
  readonly page: Page;
  readonly names: Names;
  readonly now: Date;
}

/** A client's keys, a row each. Of the key itself only the ends are known. */
export const KeyTable: FC<TableProps & { keys: readonly ListedKey[] }> = ({ keys, ...props }) => {
  const { t } = props.page;
  return (
    <table class="as-cards">
      <thead>
        <tr>
          <th scope="col">{t('dashboard:keys.key')}</th>
          <th scope="col">{t('dashboard:keys.state')}</th>
          <th scope="col">{t('dashboard:keys.permissions')}</th>
          <th scope="col">{t('dashboard:keys.created')}</th>
          <th scope="col">{t('dashboard:keys.lastUsed')}</th>
          <th scope="col">{t('dashboard:keys.expires')}</th>
          <th scope="col">{t('dashboard:keys.acts')}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} {...props} />
        ))}
      </tbody>
    </table>
  );
};

const KeyRow: FC<TableProps & { apiKey: ListedKey }> = ({ apiKey, page, names, now }) => {
  const { t } = page;
  const { name, display, state, permissions, createdAt, createdBy, lastUsedAt, expiresAt } = apiKey;
  return (
    <tr>
      <th scope="row">
        {name === '' ? null : <span class="as-typed block">{name}</span>}
        <code>{display}</code>
      </th>
      <td data-label={t('dashboard:keys.state')}>
        <span class={`badge state-${state}`}>{t(`dashboard:keyState.${state}`)}</span>
      </td>
      <td data-label={t('dashboard:keys.permissions')}>
        <ul>
          {permissions.map((permission) => (
            <li>
              {t(PERMISSION_WORDS[permission])} <code>{permission}</code>
            </li>
          ))}
        </ul>
      </td>
      <td data-label={t('dashboard:keys.created')}>
        <Moment at={createdAt} page={page} />{' '}
        <span class="block quiet as-typed">
          {createdBy === null
            ? t('dashboard:keys.byCommandLine')
            : t('dashboard:keys.by', { name: names.of(createdBy) })}
        </span>
      </td>
      <td data-label={t('dashboard:keys.lastUsed')}>
        <LastUsed at={lastUsedAt} now={now} page={page} />
      </td>
      <td data-label={t('dashboard:keys.expires')}>
        {expiryInWords(apiKey, t)}
        {expiresAt === null || state === 'revoked' ? null : (
          <span class="block quiet">
            <Moment at={expiresAt} page={page} />
          </span>
        )}
      </td>
      <td data-label={t('dashboard:keys.acts')}>
        <KeyActs apiKey={apiKey} page={page} />
      </td>
    </tr>
  );
};

const KeyActs: FC<{ apiKey: ListedKey; page: Page }> = ({ apiKey, page }) => {
  const { t } = page;
  const { id, state } = apiKey;
  if (state === 'revoked') return <span class="quiet">{t('dashboard:keys.none')}</span>;
  const about = { page, about: calledBy(apiKey) };
  return (
    <div class="buttons">
      {state === 'active' ? (
        <ActLink path={keyPath(id, 'rotate')} text={t('dashboard:keys.rotate')} {...about} />
      ) : null}
      <ActLink path={keyPath(id, 'revoke')} text={t('dashboard:keys.revoke')} {...about} />
    </div>
  );
};
