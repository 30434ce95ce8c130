import { isActive, type Status, SUBJECT_TYPES, type VerificationEvent } from '@countersign/domain';
import {
  browseOrder,
  compareText,
  countRecords,
  type DataKeyEntry,
  type DataKeyRepository,
  EXPIRING_STATUSES,
  endingsOf,
  idsOfReference,
  isBrowsed,
  isDueForExpiry,
  isListed,
  isQueued,
  isReferenced,
  listOrder,
  MAX_EVENTS,
  queueOrder,
  type RecordPage,
  requireRetentionRules,
  reviewActivityOf,
  reviewLoadOf,
  STATUS_EVENT_TYPES,
  statusCounts,
  type VerificationRecord,
  type VerificationRepository,
} from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import { isKnownKey, putLabels } from './indexes.ts';
import { putMails } from './mails.ts';
import type { Sync, Tables } from './tables.ts';

/** Stores a record and its new events. */
export function write(tables: Tables, record: VerificationRecord, events: readonly VerificationEvent[]): void {
  const { id } = record;
  if (record.eventCount > MAX_EVENTS && record.resolvedAt === null)
    throw new Error(`The verification ${id} would have more than ${MAX_EVENTS} events`);
  requireRetentionRules(record);
  tables.verifications.put(record);
  for (const event of events) tables.events.put({ event, unsent: isSent(event) });
}

const EXPIRING_IN_ORDER = EXPIRING_STATUSES.toSorted(compareText);
const TYPES_IN_ORDER = SUBJECT_TYPES.toSorted(compareText);

/**
 * Verifications and their events. Creations, changes and reads of one verification read the same number of keys however many there are.
 * `dueInSandbox` reads up to its limit. So does `dueForExpiry`, which also reads four ranges of each client, and verifications requested by
 * then whose link has not ended. `list`, `browse`, `counts` and `reviewActivity` read all verifications of a client; `queue`,
 * `reviewLoad` and `countByStatus` those of all clients.
 */
export function createVerifications(tables: Tables): Sync<VerificationRepository> {
  const { verifications, events, usage, clients } = tables;
  const withKey = (clientId: string, key: string | null) =>
    key === null ? undefined : verifications.first('idempotencyKey', clientId, key);
  const eventsOf = ({ clientId, id }: Pick<VerificationRecord, 'clientId' | 'id'>): VerificationEvent[] =>
    events.all(clientId, id).map(({ event }) => event);
  const findForAnyClient = (id: string): VerificationRecord | null => verifications.first('id', id) ?? null;
  const isTest = ({ clientId }: VerificationRecord): boolean => (clients.get(clientId)?.testOf ?? null) !== null;
  /** Verifications in the order of `expiryOrder` that were requested at a time or earlier, and may expire. */
  function* expiring(requestedBy: Date): Generator<VerificationRecord, void> {
    for (const { id } of clients.scan({}))
      for (const status of EXPIRING_IN_ORDER)
        for (const type of TYPES_IN_ORDER)
          yield* verifications.by('expiring', { under: [id, status, type], until: [requestedBy.getTime() + 1] });
  }
  return {
    createCharged({ record, event, month, allowance, mails }) {
      const { clientId, id, subjectReference, idempotencyKey } = record;
      const earlier = withKey(clientId, idempotencyKey);
      if (earlier !== undefined) return { outcome: 'key_used', record: earlier };
      const active = verifications.first('reference', clientId, subjectReference);
      if (active !== undefined && isActive(active.status))
        return { outcome: 'duplicate', verificationId: active.id, status: active.status };
      const used = usage.get(clientId, month)?.used ?? 0;
      if (used >= allowance) return { outcome: 'limit_reached' };
      if (findForAnyClient(id) !== null) throw new Error(`The id ${id} of the new verification is taken`);
      usage.put({ clientId, month, used: used + 1, allowance });
      write(tables, record, [event]);
      putMails(tables, mails);
      return { outcome: 'created' };
    },
    commit({ record, expectedVersion, events: appended, supersededVersions = [], mails, labels, kept }) {
      const { clientId, id } = record;
      const stored = verifications.get(clientId, id);
      if (stored?.version !== expectedVersion) return { outcome: 'conflict' };
      const { warnings, severity } = kept ?? stored;
      if (labels !== undefined && !isKnownKey(tables, record, labels.keyVersion)) return { outcome: 'conflict' };
      write(
        tables,
        {
          ...record,
          dataKey: stored.dataKey,
          notify: stored.notify,
          warnings,
          severity,
        },
        appended,
      );
      putMails(tables, mails);
      for (const version of supersededVersions) events.remove(clientId, id, version);
      if (labels !== undefined) putLabels(tables, { clientId, verificationId: id }, labels);
      return { outcome: 'committed' };
    },
    noteWarnings({ clientId, verificationId, expectedVersion, warnings, severity }) {
      const stored = verifications.get(clientId, verificationId);
      if (stored?.version !== expectedVersion || stored.erasedAt !== null) return false;
      verifications.put({ ...stored, warnings, severity });
      return true;
    },
    find: (clientId, id) => verifications.get(clientId, id) ?? null,
    findForAnyClient,
    clientOf: (id) => findForAnyClient(id)?.clientId ?? null,
    clientsWithReference: (subjectReference, clientIds) =>
      clientIds.filter((clientId) => verifications.first('reference', clientId, subjectReference) !== undefined),
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
    queue(query) {
      const matching = verifications
        .all()
        .filter((record) => isQueued(record, query) && !(query.liveOnly && isTest(record)))
        .sort(queueOrder);
      return pageAfter(matching, query, queueOrder);
    },
    list(clientId, query) {
      const matching = verifications
        .all(clientId)
        .filter((record) => isListed(record, query))
        .sort(listOrder(query));
      return {
        records: matching.slice(query.offset, query.offset + query.limit),
        totalCount: matching.length,
      };
    },
    browse(clientId, query) {
      const matching = verifications
        .all(clientId)
        .filter((record) => isBrowsed(record, query))
        .sort(browseOrder);
      return pageAfter(matching, query, browseOrder);
    },
    findByShortReference: (request) =>
      idsOfReference(request.reference)
        .ranges.flatMap(({ first, last }) =>
          verifications
            // The last id is in the range too.
            .by('id', { from: [first], until: [`${last}0`] })
            .filter((record) => isReferenced(record, request))
            .toArray(),
        )
        .sort(browseOrder)
        .slice(0, request.limit),
    findEndings: (asked) =>
      endingsOf(
        asked.flatMap(({ clientId, verificationId }) =>
          eventsOf({ clientId, id: verificationId }).map(({ type }) => [verificationId, type] as const),
        ),
      ),
    counts(clientId, days) {
      const counts = countRecords(verifications.all(clientId));
      return days === undefined ? counts : counts.filter(({ day }) => day >= days.from && day < days.until);
    },
    reviewActivity({ clientId, ...days }) {
      const records = verifications.all(clientId).map((record) => ({
        ...record,
        isRejectedByReview: eventsOf(record).some(({ type }) => type === 'verification.rejected'),
      }));
      return reviewActivityOf(records, days);
    },
    reviewLoad(query) {
      const records = verifications.all().flatMap((record) => {
        const client = clients.get(record.clientId);
        if (client === undefined || client.testOf !== null) return [];
        const decision = eventsOf(record).find(({ type }) => type === `verification.${record.status}`);
        const decidedBy = record.resolvedAt === null ? null : (decision?.actor.id ?? null);
        return [{ ...record, dueHours: client.flowSettings.dueHours, decidedBy }];
      });
      return reviewLoadOf(records, query);
    },
    countByStatus() {
      const counts = new Map<Status, number>();
      for (const { status } of verifications.all()) counts.set(status, (counts.get(status) ?? 0) + 1);
      return statusCounts(counts);
    },
    dueInSandbox: (limit) => verifications.by('sandbox', {}).filter(isTest).take(limit).toArray(),
    dueForExpiry: (request) =>
      expiring(request.requestedBy)
        .filter((record) => isDueForExpiry(record, request))
        .take(request.limit)
        .map(({ clientId, id }) => ({ clientId, verificationId: id }))
        .toArray(),
  };
}

/** The page of sorted records after a position. */
function pageAfter<P>(
  sorted: readonly (VerificationRecord & P)[],
  { after, limit }: { readonly after: P | undefined; readonly limit: number },
  order: (a: P, b: P) => number,
): RecordPage {
  const left = sorted.filter((record) => after === undefined || order(after, record) < 0);
  return { records: left.slice(0, limit), totalCount: sorted.length };
}

/** The wrapped data keys of verifications. Lists and counts read all verifications. */
export function createDataKeys({ verifications }: Tables): Sync<DataKeyRepository> {
  const notWrappedBy = (key: string): DataKeyEntry[] =>
    verifications
      .all()
      .flatMap(({ clientId, id, dataKey }) =>
        dataKey === null || dataKey.wrappedBy === key ? [] : [{ clientId, verificationId: id, dataKey }],
      );
  return {
    find: (clientId, verificationId) => verifications.get(clientId, verificationId)?.dataKey ?? null,
    listOneOfEachKey: (limit) =>
      [...new Map(notWrappedBy('').map((entry) => [entry.dataKey.wrappedBy, entry])).values()].slice(0, limit),
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
      verifications.put({ ...stored, dataKey: { wrappedBy, wrapped } });
      return { outcome: 'replaced' };
    },
  };
}
