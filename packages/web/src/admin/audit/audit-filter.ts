import {
  ACCOUNT_ACTIONS,
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditRequest,
  type Issue,
} from '@countersign/domain';
import type { MessageKey, Translate } from '../../site/messages.ts';
import type { Site } from '../../site/site.ts';
import { AUDIT_PATH } from '../paths.ts';

/** Every action of the audit log: of the catalogue, of people's own accounts, and requests refused before an action. */
export function auditActions({ options }: Site): readonly AuditAction[] {
  return [...options.actions.map(({ id }) => id), ...ACCOUNT_ACTIONS, 'page.request'];
}

/** What an address asks for, as it stands there; empty for everything. */
export interface AuditFilterTexts {
  readonly actor: string;
  readonly client: string;
  readonly action: string;
  readonly outcome: string;
}
export type FilterField = keyof AuditFilterTexts;

export function readFilter(query: (name: string) => string | undefined): AuditFilterTexts {
  const text = (name: FilterField) => (query(name) ?? '').trim();
  return { actor: text('actor'), client: text('client'), action: text('action'), outcome: text('outcome') };
}

export function isFiltered(filter: AuditFilterTexts): boolean {
  return Object.values(filter).some((text) => text !== '');
}

/** The address of the lines that a filter lets pass; those before a line. */
export function addressOf(filter: AuditFilterTexts, before?: number): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, text]) => text !== ''));
  if (before !== undefined) query.set('before', String(before));
  return query.size === 0 ? AUDIT_PATH : `${AUDIT_PATH}?${query.toString()}`;
}

/** What the domain is asked; words that there are not are told at once. Whether an id can be one, the domain says. */
export function requestOf(
  filter: AuditFilterTexts,
  before: string | undefined,
  { t, actions }: { readonly t: Translate; readonly actions: readonly AuditAction[] },
): { readonly request: AuditRequest; readonly problems: ReadonlyMap<string, string> } {
  const action = actions.find((each) => each === filter.action);
  const outcome = AUDIT_OUTCOMES.find((each) => each === filter.outcome);
  const problems = new Map<string, string>();
  if (filter.action !== '' && action === undefined) problems.set('action', t('admin:audit.badAction'));
  if (filter.outcome !== '' && outcome === undefined) problems.set('outcome', t('admin:audit.badOutcome'));
  if (before !== undefined && !/^[1-9]\d{0,14}$/.test(before)) problems.set('before', t('admin:audit.badBefore'));
  const request = {
    actorId: filter.actor || undefined,
    clientId: filter.client || undefined,
    action,
    outcome,
    before: before === undefined ? undefined : Number(before),
  };
  return { request, problems };
}

const REFUSED: Readonly<Record<string, readonly [string, MessageKey]>> = {
  actorId: ['actor', 'admin:audit.badActor'],
  clientId: ['client', 'admin:audit.badClient'],
};

/** What the domain refused, at the filter where it can be put right. */
export function problemsOf(issues: readonly Issue[], t: Translate): ReadonlyMap<string, string> {
  return new Map(
    issues.map(({ path }) => {
      const [name, message] = REFUSED[path] ?? ['before', 'admin:audit.badBefore'];
      return [name, t(message)];
    }),
  );
}
