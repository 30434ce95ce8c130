import type { JsonObject } from '../input/json.ts';

/**
 * Why a verification was erased: a request, the policy of its client for its outcome (approved: by the end of the relationship,
 * also where only the legal obligation lasts that long, or by the longest time), or an entry of the erasure log that the database lacked after a restore.
 */
export const ERASURE_RULES = [
  'requested',
  'approved_after_end',
  'approved_longest',
  'rejected',
  'unfinished',
  'log',
] as const;
/** Why a verification was erased: the retention period that ended, a request, or the erasure log. */
export type ErasureRule = (typeof ERASURE_RULES)[number];

/** The receipt of an erasure. It has ids, times and counts, no personal data, and is never changed once it is finished. */
export interface Erasure {
  /** Its number in the erasure log: unique in the installation, from 1. */
  readonly number: number;
  readonly clientId: string;
  readonly verificationId: string;
  readonly at: Date;
  readonly rule: ErasureRule;
  /** Completed steps, uploaded files and events that lost their data. */
  readonly steps: number;
  readonly files: number;
  readonly events: number;
  /** SHA-256 of what is left (stored-traces.ts), as 64 lower-case hexadecimal characters. */
  readonly hash: string;
  /** When the store of files confirmed that no file is left, and the audit entry was written; null until then. */
  readonly finishedAt: Date | null;
}

/** Returns what the entry of the audit log says of an erasure, besides its verification. */
export function auditDetailOf({ number, rule, steps, files, events, hash }: Erasure): JsonObject {
  return { number, rule, steps, files, events, hash };
}

/** An erasure, as it is written down outside the database and its backups. */
export interface ErasureLogEntry {
  /** From 1, without gaps. */
  readonly number: number;
  readonly clientId: string;
  readonly verificationId: string;
  readonly at: Date;
}

/**
 * The list of all erasures, kept outside the database, so that data erased after a backup is erased again after its restore.
 * Entries are never changed and never removed.
 */
export interface ErasureLog {
  /** Returns the id that tells this log from all others; null if it has none yet. Creates nothing. */
  id(): Promise<string | null>;
  /**
   * Gives the log an id, durably, unless it has one, which stays. Entries are not changed.
   *
   * Concurrency: the first of several simultaneous calls, on any instance, sets the id. All return it.
   * @returns the id of the log
   */
  identify(id: string): Promise<string>;
  /**
   * Writes an entry with the next number and returns it. It is durable when this resolves. Two entries of one verification are
   * no error: the second has no effect on the database.
   *
   * Concurrency: each of several simultaneous calls, on any instance, gets its own number. A call that rejects may have written
   * its entry.
   */
  append(entry: Omit<ErasureLogEntry, 'number'>): Promise<ErasureLogEntry>;
  /**
   * Writes an entry again under its number, to complete a log that lost its newest entries. It is durable when this resolves.
   * An entry that the log has is no error. Rejects and changes nothing if the number has another entry, or would leave a gap.
   */
  put(entry: ErasureLogEntry): Promise<void>;
  /** Reads up to `limit` entries with a number above `after`, in the order of their numbers. Rejects if one is damaged. */
  read(after: number, limit: number): Promise<readonly ErasureLogEntry[]>;
  /** Returns the highest number; 0 without entries. */
  head(): Promise<number>;
  /** Rejects if an entry could not be written now. Writes none. */
  probe(): Promise<void>;
}
