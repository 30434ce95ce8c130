import type { AuditEntry, JsonValue } from '@countersign/domain';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Moment } from '../../parts/page-parts.tsx';
import type { Column } from '../../parts/table.tsx';
import { hasMessage, type Translate } from '../../site/messages.ts';
import { AREAS, type StaffEnv } from '../../staff/area.tsx';
import { type Names, namesOf } from '../../staff/users.tsx';
import { auditPathFor, clientPath, userPath } from '../paths.ts';

/** The columns of audit entries. Users and clients are shown by name; by id if they no longer exist. */
export async function auditColumns(
  context: Context<StaffEnv>,
  entries: readonly AuditEntry[],
  clientNames: ReadonlyMap<string, string>,
): Promise<readonly Column<AuditEntry>[]> {
  const page = context.get('page');
  const { t } = page;
  const ids = entries.flatMap(({ actor, action, targetId }) => [actor.id, isAboutUser(action) ? targetId : null]);
  const names = await namesOf(ids, context.get('site').options.signIn, t);
  return [
    {
      title: t('admin:audit.entry'),
      isRowHeader: true,
      cell: ({ sequence }) => (
        <>
          <span class="only-cards">{t('admin:audit.entry')} </span>
          {sequence}
        </>
      ),
    },
    { title: t('admin:audit.when'), cell: ({ at }) => <Moment at={at} page={page} /> },
    { title: t('admin:audit.who'), cell: (entry) => actorCell(context, entry, names) },
    {
      title: t('admin:audit.what'),
      cell: ({ action, outcome }) => (
        <>
          {actionInWords(action, t)} <StateBadge of={`audit.${outcome}`} page={page} />
        </>
      ),
    },
    { title: t('admin:audit.about'), cell: (entry) => targetCell(context, entry, names, clientNames) },
    { title: t('admin:audit.detail'), class: 'as-typed', cell: ({ detail }) => detailInWords(detail, t) },
  ];
}

/** Names an action; an action that this version does not know, by its id. */
export function actionInWords(action: AuditEntry['action'], t: Translate): string {
  const key = `actions:${action}.name`;
  return hasMessage(key) ? t(key) : action;
}

/** Whether the target of an action is a user. */
function isAboutUser(action: AuditEntry['action']): boolean {
  return ['users.', 'team.', 'account.'].some((kind) => action.startsWith(kind));
}

/** Whether the target of an action is a verification, which operators may open. */
function isAboutVerification(action: AuditEntry['action']): boolean {
  return ['verifications.', 'review.', 'retention.'].some((area) => action.startsWith(area));
}

/** The words for actors that never have an id. An operator without one is the command line. */
const WITHOUT_ID: Partial<Record<AuditEntry['actor']['kind'], 'anonymous' | 'system'>> = {
  anonymous: 'anonymous',
  system: 'system',
};

/** The actor with their role at the time, and the address. */
function actorCell(context: Context<StaffEnv>, { actor, from }: AuditEntry, names: Names): Child {
  const { t, href } = context.get('page');
  const origin =
    from === null ? null : <span class="quiet block">{t('admin:audit.from', { address: from })}</span>;
  if (actor.id === null) {
    return (
      <>
        {t(`admin:audit.${WITHOUT_ID[actor.kind] ?? 'commandLine'}`)} {origin}
      </>
    );
  }
  return (
    <>
      <a href={href(auditPathFor({ actor: actor.id }))} class="as-typed">
        <bdi>{names.find(actor.id) ?? actor.id}</bdi>
      </a>{' '}
      <span class="quiet">{t(`admin:audit.actorKind.${actor.kind}`)}</span> {origin}
    </>
  );
}

/** The client, and the target: a user by name, a verification by a link, anything else by its id. */
function targetCell(
  context: Context<StaffEnv>,
  { action, clientId, targetId }: AuditEntry,
  names: Names,
  clientNames: ReadonlyMap<string, string>,
): Child {
  const { href } = context.get('page');
  const link = (path: string, text: string) => (
    <a href={href(path)} class="as-typed">
      <bdi>{text}</bdi>
    </a>
  );
  return (
    <>
      {clientId === null ? null : (
        <span class="block">{link(clientPath(clientId), clientNames.get(clientId) ?? clientId)}</span>
      )}
      {targetId === null || targetId === clientId ? null : isAboutUser(action) && names.find(targetId) !== null ? (
        link(userPath(targetId), names.of(targetId))
      ) : isAboutVerification(action) ? (
        link(`${AREAS.review.path}/${encodeURIComponent(targetId)}`, targetId)
      ) : (
        <span class="as-typed">
          <bdi>{targetId}</bdi>
        </span>
      )}
    </>
  );
}

/** Writes the detail of an entry in one line: `code: LAST_OWNER; follows entry: 17`. Codes of the API stay as they are. */
function detailInWords(detail: AuditEntry['detail'], t: Translate): string {
  return Object.entries(detail)
    .map(([key, value]) => {
      const name = `admin:audit.details.${key}`;
      return `${hasMessage(name) ? t(name) : key}: ${valueInWords(value, t)}`;
    })
    .join('; ');
}

function valueInWords(value: JsonValue, t: Translate): string {
  if (value === null) return t('admin:audit.none');
  if (typeof value === 'boolean') return t(value ? 'site:yes' : 'site:no');
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => valueInWords(each, t)).join(', ') || t('admin:audit.none');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
