import { isActive, type Status, type SubjectType, type VerificationEvent } from '@countersign/domain';
import {
  type BrowsePosition,
  type DataKeyEntry,
  type DataKeyRepository,
  DRIVEN_STATUSES,
  dayOf,
  EXPIRING_STATUSES,
  MAX_EVENTS,
  type QueuePosition,
  STATUS_EVENT_TYPES,
  statusCounts,
  type VerificationCounts,
  type VerificationQuery,
  type VerificationRecord,
  type VerificationRepository,
} from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import { putMails } from './mails.ts';
import { requireSoundFacts } from './sound-facts.ts';
import { compareText, compareTime, type Sync, type Tables } from './tables.ts';

/** Stores a record and its new events. */
export function write(tables: Tables, record: VerificationRecord, events: readonly VerificationEvent[]): void {
  const { clientId, id } = record;
  if (record.eventCount > MAX_EVENTS && record.resolvedAt === null)
    throw new Error(`The verification ${id} would have more than ${MAX_EVENTS} events`);
  requireSoundFacts(record);
  tables.verifications.put([clientId, id], record);
  for (const event of events) tables.events.put([clientId, id, event.version], { event, unsent: isSent(event) });
}

const newestFirst = (a: BrowsePosition, b: BrowsePosition): number =>
  compareTime(b.requestedAt, a.requestedAt) || compareText(b.id, a.id);
const longestWaitFirst = (a: QueuePosition, b: QueuePosition): number =>
  compareTime(a.submittedAt, b.submittedAt) || compareText(a.id, b.id);
const byGroup = (a: VerificationRecord, b: VerificationRecord): number =>
  compareText(a.clientId, b.clientId) ||
  compareText(a.status, b.status) ||
  compareText(a.type, b.type) ||
  newestFirst(b, a);

/** The order of a list: nulls last in both directions, ties by request time and id in the same direction. */
function inOrder({ sortBy, sortOrder }: VerificationQuery) {
  const direction = sortOrder === 'asc' ? 1 : -1;
  return (a: VerificationRecord, b: VerificationRecord): number => {
    const [left, right] = [a[sortBy], b[sortBy]];
    if (left === null || right === null)
      return left === right ? direction * newestFirst(b, a) : left === null ? 1 : -1;
    const isText = typeof left === 'string' && typeof right === 'string';
    return direction * ((isText ? compareText(left, right) : Number(left) - Number(right)) || newestFirst(b, a));
  };
}

/** Verifications and their events. Lists read every verification of a client: an index of LMDB for each order would avoid it. */
export function createVerifications(tables: Tables): Sync<VerificationRepository> {
  const { verifications, owners, events, usage, clients } = tables;
  const withKey = (clientId: string, key: string | null) =>
    key === null ? undefined : verifications.all(clientId).find(({ idempotencyKey }) => idempotencyKey === key);
  const eventsOf = ({ clientId, id }: VerificationRecord): VerificationEvent[] =>
    events.all(clientId, id).map(({ event }) => event);
  const findForAnyClient = (id: string): VerificationRecord | null => {
    const clientId = owners.get(id);
    return (clientId === undefined ? undefined : verifications.get(clientId, id)) ?? null;
  };
  return {
    createCharged({ record, event, month, allowance, mails }) {
      const { clientId, id, subjectReference, idempotencyKey } = record;
      const earlier = withKey(clientId, idempotencyKey);
      if (earlier !== undefined) return { outcome: 'key_used', record: earlier };
      for (const { id: verificationId, status, ...other } of verifications.all(clientId)) {
        if (other.subjectReference === subjectReference && isActive(status))
          return { outcome: 'duplicate', verificationId, status };
      }
      const used = usage.get(clientId, month) ?? 0;
      if (used >= allowance) return { outcome: 'limit_reached' };
      if (owners.get(id) !== undefined) throw new Error(`The id ${id} of the new verification is taken`);
      owners.put([id], clientId);
      usage.put([clientId, month], used + 1);
      write(tables, record, [event]);
      putMails(tables, mails);
      return { outcome: 'created' };
    },
    commit({ record, expectedVersion, events: appended, supersededVersion, mails }) {
      const { clientId, id } = record;
      const stored = verifications.get(clientId, id);
      if (stored?.version !== expectedVersion) return { outcome: 'conflict' };
      write(tables, { ...record, dataKey: stored.dataKey, notify: stored.notify }, appended);
      putMails(tables, mails);
      if (supersededVersion !== undefined) events.remove(clientId, id, supersededVersion);
      return { outcome: 'committed' };
    },
    find: (clientId, id) => verifications.get(clientId, id) ?? null,
    findForAnyClient,
    clientOf: (id) => owners.get(id) ?? null,
    findByIdempotencyKey: (clientId, key) => withKey(clientId, key) ?? null,
    findWithHistory(clientId, id) {
      const record = verifications.get(clientId, id);
      if (record === undefined) return null;
      return { record, events: eventsOf(record).filter(({ type }) => STATUS_EVENT_TYPES.includes(type)) };
    },
    findWithEventsForAnyClient(id, limit) {
      const record = findForAnyClient(id);
      return record && { record, events: eventsOf(record).slice(-limit) };
    },
    queue({ status, type, clientId, claimedBy, after, limit }) {
      const matching = verifications
        .all()
        .filter(
          (record) =>
            record.status === status &&
            (type === undefined || record.type === type) &&
            (clientId === undefined || record.clientId === clientId) &&
            (claimedBy === undefined || record.claimedBy === claimedBy),
        )
        .sort(longestWaitFirst);
      const left = matching.filter((record) => after === undefined || longestWaitFirst(after, record) < 0);
      return { records: left.slice(0, limit), totalCount: matching.length };
    },
    list(clientId, query) {
      const { status, type, subjectReference, offset, limit } = query;
      const matching = verifications
        .all(clientId)
        .filter(
          (record) =>
            (status === undefined || record.status === status) &&
            (type === undefined || record.type === type) &&
            (subjectReference === undefined || record.subjectReference === subjectReference),
        )
        .sort(inOrder(query));
      return { records: matching.slice(offset, offset + limit), totalCount: matching.length };
    },
    browse(clientId, query) {
      const { status, type, subjectReferencePrefix, requestedFrom, requestedUntil, after, limit } = query;
      const matching = verifications
        .all(clientId)
        .filter(
          (record) =>
            (status === undefined || record.status === status) &&
            (type === undefined || record.type === type) &&
            (requestedFrom === undefined || record.requestedAt >= requestedFrom) &&
            (requestedUntil === undefined || record.requestedAt < requestedUntil) &&
            record.subjectReference.startsWith(subjectReferencePrefix ?? ''),
        )
        .sort(newestFirst);
      const left = matching.filter((record) => after === undefined || newestFirst(after, record) < 0);
      return { records: left.slice(0, limit), totalCount: matching.length };
    },
    counts(clientId, days) {
      const counts = countsOf(verifications.all(clientId));
      return days === undefined ? counts : counts.filter(({ day }) => day >= days.from && day < days.until);
    },
    // Counted when they are read, so they never differ.
    differingCounts: () => [],
    recount: () => undefined,
    countByStatus() {
      const counts = new Map<Status, number>();
      for (const { status } of verifications.all()) counts.set(status, (counts.get(status) ?? 0) + 1);
      return statusCounts(counts);
    },
    dueInSandbox: (limit) =>
      verifications
        .all()
        .filter(
          ({ clientId, status, sandboxOutcome, claimedBy }) =>
            sandboxOutcome !== null &&
            claimedBy === null &&
            DRIVEN_STATUSES.includes(status) &&
            (clients.get(clientId)?.testOf ?? null) !== null,
        )
        .sort((a, b) => newestFirst(b, a))
        .slice(0, limit),
    dueForExpiry: ({ linkEndedBy, requestedBy, limit }) =>
      verifications
        .all()
        .filter(
          ({ status, requestedAt, linkExpiresAt }) =>
            EXPIRING_STATUSES.includes(status) && requestedAt <= requestedBy && linkExpiresAt <= linkEndedBy,
        )
        .sort(byGroup)
        .slice(0, limit)
        .map(({ clientId, id }) => ({ clientId, verificationId: id })),
  };
}

function countsOf(records: readonly VerificationRecord[]): VerificationCounts[] {
  const found = new Map<string, { day: number; type: SubjectType; counts: Record<Status, number> }>();
  for (const { requestedAt, type, status } of records) {
    const day = dayOf(requestedAt);
    const counted = found.get(`${day} ${type}`) ?? { day, type, counts: { ...statusCounts([]) } };
    counted.counts[status] += 1;
    found.set(`${day} ${type}`, counted);
  }
  return [...found.values()];
}

/** The wrapped data keys of verifications. */
export function createDataKeys({ verifications }: Tables): Sync<DataKeyRepository> {
  const notWrappedBy = (key: string): DataKeyEntry[] =>
    verifications
      .all()
      .flatMap(({ clientId, id, dataKey }) =>
        dataKey === null || dataKey.wrappedBy === key ? [] : [{ clientId, verificationId: id, dataKey }],
      );
  return {
    find: (clientId, verificationId) => verifications.get(clientId, verificationId)?.dataKey ?? null,
    countNotWrappedBy: (key) => notWrappedBy(key).length,
    listNotWrappedBy: (key, after, limit) =>
      notWrappedBy(key)
        .filter(({ verificationId }) => after === null || compareText(verificationId, after) > 0)
        .sort((a, b) => compareText(a.verificationId, b.verificationId))
        .slice(0, limit),
    replace({ clientId, verificationId, expected, next: { wrappedBy, wrapped } }) {
      const stored = verifications.get(clientId, verificationId);
      const present = stored?.dataKey;
      const isExpected = present?.wrappedBy === expected?.wrappedBy && present?.wrapped === expected?.wrapped;
      if (stored === undefined || stored.erasureNumber !== null || !isExpected) return { outcome: 'conflict' };
      verifications.put([clientId, verificationId], { ...stored, dataKey: { wrappedBy, wrapped } });
      return { outcome: 'replaced' };
    },
  };
}
