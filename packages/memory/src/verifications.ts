import { isActive, type VerificationEvent } from '@countersign/domain';
import {
  browseOrder,
  countRecords,
  DRIVEN_STATUSES,
  expiryOrder,
  isBrowsed,
  isDueForExpiry,
  isListed,
  isQueued,
  listOrder,
  MAX_EVENTS,
  queueOrder,
  requireRetentionRules,
  STATUS_EVENT_TYPES,
  statusCounts,
  type VerificationRecord,
  type VerificationRepository,
} from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import { putMails, requireNewMails } from './mails.ts';
import { keyOf, type Tables } from './tables.ts';

export function createVerifications({
  verifications,
  events,
  usage,
  clients,
  mails: queue,
}: Tables): VerificationRepository {
  const copyOf = (record: VerificationRecord | undefined): VerificationRecord | null =>
    record === undefined ? null : structuredClone(record);

  const ofClient = (clientId: string): VerificationRecord[] =>
    [...verifications.values()].filter((record) => record.clientId === clientId);

  const withKey = (clientId: string, key: string | null): VerificationRecord | undefined =>
    key === null ? undefined : ofClient(clientId).find(({ idempotencyKey }) => idempotencyKey === key);

  const write = (record: VerificationRecord, written: readonly VerificationEvent[]): void => {
    verifications.set(keyOf(record.clientId, record.id), structuredClone(record));
    for (const event of structuredClone(written)) {
      events.push({ event, unsent: isSent(event) });
    }
  };

  const checkEventLimit = ({ id, eventCount, resolvedAt }: VerificationRecord): void => {
    if (eventCount > MAX_EVENTS && resolvedAt === null)
      throw new Error(`the verification ${id} would have more than ${MAX_EVENTS} events`);
  };

  const isOf = (record: VerificationRecord, event: VerificationEvent): boolean =>
    event.clientId === record.clientId && event.verificationId === record.id;

  /** In the order of their versions: each was written with its version. */
  const eventsOf = (record: VerificationRecord): VerificationEvent[] =>
    events.flatMap(({ event }) => (isOf(record, event) ? [structuredClone(event)] : []));

  const ofAnyClient = (id: string): VerificationRecord | undefined =>
    [...verifications.values()].find((record) => record.id === id);

  const findForAnyClient = (id: string): VerificationRecord | null => copyOf(ofAnyClient(id));

  const find = (clientId: string, id: string): VerificationRecord | null =>
    copyOf(verifications.get(keyOf(clientId, id)));

  return {
    async createCharged({ record, event, month, allowance, mails = [] }) {
      const { clientId, subjectReference, idempotencyKey } = record;
      const earlier = withKey(clientId, idempotencyKey);
      if (earlier !== undefined) return { outcome: 'key_used', record: structuredClone(earlier) };

      for (const { id, status, subjectReference: taken } of ofClient(clientId)) {
        if (taken === subjectReference && isActive(status))
          return { outcome: 'duplicate', verificationId: id, status };
      }
      const used = usage.get(keyOf(clientId, month))?.used ?? 0;
      if (used >= allowance) return { outcome: 'limit_reached' };
      if (verifications.has(keyOf(clientId, record.id)))
        throw new Error(`the new verification id ${record.id} is taken`);
      checkEventLimit(record);
      requireRetentionRules(record);
      requireNewMails(queue, mails);

      usage.set(keyOf(clientId, month), { clientId, month, used: used + 1, allowance });
      write(record, [event]);
      putMails(queue, mails);
      return { outcome: 'created' };
    },

    async commit({ record, expectedVersion, events: appended, supersededVersion, mails = [] }) {
      const stored = verifications.get(keyOf(record.clientId, record.id));
      if (stored?.version !== expectedVersion) return { outcome: 'conflict' };
      checkEventLimit(record);
      requireRetentionRules(record);
      requireNewMails(queue, mails);
      write({ ...record, dataKey: stored.dataKey, notify: stored.notify }, appended);
      putMails(queue, mails);
      const superseded = events.findIndex(
        ({ event }) => isOf(record, event) && event.version === supersededVersion,
      );
      if (superseded >= 0) events.splice(superseded, 1);
      return { outcome: 'committed' };
    },

    find: async (clientId, id) => find(clientId, id),

    findForAnyClient: async (id) => findForAnyClient(id),

    clientOf: async (id) => ofAnyClient(id)?.clientId ?? null,

    findByIdempotencyKey: async (clientId, key) => copyOf(withKey(clientId, key)),

    async findWithHistory(clientId, id) {
      const record = find(clientId, id);
      if (record === null) return null;
      const changes: readonly string[] = STATUS_EVENT_TYPES;
      return { record, events: eventsOf(record).filter(({ type }) => changes.includes(type)) };
    },

    async findWithEventsForAnyClient(id, limit) {
      const record = findForAnyClient(id);
      return record && { record, events: eventsOf(record).slice(-limit) };
    },

    async queue(query) {
      const { after, limit, liveOnly } = query;
      const isTest = ({ clientId }: VerificationRecord) => (clients.get(clientId)?.testOf ?? null) !== null;
      const queued = [...verifications.values()].filter((record) => isQueued(record, query));
      const matching = liveOnly ? queued.filter((record) => !isTest(record)) : queued;
      const left = matching.filter((record) => after === undefined || queueOrder(after, record) < 0);
      const page = left.sort(queueOrder).slice(0, limit);
      return { records: structuredClone(page), totalCount: matching.length };
    },

    async list(clientId, query) {
      const matching = ofClient(clientId).filter((record) => isListed(record, query));
      const page = matching.sort(listOrder(query)).slice(query.offset, query.offset + query.limit);
      return { records: structuredClone(page), totalCount: matching.length };
    },

    async browse(clientId, { after, limit, ...filter }) {
      const matching = ofClient(clientId).filter((record) => isBrowsed(record, filter));
      const left = matching.filter((record) => after === undefined || browseOrder(after, record) < 0);
      return {
        records: structuredClone(left.sort(browseOrder).slice(0, limit)),
        totalCount: matching.length,
      };
    },

    async counts(clientId, days) {
      const counts = countRecords(ofClient(clientId));
      return days === undefined ? counts : counts.filter(({ day }) => day >= days.from && day < days.until);
    },

    // Counts are computed from the records, so they never differ.
    differingCounts: async () => [],
    recount: async () => undefined,

    async countByStatus() {
      const counts = new Map<string, number>();
      for (const { status } of verifications.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
      return statusCounts(counts);
    },

    async dueInSandbox(limit) {
      const due = [...verifications.values()].filter(
        ({ clientId, status, sandboxOutcome, claimedBy }) =>
          sandboxOutcome !== null &&
          claimedBy === null &&
          DRIVEN_STATUSES.includes(status) &&
          (clients.get(clientId)?.testOf ?? null) !== null,
      );
      return structuredClone(due.sort((a, b) => browseOrder(b, a)).slice(0, limit));
    },

    async dueForExpiry(request) {
      return [...verifications.values()]
        .filter((record) => isDueForExpiry(record, request))
        .sort(expiryOrder)
        .slice(0, request.limit)
        .map(({ clientId, id }) => ({ clientId, verificationId: id }));
    },
  };
}
