import type { KeyObject } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';
import {
  type CreateOutcome,
  type CreateRequest,
  isUnreadable,
  type KeptWarnings,
  unreadableRecord,
  type VerificationRecord,
  type VerificationRepository,
  type VerificationWithEvents,
  type WrappedDataKey,
} from '@countersign/domain/storage';
import type { DataKeyContext } from './key-wrapping.ts';
import { blank, hasNoDocuments, isBlank, isUntouched } from './record-views.ts';
import { markSealed, requireUnsealed } from './sealed-repositories.ts';
import { sealValue, unsealValue } from './sealed-value.ts';
import { isAboutOneValue, SealingError, unavailableWithoutKey } from './sealing-error.ts';
import type { VerificationKeys } from './verification-keys.ts';

type Change = Parameters<VerificationRepository['commit']>[0];

interface Page {
  readonly records: readonly VerificationRecord[];
  readonly totalCount: number;
}

/**
 * Wraps a repository: seals records on the way in and unseals them on the way out. Records without personal data, such
 * as fresh verifications, pass through unchanged at almost no cost.
 */
export function createSealedVerifications(
  inner: VerificationRepository,
  verificationKeys: VerificationKeys,
): VerificationRepository {
  requireUnsealed(inner);

  async function unseal(record: VerificationRecord): Promise<VerificationRecord> {
    const { dataKey: wrapped, answers, reviewData, notify, warnings } = record;
    if (isBlank(record)) return { ...record, dataKey: null };
    const context = contextOf(record);
    if (wrapped === null) {
      throw new SealingError(
        'NO_DATA_KEY',
        `Verification ${record.id} holds data, but no key that it would be sealed by`,
        { verificationId: record.id },
      );
    }
    const dataKey = await verificationKeys.unwrap(wrapped, context);
    return {
      ...record,
      dataKey: null,
      answers: unsealValue(answers, 'answers', context, dataKey),
      reviewData: unsealValue(reviewData, 'reviewData', context, dataKey),
      notify: notify && unsealValue(notify, 'notify', context, dataKey),
      warnings: warnings && unsealValue(warnings, 'warnings', context, dataKey),
    };
  }

  const unsealed = (record: VerificationRecord | null) =>
    record === null || isUntouched(record) ? record : unavailableWithoutKey(unseal(record));

  const unsealedOutcome = (outcome: CreateOutcome) =>
    outcome.outcome !== 'key_used' || isUntouched(outcome.record)
      ? outcome
      : unavailableWithoutKey(unseal(outcome.record)).then((record) => ({ ...outcome, record }));

  const unsealedWithEvents = (found: VerificationWithEvents | null) =>
    found === null || isUntouched(found.record)
      ? found
      : unavailableWithoutKey(unseal(found.record)).then((record) => ({ ...found, record }));

  const unsealedPage = (page: Page) =>
    page.records.every(passesThrough) ? page : unsealEach(page.records).then((records) => ({ ...page, records }));

  // One damaged verification must not hide the others from reviewers and users.
  const blankPage = (page: Page) =>
    page.records.every(passesThrough) ? page : { ...page, records: page.records.map(blankOrUnreadable) };

  async function unsealedOrUnreadable(record: VerificationRecord): Promise<VerificationRecord> {
    if (passesThrough(record)) return record;
    try {
      return await unavailableWithoutKey(unseal(record));
    } catch (fault) {
      if (isAboutOneValue(fault)) return unreadableRecord(blank(record), fault);
      throw fault;
    }
  }

  /** Unseals some at a time, so that other requests wait for one part of a long page only. */
  async function unsealEach(records: readonly VerificationRecord[]): Promise<VerificationRecord[]> {
    const unsealed: VerificationRecord[] = [];
    for (let start = 0; start < records.length; start += UNSEALED_AT_ONCE) {
      if (start > 0) await nextIteration();
      unsealed.push(
        ...(await Promise.all(records.slice(start, start + UNSEALED_AT_ONCE).map(unsealedOrUnreadable))),
      );
    }
    return unsealed;
  }

  /** Reads the request before the first await, so that later changes by the caller have no effect. */
  async function createSealed(request: CreateRequest): Promise<CreateOutcome> {
    const { record } = request;
    const { dataKey, wrapped } = verificationKeys.make(contextOf(record));
    const sealed = { ...request, record: sealAll(record, dataKey) };
    // A copy costs as much as the encryption, so only a wrapping that takes a while has one.
    if (!(wrapped instanceof Promise)) return insert(sealed, wrapped);
    const copy = structuredClone(sealed);
    return insert(copy, await wrapped);
  }

  /** Creates a verification whose data key exists already. */
  async function createWithKey(request: CreateRequest, stored: WrappedDataKey): Promise<CreateOutcome> {
    const { record } = request;
    const dataKey = await verificationKeys.unwrap(stored, contextOf(record));
    return insert({ ...request, record: sealAll(record, dataKey) }, stored);
  }

  function insert({ record, ...request }: CreateRequest, dataKey: WrappedDataKey): Promise<CreateOutcome> {
    return inner.createCharged({ ...request, record: { ...record, dataKey } }).then(unsealedOutcome);
  }

  async function commitSealed(change: Change): ReturnType<VerificationRepository['commit']> {
    // Ignores a data key in the record, because reads will use the stored one.
    const dataKey = await unavailableWithoutKey(verificationKeys.findOrStore(contextOf(change.record)));
    if (dataKey === null) return { outcome: 'conflict' };
    const { record, kept } = change;
    return inner.commit({
      ...change,
      record: sealDocuments(record, dataKey),
      kept: kept && sealKept(kept, contextOf(record), dataKey),
    });
  }

  const sealed: VerificationRepository = {
    createCharged(request) {
      if (isBlank(request.record)) return inner.createCharged(request).then(unsealedOutcome);
      const { dataKey } = request.record;
      // As with a commit, copied before the first await.
      return dataKey === null ? createSealed(request) : createWithKey(structuredClone(request), dataKey);
    },
    commit(change) {
      if (change.kept !== undefined || !hasNoDocuments(change.record))
        return commitSealed(structuredClone(change));
      return inner.commit({ ...change, record: withoutKept(change.record) });
    },
    async noteWarnings(note) {
      // Copied before the first await, so that later changes by the caller have no effect.
      const copy = structuredClone(note);
      const dataKey = await unavailableWithoutKey(verificationKeys.findOrStore(copy));
      return dataKey === null ? false : inner.noteWarnings(sealKept(copy, copy, dataKey));
    },
    find: (clientId, id) => inner.find(clientId, id).then(unsealed),
    findForAnyClient: (id) => inner.findForAnyClient(id).then(unsealed),
    clientOf: (id) => inner.clientOf(id),
    clientsWithReference: (subjectReference, clientIds) => inner.clientsWithReference(subjectReference, clientIds),
    findByIdempotencyKey: (clientId, key) => inner.findByIdempotencyKey(clientId, key).then(unsealed),
    findWithHistory: (clientId, id) => inner.findWithHistory(clientId, id).then(unsealedWithEvents),
    findWithEventsForAnyClient: (id, limit) =>
      inner.findWithEventsForAnyClient(id, limit).then(unsealedWithEvents),
    queue: (query) => inner.queue(query).then(blankPage),
    list: (clientId, query) => inner.list(clientId, query).then(unsealedPage),
    browse: (clientId, query) => inner.browse(clientId, query).then(blankPage),
    findByShortReference: (request) =>
      inner.findByShortReference(request).then((records) => records.map(blankOrUnreadable)),
    findEndings: (asked) => inner.findEndings(asked),
    counts: (clientId, days) => inner.counts(clientId, days),
    reviewActivity: (query) => inner.reviewActivity(query),
    reviewLoad: (query) => inner.reviewLoad(query),
    countByStatus: () => inner.countByStatus(),
    dueInSandbox: (limit) => inner.dueInSandbox(limit).then(unsealEach),
    dueForExpiry: (request) => inner.dueForExpiry(request),
  };
  markSealed(sealed);
  return sealed;
}

/** Verifications that are unsealed in one go: those of a page of the usual size, which take about a millisecond. */
const UNSEALED_AT_ONCE = 20;

/** An unreadable record is returned unchanged: copying it would read its documents, and they throw. */
function blankOrUnreadable(record: VerificationRecord): VerificationRecord {
  return isUnreadable(record) ? record : blank(record);
}

/** Whether the record needs no unsealing. An unreadable record of the inner storage is returned unchanged. */
function passesThrough(record: VerificationRecord): boolean {
  return isUnreadable(record) || isUntouched(record);
}

/** Leaves out what a commit does not store: the inner storage must never receive it in plain text. */
function withoutKept(record: VerificationRecord): VerificationRecord {
  return record.notify === null && record.warnings === null ? record : { ...record, notify: null, warnings: null };
}

/** Seals every value of a new verification that holds personal data. */
function sealAll(record: VerificationRecord, dataKey: KeyObject): VerificationRecord {
  const notify = record.notify && sealValue(record.notify, 'notify', contextOf(record), dataKey);
  return { ...sealDocuments(record, dataKey), notify };
}

/** Seals what a commit replaces. */
function sealDocuments(record: VerificationRecord, dataKey: KeyObject): VerificationRecord {
  const context = contextOf(record);
  return {
    ...withoutKept(record),
    answers: sealValue(record.answers, 'answers', context, dataKey),
    reviewData: sealValue(record.reviewData, 'reviewData', context, dataKey),
  };
}

function sealKept<T extends KeptWarnings>(kept: T, context: DataKeyContext, dataKey: KeyObject): T {
  return { ...kept, warnings: sealValue(kept.warnings, 'warnings', context, dataKey) };
}

function contextOf({ clientId, id }: VerificationRecord): DataKeyContext {
  return { clientId, verificationId: id };
}
