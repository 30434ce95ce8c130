import { AUDIT_OUTCOMES, type AuditEntry } from '../audit/audit-entry.ts';
import type { AuditRequest } from '../audit/read-audit.ts';
import { type Action, defineAction } from './action.ts';

/** One page of the audit log, newest first. `next` is the `before` of the next page, null at the end. */
export const listAudit: Action<
  AuditRequest,
  { readonly entries: readonly AuditEntry[]; readonly next: number | null }
> = defineAction({
  id: 'audit.list',
  who: ['operator', 'command_line'],
  fields: {
    actorId: { kind: 'id', optional: true },
    clientId: { kind: 'id', optional: true },
    action: { kind: 'id', optional: true },
    outcome: { kind: 'choice', of: AUDIT_OUTCOMES, optional: true },
    before: { kind: 'number', integer: true, min: 1, by: 'page', optional: true },
  },
  audit: { log: 'refusals' },
  outcomes: [],
  run: ({ audit }, filter) => audit.list(filter),
});
