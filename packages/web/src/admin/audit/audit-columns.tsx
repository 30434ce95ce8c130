import type { AuditEntry, JsonValue } from '@countersign/domain';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import { StateBadge } from '../../parts/badge.tsx';
import { MenuPanel } from '../../parts/menu.tsx';
import { Ago, Facts, Moment } from '../../parts/page-parts.tsx';
import type { Column } from '../../parts/table.tsx';
import { hasMessage, type Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { AREAS, type StaffEnv } from '../../staff/area.tsx';
import { type Names, namesOf } from '../../staff/users.tsx';
import { auditPathFor, clientPath, userPath } from '../paths.ts';

/**
 * The columns of audit entries. Users and clients are shown by name; by id if they no longer exist.
 * @param of the user who acted in all entries, or the client of all entries: the columns leave it out
 */
export async function auditColumns(
  context: Context<StaffEnv>,
  entries: readonly AuditEntry[],
  clientNames: ReadonlyMap<string, string>,
  of?: 'one user' | 'one client',
): Promise<readonly Column<AuditEntry>[]> {
  const page = context.get('page');
  const { t } = page;
  const ids = entries.flatMap(({ actor, action, targetId }) => [actor.id, isAboutUser(action) ? targetId : null]);
  const names = await namesOf(ids, context.get('site').options.signIn, t);
  const now = context.get('site').options.clock.now();
  const who: Column<AuditEntry> = {
    title: t('admin:audit.who'),
    isClear: true,
    class: 'clip share',
    cell: (entry) => actorCell(context, entry, names),
  };
  return [
    {
      title: t('admin:audit.what'),
      isRowHeader: true,
      class: 'clip',
      cell: ({ action }) => actionInWords(action, t),
    },
    {
      title: t('admin:audit.outcome'),
      class: 'status',
      // The log is about what was refused or failed; the rest needs no mark.
      cell: ({ outcome }) => (outcome === 'allowed' ? '' : <StateBadge of={`audit.${outcome}`} page={page} />),
    },
    ...(of === 'one user' ? [] : [who]),
    {
      title: t('admin:audit.about'),
      hiddenOn: 'phone',
      class: 'clip share',
      cell: (entry) => targetCell(context, entry, names, of === 'one client' ? null : clientNames),
    },
    {
      title: t('admin:audit.when'),
      isClear: true,
      class: 'time',
      cell: ({ at }) => <Ago at={at} now={now} page={page} />,
    },
    {
      title: t('admin:audit.detail'),
      class: 'menu-cell',
      cell: (entry) => <EntryDetails entry={entry} names={names} page={page} />,
    },
  ];
}

/** Names an action; an action that this version does not know, by its id. */
export function actionInWords(action: AuditEntry['action'], t: Translate): string {
  const key = `actions:${action}.name`;
  return hasMessage(key) ? t(key) : action;
}

/** What the target of an action is, by the first part of its id. */
const TARGETS: Readonly<Record<string, 'user' | 'verification' | 'key' | 'endpoint'>> = {
  users: 'user',
  team: 'user',
  account: 'user',
  verifications: 'verification',
  review: 'verification',
  retention: 'verification',
  exports: 'verification',
  hand_overs: 'verification',
  api_keys: 'key',
  clients: 'key',
  webhooks: 'endpoint',
};

function isAboutUser(action: AuditEntry['action']): boolean {
  return TARGETS[areaIn(action)] === 'user';
}

/** The first part of the id of an action: `users` of `users.remove`. */
export function areaIn(action: string): string {
  return action.split('.', 1)[0] ?? '';
}

/** The words for actors that never have an id. An operator without one is the command line. */
const WITHOUT_ID: Partial<Record<AuditEntry['actor']['kind'], 'anonymous' | 'system'>> = {
  anonymous: 'anonymous',
  system: 'system',
};

/** The actor by name, as a link to what else they did. An actor without a name is called by the kind. */
function actorCell(context: Context<StaffEnv>, { actor }: AuditEntry, names: Names): Child {
  const { t, href } = context.get('page');
  if (actor.id === null) return t(`admin:audit.${WITHOUT_ID[actor.kind] ?? 'commandLine'}`);
  const name = names.find(actor.id);
  return (
    <a href={href(auditPathFor({ actor: actor.id }))} class="quiet-link as-typed" title={actor.id}>
      <bdi>{name ?? t(`admin:audit.actorKind.${actor.kind}`)}</bdi>
    </a>
  );
}

/** The target, and the client that it belongs to. @param clientNames null leaves out the client */
function targetCell(
  context: Context<StaffEnv>,
  { action, clientId, targetId }: AuditEntry,
  names: Names,
  clientNames: ReadonlyMap<string, string> | null,
): Child {
  const { t, href } = context.get('page');
  const link = (path: string, text: string, id: string) => (
    <a href={href(path)} class="quiet-link as-typed" title={id}>
      <bdi>{text}</bdi>
    </a>
  );
  const kind = TARGETS[areaIn(action)];
  const userName = kind === 'user' ? names.find(targetId) : null;
  const target =
    targetId === null || targetId === clientId || kind === undefined ? null : userName !== null ? (
      link(userPath(targetId), userName, targetId)
    ) : kind === 'verification' ? (
      link(`${AREAS.review.path}/${encodeURIComponent(targetId)}`, t('admin:audit.targets.verification'), targetId)
    ) : (
      <span title={targetId}>{t(`admin:audit.targets.${kind}`)}</span>
    );
  const client =
    clientId === null || clientNames === null
      ? null
      : link(clientPath(clientId), clientNames.get(clientId) ?? t('admin:users.clientGone'), clientId);
  return (
    <>
      {target}
      {target === null || client === null ? null : ', '}
      {client}
    </>
  );
}

/** All that an entry says, with ids. Codes of the API stay as they are. */
const EntryDetails: FC<{ entry: AuditEntry; names: Names; page: Page }> = ({ entry, names, page }) => {
  const { t } = page;
  const { sequence, at, actor, from, clientId, targetId, detail } = entry;
  const name = names.find(actor.id);
  return (
    <MenuPanel page={page} label={`${t('admin:audit.detail')}: ${t('admin:audit.entry')} ${sequence}`}>
      <Facts
        items={[
          [t('admin:audit.entry'), sequence],
          [t('admin:audit.when'), <Moment at={at} page={page} />],
          [
            t('admin:audit.who'),
            html`${name === null ? null : html`<bdi>${name}</bdi>, `}${t(`admin:audit.actorKind.${actor.kind}`)} ${idOf(actor.id)}`,
          ],
          from === null ? null : [t('admin:audit.address'), html`<code>${from}</code>`],
          clientId === null ? null : [t('admin:audit.client'), idOf(clientId)],
          targetId === null || targetId === clientId ? null : [t('admin:audit.about'), idOf(targetId)],
          ...Object.entries(detail).map(([key, value]) => {
            const text = `admin:audit.details.${key}`;
            return [
              hasMessage(text) ? t(text) : html`<bdi>${key}</bdi>`,
              html`<span class="as-typed"><bdi>${valueInWords(value, t)}</bdi></span>`,
            ] as const;
          }),
        ]}
      />
    </MenuPanel>
  );
};

function idOf(id: string | null): Child {
  return id === null ? null : html`<code><bdi>${id}</bdi></code>`;
}

function valueInWords(value: JsonValue, t: Translate): string {
  if (value === null) return t('admin:audit.none');
  if (typeof value === 'boolean') return t(value ? 'site:yes' : 'site:no');
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => valueInWords(each, t)).join(', ') || t('admin:audit.none');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
