import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '../audit/audit-entry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { parseInput } from '../parse.ts';
import { isPlainLine } from '../text.ts';
import type { AuditRequest, ReadAudit } from './administration.ts';

/** Lines on one page. */
const PAGE = 50;

const id = z.string().min(1).max(100).refine(isPlainLine, 'is no id');

const schema: z.ZodType<AuditRequest> = z.strictObject({
  actorId: id.optional(),
  clientId: id.optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  before: z.int().min(1).optional(),
});

export function createReadAudit({ audit }: { audit: Pick<AuditLog, 'list'> }): ReadAudit {
  return {
    async list(request) {
      const { actorId, clientId, action, outcome, before } = parseInput(schema, request);
      // One more than is shown: whether there is a next page.
      const found = await audit.list({ actorId, clientId, action, outcome, before, limit: PAGE + 1 });
      const entries = found.slice(0, PAGE);
      return { entries, next: found.length > PAGE ? (entries.at(-1)?.sequence ?? null) : null };
    },
  };
}
