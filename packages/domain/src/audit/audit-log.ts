import type { AuditAction, AuditEntry, AuditOutcome } from './audit-entry.ts';

/** Sequence and hash of the last entry of the log. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string;
}

/** The `previousHash` of the first entry of the log: 64 zeros. */
export const NO_PREVIOUS_HASH: string = '0'.repeat(64);

/** The most entries of one call of `append`. */
export const APPENDED_AT_ONCE = 64;

/** Filters and page of the log. An undefined filter matches everything. */
export interface AuditQuery {
  readonly actorId: string | undefined;
  readonly clientId: string | undefined;
  readonly action: AuditAction | undefined;
  readonly outcome: AuditOutcome | undefined;
  /** Only entries whose `at` is not before this. */
  readonly appendedFrom: Date | undefined;
  /** Only entries whose `at` is before this. */
  readonly appendedUntil: Date | undefined;
  /** Only entries before this one; undefined for the newest. */
  readonly before: number | undefined;
  readonly limit: number;
}

/**
 * Stores the audit log, which only grows. No operation changes or removes an entry; a database that has triggers refuses
 * both to direct statements too.
 */
export interface AuditLog {
  /**
   * Appends entries, all or none, if the first follows the last one of the log and each of the others the one before it: its
   * `sequence` is the next and its `previousHash` the last one's hash. The first entry of the log has the sequence 1 and the
   * `previousHash` `NO_PREVIOUS_HASH`. A call gives at most `APPENDED_AT_ONCE` entries.
   *
   * Nothing else about an entry is checked: its client and target may be unknown or erased, its texts are any text, and its `at` may be
   * before that of the entry before it.
   *
   * Concurrency: of calls with one sequence, exactly one is appended; the others receive `not_next` with the current head
   * and change nothing.
   */
  append(
    entry: AuditEntry,
    ...more: readonly AuditEntry[]
  ): Promise<{ readonly outcome: 'appended' } | { readonly outcome: 'not_next'; readonly head: AuditHead | null }>;

  /** Finds the last entry; null if the log is empty. */
  head(): Promise<AuditHead | null>;

  /** Lists at most `limit` entries, newest first: by descending sequence, also with a filter by time. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;

  /** Reads up to `limit` entries in the order of the chain, beginning after the sequence `after`; 0 begins with the first. */
  read(after: number, limit: number): Promise<readonly AuditEntry[]>;
}

/** Whether an entry passes the filters of `AuditLog.list`, for storages that do without queries of a database. */
export function isListedEntry(entry: AuditEntry, query: AuditQuery): boolean {
  const { actorId, clientId, action, outcome, appendedFrom, appendedUntil, before } = query;
  if (before !== undefined && entry.sequence >= before) return false;
  if (actorId !== undefined && entry.actor.id !== actorId) return false;
  if (clientId !== undefined && entry.clientId !== clientId) return false;
  if (appendedFrom !== undefined && entry.at < appendedFrom) return false;
  if (appendedUntil !== undefined && entry.at >= appendedUntil) return false;
  if (action !== undefined && entry.action !== action) return false;
  return outcome === undefined || entry.outcome === outcome;
}
