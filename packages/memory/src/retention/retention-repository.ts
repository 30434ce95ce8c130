import { retentionFactsOf } from '@countersign/domain/retention';
import {
  compareText,
  type RetainedVerification,
  type RetentionRepository,
  requireRetentionRules,
} from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import { keyOf, type Tables } from '../tables.ts';
import { createErasing } from './erasing.ts';
import { eventsOf, retainedOf } from './retained.ts';

/** Creates the retention of the storage in memory. Each operation runs without interruption. */
export function createRetention(tables: Tables): RetentionRepository {
  const { verifications, events } = tables;
  const findRecord = (place: { clientId: string; verificationId: string }) =>
    verifications.get(keyOf(place.clientId, place.verificationId));

  return {
    ...createErasing(tables),
    ...createClientRetention(tables),

    async find(place) {
      const record = findRecord(place);
      return record === undefined ? null : retainedOf(tables, record);
    },

    async storedTraces(place) {
      const record = findRecord(place);
      if (record === undefined) return null;
      const emptied = eventsOf(tables, record).map((event) => ({ ...event, data: {} }));
      return { verification: retainedOf(tables, record), events: structuredClone(emptied) };
    },

    async due({ now, limit }) {
      const due = [...verifications.values()].filter(
        ({ retentionCheckAt }) => retentionCheckAt !== null && retentionCheckAt <= now,
      );
      const byCheck = (a: { retentionCheckAt: Date | null; id: string }, b: typeof a): number =>
        Number(a.retentionCheckAt) - Number(b.retentionCheckAt) || compareText(a.id, b.id);
      return due
        .sort(byCheck)
        .slice(0, limit)
        .map((record) => retainedOf(tables, record));
    },

    async uploadsDue({ now, limit }) {
      const due = [...verifications.values()].filter(
        ({ uploadsCheckAt }) => uploadsCheckAt !== null && uploadsCheckAt <= now,
      );
      return due
        .sort((a, b) => Number(a.uploadsCheckAt) - Number(b.uploadsCheckAt) || compareText(a.id, b.id))
        .slice(0, limit)
        .map((record) => retainedOf(tables, record));
    },

    async unfinished({ begunBefore, limit }) {
      const begun = [...verifications.values()].filter(
        ({ erasedAt, retentionCheckAt }) =>
          erasedAt !== null && erasedAt <= begunBefore && retentionCheckAt !== null,
      );
      return begun
        .sort((a, b) => Number(a.erasedAt) - Number(b.erasedAt) || compareText(a.id, b.id))
        .slice(0, limit)
        .map((record) => retainedOf(tables, record));
    },

    async schedule({ place, expected, checkAt, uploadsCheckAt = expected.uploadsCheckAt }) {
      const record = findRecord(place);
      const isExpected =
        record?.version === expected.version &&
        record.retentionCheckAt?.getTime() === expected.retentionCheckAt?.getTime();
      if (!isExpected) return { outcome: 'conflict' };
      const scheduled = {
        ...record,
        retentionCheckAt: checkAt && new Date(checkAt),
        uploadsCheckAt: uploadsCheckAt && new Date(uploadsCheckAt),
      };
      requireRetentionRules(scheduled);
      verifications.set(keyOf(record.clientId, record.id), scheduled);
      return { outcome: 'scheduled' };
    },

    async change({ verification, expectedVersion, events: appended }) {
      const stored = verifications.get(keyOf(verification.clientId, verification.id));
      if (stored?.version !== expectedVersion) return { outcome: 'conflict' };
      const changed = { ...stored, ...structuredClone(changedColumns(verification)) };
      requireRetentionRules(changed);
      verifications.set(keyOf(stored.clientId, stored.id), changed);
      for (const event of structuredClone(appended)) events.push({ event, unsent: isSent(event) });
      return { outcome: 'committed' };
    },

    erasureLogId: async () => tables.erasureLogId,

    async setErasureLogId(id) {
      tables.erasureLogId ??= id;
      return tables.erasureLogId;
    },

    async recheck({ clientId, after, limit, at }) {
      const left = [...verifications.values()].filter(
        (record) => record.clientId === clientId && (after === null || compareText(record.id, after) > 0),
      );
      const page = left.sort((a, b) => compareText(a.id, b.id)).slice(0, limit);
      for (const record of page) {
        const { resolvedAt, erasedAt, retentionCheckAt } = record;
        if (resolvedAt === null || erasedAt !== null) continue;
        if (retentionCheckAt !== null && retentionCheckAt <= at) continue;
        verifications.set(keyOf(clientId, record.id), { ...record, retentionCheckAt: new Date(at) });
      }
      return { last: page.at(-1)?.id ?? null };
    },

    lastRun: async () => structuredClone(tables.retentionRun),

    async beginRun({ now, expectedFrom, expectedUntil, pauseUntil }) {
      const before = tables.retentionRun;
      const hasJumped = before !== null && (before.lastRunAt < expectedFrom || before.lastRunAt > expectedUntil);
      const stored = before?.pausedUntil ?? null;
      const isAhead = stored !== null && stored > pauseUntil;
      const pausedUntil = hasJumped || isAhead ? pauseUntil : stored;
      tables.retentionRun = structuredClone({ lastRunAt: now, pausedUntil });
      return structuredClone({ pausedUntil, lastRunAt: before?.lastRunAt ?? null });
    },
  };
}

/** The columns that a change without documents sets. */
function changedColumns(verification: RetainedVerification) {
  const { status, resolvedAt, claimedBy, claimedAt, sandboxOutcome, version, eventCount } = verification;
  const { erasureNumber: _, ...facts } = retentionFactsOf(verification);
  return { status, resolvedAt, claimedBy, claimedAt, sandboxOutcome, version, eventCount, ...facts };
}

function createClientRetention({
  clients,
  clientRetention,
}: Tables): Pick<RetentionRepository, 'ofClient' | 'ofClients' | 'setPolicy' | 'setPlan'> {
  const stored = (clientId: string) =>
    clientRetention.get(clientId) ?? { clientId, policy: null, plannedBy: null, plannedAfter: null };
  const applied = (clientId: string) => {
    const { policy } = stored(clients.get(clientId)?.testOf ?? clientId);
    return { ...stored(clientId), policy };
  };

  return {
    ofClient: async (clientId) => (clients.has(clientId) ? structuredClone(applied(clientId)) : null),

    async ofClients(after, limit) {
      const ids = [...clients.keys()].filter((id) => after === null || compareText(id, after) > 0);
      return structuredClone(ids.sort(compareText).slice(0, limit).map(applied));
    },

    async setPolicy(clientId, policy) {
      if (!clients.has(clientId)) return { outcome: 'client_not_found' };
      clientRetention.set(clientId, structuredClone({ ...stored(clientId), policy }));
      return { outcome: 'changed' };
    },

    async setPlan({ clientId, plannedBy, plannedAfter }) {
      if (clients.has(clientId)) clientRetention.set(clientId, { ...stored(clientId), plannedBy, plannedAfter });
    },
  };
}
