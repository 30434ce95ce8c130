import { AUDIT_OUTCOMES, type AuditEntry, type AuditOutcome, isAuditAction } from '../audit/audit-entry.ts';
import { invalidParameters } from '../errors.ts';
import { type Days, parseDayRange } from '../fields/days.ts';
import { ID_MAX } from '../fields/schema.ts';
import { type Action, defineAction } from './action.ts';
import { OPERATORS } from './rights.ts';

/** Filters and page of the log. A filter that is left out matches everything. */
export interface AuditRequest extends Days {
  readonly actorId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Only entries before this one. */
  readonly before?: number | undefined;
}

/** Entries on one page. */
const PAGE = 50;

const idFilter = { kind: 'text', shape: 'label', max: ID_MAX, optional: true } as const;

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The `before` of the next page; null at the end. */
  readonly next: number | null;
}

/** Reads a page of the audit log, newest first. */
export const listAudit: Action<AuditRequest, AuditPage> = defineAction<AuditRequest, AuditPage>({
  id: 'audit.list',
  who: OPERATORS,
  fields: {
    actorId: idFilter,
    clientId: idFilter,
    action: idFilter,
    outcome: { kind: 'choice', of: AUDIT_OUTCOMES, optional: true },
    fromDay: { kind: 'date', optional: true },
    untilDay: { kind: 'date', optional: true },
    before: { kind: 'number', integer: true, min: 1, by: 'page', optional: true },
  },
  audit: { log: 'refusals' },
  run: async ({ audit }, { actorId, clientId, action, outcome, fromDay, untilDay, before }) => {
    if (action !== undefined && !isAuditAction(action)) {
      const message = 'must be the id of an action, such as users.create';
      throw invalidParameters([{ path: 'action', message, code: 'invalid' }]);
    }
    const { from, until } = parseDayRange({ fromDay, untilDay });
    // One entry more than a page tells whether there is a next page.
    const found = await audit.list({
      actorId,
      clientId,
      action,
      outcome,
      appendedFrom: from,
      appendedUntil: until,
      before,
      limit: PAGE + 1,
    });
    const entries = found.slice(0, PAGE);
    return { entries, next: found.length > PAGE ? (entries.at(-1)?.sequence ?? null) : null };
  },
});
