import { retentionFactsOf } from '@countersign/domain/retention';
import {
  type ClientRetention,
  compareText,
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
import { compareTime, type Sync, type Tables } from './tables.ts';
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
    verifications.put([record.clientId, record.id], record);
  };
  const recordAt = ({ clientId, verificationId }: VerificationPlace) =>
    verifications.get(clientId, verificationId);
  /** The verifications that have a time, the earliest first. */
  const byTime = (time: (record: VerificationRecord) => Date | null, until: Date, limit: number) =>
    verifications
      .all()
      .filter((record) => (time(record) ?? until) <= until && time(record) !== null)
      .sort((a, b) => compareTime(time(a), time(b)) || compareText(a.id, b.id))
      .slice(0, limit)
      .map((record) => retainedOf(tables, record));
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
    due: ({ now, limit }) => byTime(({ retentionCheckAt }) => retentionCheckAt, now, limit),
    uploadsDue: ({ now, limit }) => byTime(({ uploadsCheckAt }) => uploadsCheckAt, now, limit),
    unfinished: ({ begunBefore, limit }) =>
      byTime(
        ({ erasedAt, retentionCheckAt }) => (retentionCheckAt === null ? null : erasedAt),
        begunBefore,
        limit,
      ),
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
    erasureLogId: () => erasureLog.get('log') ?? null,
    setErasureLogId(id) {
      const stored = erasureLog.get('log') ?? id;
      erasureLog.put(['log'], stored);
      return stored;
    },
    recheck({ clientId, after, limit, at }) {
      const page = verifications
        .all(clientId)
        .filter(({ id }) => after === null || compareText(id, after) > 0)
        .sort((a, b) => compareText(a.id, b.id))
        .slice(0, limit);
      for (const record of page) {
        const { resolvedAt, erasedAt, retentionCheckAt } = record;
        const isPlanned = retentionCheckAt !== null && retentionCheckAt <= at;
        if (resolvedAt !== null && erasedAt === null && !isPlanned) put({ ...record, retentionCheckAt: at });
      }
      return { last: page.at(-1)?.id ?? null };
    },
    lastRun: () => runs.get('last') ?? null,
    beginRun({ now, expectedFrom, expectedUntil, pauseUntil }) {
      const before = runs.get('last') ?? null;
      const hasJumped = before !== null && (before.lastRunAt < expectedFrom || before.lastRunAt > expectedUntil);
      const stored = before?.pausedUntil ?? null;
      const isAhead = stored !== null && stored > pauseUntil;
      const pausedUntil = hasJumped || isAhead ? pauseUntil : stored;
      runs.put(['last'], { lastRunAt: now, pausedUntil });
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
  const last = (): number => erasures.all().at(-1)?.number ?? 0;
  return {
    erase({ expectedVersion, event, erasure }) {
      const { clientId, verificationId } = erasure;
      const stored = verifications.get(clientId, verificationId);
      if (stored?.version !== expectedVersion || stored.erasedAt === null || stored.erasureNumber !== null)
        return { outcome: 'conflict' };
      const number = erasure.number ?? last() + 1;
      if (erasures.get(number) !== undefined) return { outcome: 'number_taken' };
      for (const row of events.all(clientId, verificationId)) {
        const { version } = row.event;
        events.put([clientId, verificationId, version], { ...row, event: { ...row.event, data: {} } });
      }
      const isOf = (one: { clientId: string | null; verificationId: string | null }): boolean =>
        one.clientId === clientId && one.verificationId === verificationId;
      for (const row of deliveries.all()) {
        const { endpointId, version } = row.entry;
        if (isOf({ clientId: row.clientId, verificationId: row.entry.verificationId }))
          deliveries.put([endpointId, verificationId, version], {
            ...row,
            attempts: row.attempts.map(withoutTexts),
          });
      }
      for (const one of exports.all()) if (isOf(one)) exports.remove(one.id);
      handOvers.remove(clientId, verificationId);
      for (const { fileId } of readings.all(clientId, verificationId)) {
        readings.remove(clientId, verificationId, fileId);
      }
      removeLabels(tables, { clientId, verificationId });
      for (const { mail } of mails.all()) if (isOf(mail)) mails.remove(mail.id);
      write(tables, erasedRecord(stored, { event, erasure }, number), [event]);
      erasures.put([number], { ...erasure, number, finishedAt: null });
      return { outcome: 'erased', number };
    },
    recordErasure(erasure) {
      if (erasures.get(erasure.number) === undefined) erasures.put([erasure.number], erasure);
    },
    finish({ clientId, number }, at) {
      const erasure = erasures.get(number);
      if (erasure?.clientId !== clientId || erasure.finishedAt !== null) return;
      erasures.put([number], { ...erasure, finishedAt: at });
      const stored = verifications.get(clientId, erasure.verificationId);
      if (stored?.erasureNumber === number)
        verifications.put([clientId, stored.id], { ...stored, retentionCheckAt: null });
    },
    erasure: (number) => erasures.get(number) ?? null,
    erasures: ({ clientId, from, until, after, limit }) =>
      erasures
        .all()
        .filter(
          ({ number, at, ...erasure }) =>
            number > after &&
            (clientId === undefined || erasure.clientId === clientId) &&
            (from === undefined || at >= from) &&
            (until === undefined || at < until),
        )
        .slice(0, limit),
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
        .all()
        .map(({ id }) => id)
        .filter((id) => after === null || compareText(id, after) > 0)
        .sort(compareText)
        .slice(0, limit)
        .map(applied),
    setPolicy(clientId, policy) {
      if (clients.get(clientId) === undefined) return { outcome: 'client_not_found' };
      retention.put([clientId], { ...stored(clientId), policy });
      return { outcome: 'changed' };
    },
    setPlan({ clientId, plannedBy, plannedAfter }) {
      if (clients.get(clientId) !== undefined)
        retention.put([clientId], { ...stored(clientId), plannedBy, plannedAfter });
    },
  };
}
