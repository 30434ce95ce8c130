import type { AuditEntry } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { casePath } from '../../review/paths.ts';
import type { Page } from '../../site/page.ts';
import { Moment } from '../../staff/moment.tsx';
import { auditPathFor, clientPath, userPath } from '../paths.ts';
import { type AuditNames, actionInWords, isAboutStaff, isAboutVerification } from './audit-names.ts';
import { detailInWords } from './detail-in-words.ts';

interface TableProps {
  readonly names: AuditNames;
  readonly page: Page;
}

/** Lines of the audit log, in the order given. */
export const AuditTable: FC<TableProps & { entries: readonly AuditEntry[] }> = ({ entries, ...props }) => {
  const { t } = props.page;
  return (
    <table class="as-cards audit">
      <thead>
        <tr>
          <th scope="col">{t('admin:audit.line')}</th>
          <th scope="col">{t('admin:audit.when')}</th>
          <th scope="col">{t('admin:audit.who')}</th>
          <th scope="col">{t('admin:audit.what')}</th>
          <th scope="col">{t('admin:audit.about')}</th>
          <th scope="col">{t('admin:audit.detail')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Line entry={entry} {...props} />
        ))}
      </tbody>
    </table>
  );
};

/** The colours of badges that are there already; the word says it. */
const COLOURS: Readonly<Record<AuditEntry['outcome'], string>> = {
  allowed: 'state-active',
  refused: 'state-expired',
  failed: 'state-revoked',
};

const Line: FC<TableProps & { entry: AuditEntry }> = ({ entry, names, page }) => {
  const { t } = page;
  const { sequence, at, action, outcome } = entry;
  const said = detailInWords(entry.detail, t);
  return (
    <tr>
      <th scope="row">
        <span class="only-cards">{t('admin:audit.line')} </span>
        {sequence}
      </th>
      <td data-label={t('admin:audit.when')}>
        <Moment at={at} page={page} />
      </td>
      <td data-label={t('admin:audit.who')}>
        <Who entry={entry} names={names} page={page} />
      </td>
      <td data-label={t('admin:audit.what')}>
        {actionInWords(action, t)}{' '}
        <span class={`badge ${COLOURS[outcome]}`}>{t(`admin:audit.outcomes.${outcome}`)}</span>
      </td>
      <td data-label={t('admin:audit.about')}>
        <About entry={entry} names={names} page={page} />
      </td>
      <td data-label={said === '' ? undefined : t('admin:audit.detail')} class="as-typed">
        {said}
      </td>
    </tr>
  );
};

/** By name, as long as there is one; which role they had then, and from where. */
const Who: FC<TableProps & { entry: AuditEntry }> = ({ entry: { actor, from }, names, page }) => {
  const { t, href } = page;
  const origin =
    from === null ? null : <span class="quiet block">{t('admin:audit.from', { address: from })}</span>;
  if (actor.id === null) {
    return (
      <>
        {t(actor.kind === 'anonymous' ? 'admin:audit.anonymous' : 'admin:audit.commandLine')} {origin}
      </>
    );
  }
  return (
    <>
      <a href={href(auditPathFor({ actor: actor.id }))} class="as-typed">
        {names.ofStaff(actor.id) ?? actor.id}
      </a>{' '}
      <span class="quiet">{t(`admin:audit.actorKind.${actor.kind}`)}</span> {origin}
    </>
  );
};

/** The client, and what of it: somebody by name, a verification by a link, anything else by its id. */
const About: FC<TableProps & { entry: AuditEntry }> = ({ entry, names, page: { href } }) => {
  const { action, clientId, targetId } = entry;
  return (
    <>
      {clientId === null ? null : (
        <span class="block">
          <a href={href(clientPath(clientId))} class="as-typed">
            {names.ofClient(clientId) ?? clientId}
          </a>
        </span>
      )}
      {targetId === null || targetId === clientId ? null : isAboutStaff(action) ? (
        <a href={href(userPath(targetId))} class="as-typed">
          {names.ofStaff(targetId) ?? targetId}
        </a>
      ) : isAboutVerification(action) ? (
        <a href={href(casePath(targetId))} class="as-typed">
          {targetId}
        </a>
      ) : (
        <span class="as-typed">{targetId}</span>
      )}
    </>
  );
};
