import type { AppendFact } from '../audit/append-fact.ts';
import { type AuditActor, DATA_ERASED_ACTION } from '../audit/audit-entry.ts';
import { isThumbnailId } from '../evidence/evidence-file.ts';
import type { EvidencePlace, EvidenceStore } from '../evidence/evidence-store.ts';
import type { Runtime } from '../runtime.ts';
import type { Actor, VerificationEvent } from '../verification/events.ts';
import {
  auditDetailOf,
  type Erasure,
  type ErasureLog,
  type ErasureLogEntry,
  type ErasureRule,
} from './erasure.ts';
import { createCheckErasureLog } from './log-gaps.ts';
import type { RetentionRepository, StoredTraces, VerificationPlace } from './retention-repository.ts';
import { hashOfTraces, tracesAfter } from './stored-traces.ts';

/** The ports of an erasure. */
export interface ErasurePorts extends Pick<Runtime, 'clock' | 'ids' | 'secrets'> {
  readonly retention: RetentionRepository;
  /** Without it, the database assigns the numbers, and a restored backup brings erased data back. */
  readonly log: ErasureLog | undefined;
  readonly store: Pick<EvidenceStore, 'filesOf' | 'delete'> | undefined;
  readonly append: AppendFact;
}

/** Why and by whom a verification is erased. */
export interface ErasureCause {
  readonly rule: ErasureRule;
  readonly actor: Actor;
  /** The entry of the erasure log, if it is written already. */
  readonly entry?: ErasureLogEntry | undefined;
  /** Whether the log was checked just before (`CheckErasureLog`). */
  readonly isLogChecked?: boolean;
}

/**
 * Removes the data of a verification whose erasure has begun: writes the entry of the erasure log, empties the row and its events,
 * deletes its files until the store confirms, and appends the entry of the audit log. Each step can be repeated, so a later call
 * continues where an earlier one stopped.
 *
 * Concurrency: one of several calls for a verification empties it. The others delete its remaining files, or find nothing to do.
 * @throws Error if files remain or the log's number is taken. Completed steps are not undone
 */
export type RemoveData = (place: VerificationPlace, cause: ErasureCause) => Promise<void>;

/** How often a removal that lost a race looks again. */
const ATTEMPTS = 5;

/** Creates the use case `RemoveData` from its ports. */
export function createRemoveData(ports: ErasurePorts): RemoveData {
  const { retention, log, store, append, clock, ids, secrets } = ports;
  const checkLog = createCheckErasureLog(ports);

  /** Writes the entry of the erasure log. @returns null without a log */
  async function logged(
    entry: Omit<ErasureLogEntry, 'number'>,
    { isLogChecked = false }: ErasureCause,
  ): Promise<ErasureLogEntry | null> {
    if (log === undefined) return null;
    if (!isLogChecked) await checkLog();
    return log.append(entry);
  }

  /** Empties the row. @param files what is stored of it. @returns its receipt; null if it was changed since it was read */
  async function empty(
    traces: StoredTraces,
    cause: ErasureCause,
    files: readonly EvidencePlace[],
  ): Promise<Erasure | null> {
    const { rule, actor, entry } = cause;
    const { clientId, id: verificationId, version, status, erasedAt } = traces.verification;
    if (erasedAt === null) throw new Error(`The erasure of the verification ${verificationId} has not begun`);
    const place = { clientId, verificationId };
    // Before the data goes: a restored backup must forget what was removed here.
    const { number } = entry ?? (await logged({ ...place, at: erasedAt }, cause)) ?? { number: null };
    const event: VerificationEvent = {
      id: ids.next(),
      ...place,
      version: version + 1,
      type: 'verification.data_erased',
      status,
      at: clock.now(),
      actor,
      data: {},
    };
    const hash = hashOfTraces(tracesAfter(traces, event, erasedAt), secrets);
    const uploaded = files.filter(({ fileId }) => !isThumbnailId(fileId)).length;
    const counts = { steps: traces.verification.currentStep, files: uploaded, events: traces.events.length };
    const erasure = { ...place, number, at: erasedAt, rule, ...counts, hash };
    const erased = await retention.erase({ expectedVersion: version, event, erasure });
    if (erased.outcome === 'number_taken') {
      throw new Error(
        `The erasure log gave the number ${number}, which the database knows already: it is not the log of this database`,
      );
    }
    return erased.outcome === 'conflict' ? null : { ...erasure, number: erased.number, finishedAt: null };
  }

  const filesOf = async (place: VerificationPlace): Promise<readonly EvidencePlace[]> =>
    store === undefined ? [] : store.filesOf(place);

  /** Deletes files, then those that the store still lists: they may have arrived since. A backup may keep files. */
  async function deleteFiles(place: VerificationPlace, listed: readonly EvidencePlace[]): Promise<void> {
    let files = listed;
    for (let round = 1; round <= 2; round += 1) {
      for (const file of files) await store?.delete(file);
      files = await filesOf(place);
      if (files.length === 0) return;
    }
    throw new Error(`${files.length} files of the verification ${place.verificationId} are left`);
  }

  /** @param files what is stored of it. @param actor who began the erasure */
  async function finish(erasure: Erasure, files: readonly EvidencePlace[], actor: Actor): Promise<void> {
    const { clientId, verificationId } = erasure;
    await deleteFiles({ clientId, verificationId }, files);
    await append({
      actor: auditActorOf(actor),
      from: null,
      action: DATA_ERASED_ACTION,
      outcome: 'allowed',
      clientId,
      targetId: verificationId,
      detail: auditDetailOf(erasure),
    });
    await retention.finish(erasure, clock.now());
  }

  return async (place, cause) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const traces = await retention.storedTraces(place);
      if (traces === null) return;
      const { erasureNumber } = traces.verification;
      if (erasureNumber === null) {
        const files = await filesOf(place);
        const erased = await empty(traces, cause, files);
        if (erased === null) continue;
        return finish(erased, files, cause.actor);
      }
      const erasure = await retention.erasure(erasureNumber);
      if (erasure === null || erasure.finishedAt !== null) return;
      return finish(erasure, [], begunBy(traces));
    }
    throw new Error(`The verification ${place.verificationId} changes all the time, so its data was not removed`);
  };
}

/** Returns who began the erasure, also where the job goes on with it: the actor of its event. */
function begunBy({ events }: StoredTraces): Actor {
  return events.find(({ type }) => type === 'verification.data_erased')?.actor ?? SYSTEM;
}

function auditActorOf({ kind, id }: Actor): AuditActor {
  // No move of a subject erases anything.
  return kind === 'subject' ? SYSTEM : { kind, id };
}

const SYSTEM = { kind: 'system', id: null } as const;
