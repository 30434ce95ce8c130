import { z } from 'zod';
import { parseInput } from '../parse.ts';
import { isPlainLine } from '../text.ts';
import {
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditEntry,
  type AuditOutcome,
  isAuditAction,
} from './audit-entry.ts';
import type { AuditLog } from './audit-log.ts';

/** Filters and page of the log. A filter that is left out matches everything. */
export interface AuditRequest {
  readonly actorId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Only lines before this one. */
  readonly before?: number | undefined;
}

export interface ReadAudit {
  /** One page, newest first; `next` is the `before` of the next page, null at the end. @throws CountersignError `INVALID_PARAMETERS` */
  list(request: AuditRequest): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: number | null }>;
}

/** Lines on one page. */
const PAGE = 50;

const id = z.string().min(1).max(100).refine(isPlainLine, 'must be an id');

const schema = z.strictObject({
  actorId: id.optional(),
  clientId: id.optional(),
  action: z.custom<AuditAction>(isAuditAction, 'is no action').optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  before: z.int().min(1).optional(),
});

export function createReadAudit({ audit }: { audit: Pick<AuditLog, 'list'> }): ReadAudit {
  return {
    async list(request) {
      const { actorId, clientId, action, outcome, before } = parseInput(schema, request);
      // One line more than shown tells whether there is a next page.
      const found = await audit.list({ actorId, clientId, action, outcome, before, limit: PAGE + 1 });
      const entries = found.slice(0, PAGE);
      return { entries, next: found.length > PAGE ? (entries.at(-1)?.sequence ?? null) : null };
    },
  };
}
