import { retentionFactsOf } from '@countersign/domain/retention';
import {
  type ClientRetention,
  erasedRecord,
  type RetainedVerification,
  type RetentionRepository,
  requireRetentionRules,
  retainedVerification,
  type VerificationPlace,
  type VerificationRecord,
  withoutTexts,
} from '@countersign/domain/storage';
import { removeLabels } from './indexes.ts';
import type { Sync, Tables } from './tables.ts';
import { write } from './verifications.ts';

/** What retention reads of a record: no document of a person. */
function retainedOf({ events }: Tables, record: VerificationRecord): RetainedVerification {
  const types = events.all(record.clientId, record.id).map(({ event }) => event.type);
  return retainedVerification(record, types);
}

/** Retention, erasure and receipts. */
export function createRetention(tables: Tables): Sync<RetentionRepository> {
  const { verifications, events, erasureLog, runs } = tables;
  const put = (record: VerificationRecord): void => {
    requireRetentionRules(record);
    verifications.put(record);
  };
  const recordAt = ({ clientId, verificationId }: VerificationPlace) =>
    verifications.get(clientId, verificationId);
  /** The verifications whose time in an index has come, the earliest first. */
  const byTime = (index: 'retention' | 'uploads' | 'erasing', now: Date, limit: number) =>
    verifications
      .by(index, { until: [now.getTime() + 1] })
      .take(limit)
      .map((record) => retainedOf(tables, record))
      .toArray();
  return {
    ...createErasures(tables),
    ...createPolicies(tables),
    find(place) {
      const record = recordAt(place);
      return record === undefined ? null : retainedOf(tables, record);
    },
    storedTraces(place) {
      const record = recordAt(place);
      if (record === undefined) return null;
      const emptied = events.all(record.clientId, record.id).map(({ event }) => ({ ...event, data: {} }));
      return { verification: retainedOf(tables, record), events: emptied };
    },
    due: ({ now, limit }) => byTime('retention', now, limit),
    uploadsDue: ({ now, limit }) => byTime('uploads', now, limit),
    unfinished: ({ begunBefore, limit }) => byTime('erasing', begunBefore, limit),
    schedule({ place, expected, checkAt, uploadsCheckAt = expected.uploadsCheckAt }) {
      const record = recordAt(place);
      const isExpected =
        record?.version === expected.version &&
        record.retentionCheckAt?.getTime() === expected.retentionCheckAt?.getTime();
      if (!isExpected) return { outcome: 'conflict' };
      put({ ...record, retentionCheckAt: checkAt, uploadsCheckAt });
      return { outcome: 'scheduled' };
    },
    change({ verification, expectedVersion, events: appended }) {
      const stored = verifications.get(verification.clientId, verification.id);
      if (stored?.version !== expectedVersion) return { outcome: 'conflict' };
      const { status, resolvedAt, claimedBy, claimedAt, sandboxOutcome, version, eventCount } = verification;
      const { erasureNumber: _, ...facts } = retentionFactsOf(verification);
      const columns = { status, resolvedAt, claimedBy, claimedAt, sandboxOutcome, version, eventCount };
      write(tables, { ...stored, ...columns, ...facts }, appended);
      return { outcome: 'committed' };
    },
    erasureLogId: () => erasureLog.get() ?? null,
    setErasureLogId(id) {
      const stored = erasureLog.get() ?? id;
      erasureLog.put(stored);
      return stored;
    },
    recheck({ clientId, after, limit, at }) {
      const page = verifications
        .scan({ under: [clientId], from: [after ?? ''] })
        .filter(({ id }) => id !== after)
        .take(limit)
        .toArray();
      for (const record of page) {
        const { resolvedAt, erasedAt, retentionCheckAt } = record;
        const isPlanned = retentionCheckAt !== null && retentionCheckAt <= at;
        if (resolvedAt !== null && erasedAt === null && !isPlanned) put({ ...record, retentionCheckAt: at });
      }
      return { last: page.at(-1)?.id ?? null };
    },
    lastRun: () => runs.get() ?? null,
    beginRun({ now, expectedFrom, expectedUntil, pauseUntil }) {
      const before = runs.get() ?? null;
      const hasJumped = before !== null && (before.lastRunAt < expectedFrom || before.lastRunAt > expectedUntil);
      const stored = before?.pausedUntil ?? null;
      const isAhead = stored !== null && stored > pauseUntil;
      const pausedUntil = hasJumped || isAhead ? pauseUntil : stored;
      runs.put({ lastRunAt: now, pausedUntil });
      return { pausedUntil, lastRunAt: before?.lastRunAt ?? null };
    },
  };
}

type Erasures = Pick<
  Sync<RetentionRepository>,
  'erase' | 'recordErasure' | 'finish' | 'erasure' | 'erasures' | 'lastErasure' | 'withoutReceipt'
>;

function createErasures(tables: Tables): Erasures {
  const { verifications, events, deliveries, exports, handOvers, readings, mails, erasures } = tables;
  const last = (): number => {
    for (const { number } of erasures.scan({ backwards: true })) return number;
    return 0;
  };
  return {
    erase({ expectedVersion, event, erasure }) {
      const { clientId, verificationId } = erasure;
      const stored = verifications.get(clientId, verificationId);
      if (stored?.version !== expectedVersion || stored.erasedAt === null || stored.erasureNumber !== null)
        return { outcome: 'conflict' };
      const number = erasure.number ?? last() + 1;
      if (erasures.get(number) !== undefined) return { outcome: 'number_taken' };
      const under = [clientId, verificationId];
      for (const row of events.all(...under)) events.put({ ...row, event: { ...row.event, data: {} } });
      for (const row of deliveries.by('verification', { under }).toArray())
        deliveries.put({ ...row, attempts: row.attempts.map(withoutTexts) });
      for (const { id } of exports.by('verification', { under }).toArray()) exports.remove(id);
      handOvers.remove(clientId, verificationId);
      for (const { fileId } of readings.all(clientId, verificationId)) {
        readings.remove(clientId, verificationId, fileId);
      }
      removeLabels(tables, { clientId, verificationId });
      for (const { mail } of mails.by('verification', { under }).toArray()) mails.remove(mail.id);
      write(tables, erasedRecord(stored, { event, erasure }, number), [event]);
      erasures.put({ ...erasure, number, finishedAt: null });
      return { outcome: 'erased', number };
    },
    recordErasure(erasure) {
      if (erasures.get(erasure.number) === undefined) erasures.put(erasure);
    },
    finish({ clientId, number }, at) {
      const erasure = erasures.get(number);
      if (erasure?.clientId !== clientId || erasure.finishedAt !== null) return;
      erasures.put({ ...erasure, finishedAt: at });
      const stored = verifications.get(clientId, erasure.verificationId);
      if (stored?.erasureNumber === number) verifications.put({ ...stored, retentionCheckAt: null });
    },
    erasure: (number) => erasures.get(number) ?? null,
    erasures: ({ clientId, from, until, after, limit }) =>
      erasures
        .scan({ from: [after] })
        .filter(
          ({ number, at, ...erasure }) =>
            number > after &&
            (clientId === undefined || erasure.clientId === clientId) &&
            (from === undefined || at >= from) &&
            (until === undefined || at < until),
        )
        .take(limit)
        .toArray(),
    lastErasure: last,
    withoutReceipt: (numbers) => numbers.filter((number) => erasures.get(number) === undefined),
  };
}

type Policies = Pick<Sync<RetentionRepository>, 'ofClient' | 'ofClients' | 'setPolicy' | 'setPlan'>;

function createPolicies({ clients, retention }: Tables): Policies {
  const stored = (clientId: string): ClientRetention =>
    retention.get(clientId) ?? { clientId, policy: null, plannedBy: null, plannedAfter: null };
  // The policy of a client is that of its test twin too.
  const applied = (clientId: string): ClientRetention => ({
    ...stored(clientId),
    policy: stored(clients.get(clientId)?.testOf ?? clientId).policy,
  });
  return {
    ofClient: (clientId) => (clients.get(clientId) === undefined ? null : applied(clientId)),
    ofClients: (after, limit) =>
      clients
        .scan({ from: [after ?? ''] })
        .filter(({ id }) => id !== after)
        .take(limit)
        .map(({ id }) => applied(id))
        .toArray(),
    setPolicy(clientId, policy) {
      if (clients.get(clientId) === undefined) return { outcome: 'client_not_found' };
      retention.put({ ...stored(clientId), policy });
      return { outcome: 'changed' };
    },
    setPlan({ clientId, plannedBy, plannedAfter }) {
      if (clients.get(clientId) !== undefined) retention.put({ ...stored(clientId), plannedBy, plannedAfter });
    },
  };
}
