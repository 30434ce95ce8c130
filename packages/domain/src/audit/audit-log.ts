import type { AuditAction, AuditEntry, AuditOutcome } from './audit-entry.ts';

/** The last line of the log, which the next one follows. */
export interface AuditHead {
  readonly sequence: number;
  readonly hash: string;
}

/** Which lines, newest first. Filters that are undefined let everything pass. */
export interface AuditQuery {
  readonly actorId: string | undefined;
  readonly clientId: string | undefined;
  readonly action: AuditAction | undefined;
  readonly outcome: AuditOutcome | undefined;
  /** Only lines before this one; undefined for the newest. */
  readonly before: number | undefined;
  readonly limit: number;
}

/**
 * Who did what, for good. There is no operation that changes or removes a line, and a database that can refuses it to
 * anybody who asks in another way too.
 */
export interface AuditLog {
  /**
   * Appends the line if it follows the last one: its `sequence` is the next and its `previousHash` the last one's hash.
   * Of any number at once with one sequence, exactly one is appended; the others get `not_next` with the head that is in
   * the way and change nothing.
   */
  append(
    entry: AuditEntry,
  ): Promise<{ readonly outcome: 'appended' } | { readonly outcome: 'not_next'; readonly head: AuditHead | null }>;

  /** The last line; null while there is none. */
  head(): Promise<AuditHead | null>;

  /** The newest first, at most `limit`. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;

  /** Up to `limit` lines in the order of the chain, from the one after `sequence` on; from the first with 0. */
  read(after: number, limit: number): Promise<readonly AuditEntry[]>;
}
