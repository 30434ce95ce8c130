import type { RetentionPolicy } from '../retention/policy.ts';
import type { VerificationEvent } from '../verification/events.ts';
import type { Erasure } from './erasure.ts';
import type { RetainedVerification } from './retained-verification.ts';

/** What is left of a verification once its data is removed, to compute the hash of its receipt. */
export interface StoredTraces {
  readonly verification: RetainedVerification;
  /** All its events in the order of their versions, each with `data` as `{}`, whatever is stored. */
  readonly events: readonly VerificationEvent[];
}

/** The policy of a client, and how far its decided verifications were planned by it. */
export interface ClientRetention {
  readonly clientId: string;
  /** The policy of the client; of a test twin, that of its client. Null: there is none of its own. */
  readonly policy: RetentionPolicy | null;
  /** Names the rules that its verifications were planned by last (`setPlan`); null before the first time. */
  readonly plannedBy: string | null;
  /** The last verification planned by them; null if all are, or none. */
  readonly plannedAfter: string | null;
}

/** Names one verification. */
export interface VerificationPlace {
  readonly clientId: string;
  readonly verificationId: string;
}

/** The last run of the job as it is stored, and until when the job erases nothing. */
export interface StoredRetentionRun {
  readonly lastRunAt: Date;
  readonly pausedUntil: Date | null;
}

/** The last run of the job, and until when it erases nothing. */
export interface RetentionRun {
  readonly pausedUntil: Date | null;
  /** When the run before this one began; null before the first. */
  readonly lastRunAt: Date | null;
}

/**
 * Stores how long data is kept, and removes it. Each operation is atomic. Ids come from clients unchecked: a text that cannot be
 * an id finds nothing. No operation reads or writes `answers`, `reviewData` and `metadata` other than to empty them. An operation
 * whose result breaks a rule of `requireRetentionRules` rejects and changes nothing, such as `schedule` of an open verification.
 */
export interface RetentionRepository {
  /** Finds a verification of the client; null if there is none or it belongs to another client. */
  find(place: VerificationPlace): Promise<RetainedVerification | null>;

  /** Finds a verification of the client with all its events, read at one moment. */
  storedTraces(place: VerificationPlace): Promise<StoredTraces | null>;

  /**
   * Finds up to `limit` verifications of all clients whose `retentionCheckAt` is `now` or earlier, the earliest first, ties
   * broken by `id`. Reads them from an index, so that its cost does not grow with what is not due.
   *
   * A storage that servers of an older version may write to at the same time also finds, after those, the decided ones that are
   * neither held nor erased and have no `retentionCheckAt`: an older version decided them.
   */
  due(request: { now: Date; limit: number }): Promise<readonly RetainedVerification[]>;

  /**
   * Finds up to `limit` verifications of all clients, open or decided, whose `uploadsCheckAt` is `now` or earlier, the earliest first,
   * ties broken by `id`. Reads them from an index, as `due` does.
   */
  uploadsDue(request: { now: Date; limit: number }): Promise<readonly RetainedVerification[]>;

  /**
   * Finds up to `limit` verifications of all clients whose erasure began at `begunBefore` or earlier and has not finished: `erasedAt` and
   * `retentionCheckAt` are set. The one that began earliest comes first, ties broken by `id`. Reads them from an index, as `due` does.
   */
  unfinished(request: { begunBefore: Date; limit: number }): Promise<readonly RetainedVerification[]>;

  /**
   * Sets `retentionCheckAt` and `uploadsCheckAt` if the stored version and `retentionCheckAt` are still the expected ones. The version
   * stays the same, so that a concurrent `commit` wins or makes the outcome `conflict`. An open verification has no `retentionCheckAt`:
   * setting one throws, and changes nothing (`requireRetentionRules`).
   */
  schedule(change: {
    place: VerificationPlace;
    expected: Pick<RetainedVerification, 'version' | 'retentionCheckAt' | 'uploadsCheckAt'>;
    checkAt: Date | null;
    /** Default: the expected one. */
    uploadsCheckAt?: Date | null;
  }): Promise<{ outcome: 'scheduled' } | { outcome: 'conflict' }>;

  /**
   * Stores a change that does not touch documents: status, `resolvedAt`, claim, `sandboxOutcome`, the facts of retention except
   * `erasureNumber`, version and `eventCount`; all other columns stay as they are. Appends the events in the same step, like
   * `VerificationRepository.commit`, and counts as `commit` does (`counts`).
   *
   * Concurrency: of calls with one expected version, of this operation, of `erase` and of `commit`, the first wins; the others
   * receive `conflict` and change nothing.
   */
  change(change: {
    verification: RetainedVerification;
    expectedVersion: number;
    events: readonly VerificationEvent[];
  }): Promise<{ outcome: 'committed' } | { outcome: 'conflict' }>;

  /**
   * Removes the data of a verification whose erasure has begun (`erasedAt`), in one step:
   * - its row: `subjectReference` becomes `erased:{id}`; `metadata`, `answers` and `reviewData` become `{}`; the idempotency key
   *   and fingerprint, data key, sandbox outcome, return URL, locale, `notify`, `warnings` and `severity` become null; `linkExpiresAt` becomes `erasure.at`, unless
   *   the link ended before; `erasureNumber` is set; the version becomes that of the event, and `eventCount` grows by one.
   *   `uploadsCheckAt` becomes null. `retentionCheckAt` stays, until `finish`.
   * - its events: `data` becomes `{}`.
   * - the attempts of its webhooks: `request` becomes `''`, and `response` and `fault` become null. Deliveries stay, and those that wait
   *   are still sent.
   * - its export (`ExportRepository`) and its mails (`MailQueue`) are deleted.
   * - the event and the receipt, whose `finishedAt` is null, are inserted.
   *
   * `conflict`: the stored version is another, or the erasure has not begun. `number_taken`: another verification has a receipt with
   * this number. Both change nothing. With `number` null, the storage takes the number after its highest.
   *
   * Concurrency: of calls with one expected version, the first wins. No read sees one part of this without the others.
   */
  erase(request: {
    expectedVersion: number;
    event: VerificationEvent;
    erasure: Omit<Erasure, 'number' | 'finishedAt'> & { readonly number: number | null };
  }): Promise<{ outcome: 'erased'; number: number } | { outcome: 'conflict' } | { outcome: 'number_taken' }>;

  /**
   * Inserts a finished receipt alone, for an entry of the erasure log that changes nothing: its verification is unknown, or was
   * erased under another number. A number that has a receipt already is no error, and changes nothing.
   */
  recordErasure(erasure: Erasure & { readonly finishedAt: Date }): Promise<void>;

  /** Sets `finishedAt` of a receipt and removes the `retentionCheckAt` of its verification. Repeating it changes nothing. */
  finish(erasure: Pick<Erasure, 'clientId' | 'number'>, at: Date): Promise<void>;

  /** Returns the receipt with this number; null if there is none. */
  erasure(number: number): Promise<Erasure | null>;

  /**
   * Lists up to `limit` receipts with a number above `after`, in the order of their numbers: of one client or of all, and only
   * those with `from <= at < until` where they are given.
   */
  erasures(query: {
    clientId?: string | undefined;
    from?: Date | undefined;
    until?: Date | undefined;
    after: number;
    limit: number;
  }): Promise<readonly Erasure[]>;

  /** Returns the highest number of a receipt; 0 without any. */
  lastErasure(): Promise<number>;

  /** Returns the id of the erasure log that belongs to this database; null if none does yet. */
  erasureLogId(): Promise<string | null>;

  /**
   * Stores the id of the erasure log, unless one is stored, which stays.
   *
   * Concurrency: the first of several simultaneous calls stores its id. All return it.
   * @returns the stored id
   */
  setErasureLogId(id: string): Promise<string>;

  /** Returns which of these numbers, at most 1,000, have no receipt, in their order. */
  withoutReceipt(numbers: readonly number[]): Promise<readonly number[]>;

  /** Returns the policy of a client and how far it was planned; null for an unknown client. */
  ofClient(clientId: string): Promise<ClientRetention | null>;

  /** Lists the same for up to `limit` clients, ordered by id, that come after the client given; null starts from the first. */
  ofClients(after: string | null, limit: number): Promise<readonly ClientRetention[]>;

  /** Replaces the policy of a client; null removes it. Of several calls, the last wins whole. A policy that is set for a test twin has no effect. */
  setPolicy(
    clientId: string,
    policy: RetentionPolicy | null,
  ): Promise<{ outcome: 'changed' } | { outcome: 'client_not_found' }>;

  /**
   * Schedules a check of up to `limit` verifications of the client, in the order of their ids, after the one given. Sets
   * `retentionCheckAt` to
   * `at` for those that are decided and not erased (`erasedAt` is null), and have no earlier one. Versions stay the same. Its cost
   * grows with `limit` alone, however many verifications are open or erased: a storage may leave those out.
   * @returns the last verification looked at, or null if none comes after the one given
   */
  recheck(request: {
    clientId: string;
    after: string | null;
    limit: number;
    at: Date;
  }): Promise<{ readonly last: string | null }>;

  /** Stores how far the verifications of a client were planned. Of several calls, the last wins: planning twice does no harm. */
  setPlan(plan: Pick<ClientRetention, 'clientId' | 'plannedBy' | 'plannedAfter'>): Promise<void>;

  /**
   * Begins a run of the job: stores `now` as the time of the last run. If the last run before it was before `expectedFrom` or after
   * `expectedUntil`, the clock may have jumped, and `pausedUntil` becomes `pauseUntil`. The first run of all never pauses. A
   * stored `pausedUntil` later than `pauseUntil` is lowered to it, because the clock was ahead when it was stored.
   *
   * Concurrency: if several simultaneous runs find a jump, one stores the pause and the others return it, even if their clocks
   * differ slightly.
   */
  beginRun(request: {
    now: Date;
    expectedFrom: Date;
    expectedUntil: Date;
    pauseUntil: Date;
  }): Promise<RetentionRun>;

  /** Returns the last run that began, with the pause that holds since; null before the first. */
  lastRun(): Promise<{ readonly lastRunAt: Date; readonly pausedUntil: Date | null } | null>;
}
