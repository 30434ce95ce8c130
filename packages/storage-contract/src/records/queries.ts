import type { JsonObject } from '@countersign/domain';
import type {
  BrowsePosition,
  BrowseQuery,
  QueueQuery,
  Storage,
  VerificationQuery,
  VerificationRecord,
} from '@countersign/domain/storage';
import { expect } from 'vitest';
import { expectCount } from './count.ts';
import { clientId, verificationId } from './ids.ts';

/** A query for all verifications of a client, oldest first by default. */
export function aQuery(given: Partial<VerificationQuery> = {}): VerificationQuery {
  return {
    status: undefined,
    type: undefined,
    subjectReference: undefined,
    sortBy: 'requestedAt',
    sortOrder: 'asc',
    offset: 0,
    limit: 100,
    ...given,
  };
}

/** Lists the first client's verifications: their ids and the total. */
export async function listed(
  storage: Storage,
  given: Partial<VerificationQuery> = {},
): Promise<{ ids: string[]; totalCount: number }> {
  const { records, totalCount } = await storage.verifications.list(clientId(1), aQuery(given));
  return { ids: records.map(({ id }) => id), totalCount };
}

/** A query for all verifications of a client, newest first. */
export function aBrowseQuery(given: Partial<BrowseQuery> = {}): BrowseQuery {
  return {
    status: undefined,
    type: undefined,
    subjectReferencePrefix: undefined,
    requestedFrom: undefined,
    requestedUntil: undefined,
    after: undefined,
    limit: 100,
    ...given,
  };
}

/** Browses the first client's verifications. */
export async function browsed(storage: Storage, given: Partial<BrowseQuery> = {}): Promise<Found> {
  const { records, totalCount } = await storage.verifications.browse(clientId(1), aBrowseQuery(given));
  return { ids: records.map(({ id }) => id), totalCount };
}

/** The position of the `n`th verification. */
export function positionAt(requestedAt: Date, n: number): BrowsePosition {
  return { requestedAt, id: verificationId(n) };
}

/** Browses page after page to the end. Calls `meanwhile` after each page. */
export async function pagesOf(
  { verifications }: Storage,
  limit: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<{ readonly pages: string[][]; readonly totals: number[] }> {
  const pages: string[][] = [];
  const totals: number[] = [];
  let after: BrowsePosition | undefined;
  do {
    const { records, totalCount } = await verifications.browse(clientId(1), aBrowseQuery({ after, limit }));
    pages.push(records.map(({ id }) => id));
    totals.push(totalCount);
    after = records.length < limit ? undefined : endOf(records);
    await meanwhile();
  } while (after !== undefined && pages.length < 100);
  return { pages, totals };
}

function endOf(records: readonly VerificationRecord[]): BrowsePosition | undefined {
  const last = records.at(-1);
  return last && { requestedAt: last.requestedAt, id: last.id };
}

/** The id of the `n`th reviewer. */
export const reviewer = (n: number): string => `reviewer-${n}`;

/** A query for all submitted verifications by default. */
export function aQueueQuery(given: Partial<QueueQuery> = {}): QueueQuery {
  return {
    status: 'submitted',
    type: undefined,
    clientId: undefined,
    claimedBy: undefined,
    liveOnly: false,
    after: undefined,
    limit: 100,
    countUpTo: 1_000,
    ...given,
  };
}

/** The record as a page may return it: `answers` and `reviewData`, which no page uses, may be empty. */
export function asQueued(record: VerificationRecord): VerificationRecord {
  const storedOrEmpty = (value: JsonObject) => expect.toBeOneOf([value, {}]) as JsonObject;
  return { ...record, answers: storedOrEmpty(record.answers), reviewData: storedOrEmpty(record.reviewData) };
}

/** Expects the same record from every read operation. No other verification has its status. */
export async function expectEveryRead({ verifications }: Storage, record: VerificationRecord): Promise<void> {
  const { clientId, id, idempotencyKey, status } = record;
  const found = {
    find: await verifications.find(clientId, id),
    findForAnyClient: await verifications.findForAnyClient(id),
    findByIdempotencyKey: await verifications.findByIdempotencyKey(clientId, idempotencyKey ?? ''),
    findWithHistory: (await verifications.findWithHistory(clientId, id))?.record,
    findWithEventsForAnyClient: (await verifications.findWithEventsForAnyClient(id, 1))?.record,
  };
  for (const [operation, read] of Object.entries(found)) expect(read, operation).toEqual(record);
  expect((await verifications.list(clientId, aQuery({ status }))).records, 'list').toEqual([record]);
  const pages = {
    queue: await verifications.queue(aQueueQuery({ status })),
    browse: await verifications.browse(clientId, aBrowseQuery({ status })),
  };
  for (const [operation, { records }] of Object.entries(pages)) {
    expect(records, operation).toEqual([asQueued(record)]);
  }
}

/** Ids in their order, and the total. */
export interface Found {
  readonly ids: string[];
  readonly totalCount: number;
}

export async function queued(storage: Storage, given: Partial<QueueQuery> = {}): Promise<Found> {
  const { records, totalCount } = await storage.verifications.queue(aQueueQuery(given));
  return { ids: records.map(({ id }) => id), totalCount };
}

/** A page of exactly these verifications. */
export function found(...numbers: number[]): Found {
  return { ids: numbers.map(verificationId), totalCount: numbers.length };
}

/** Reads pages during writes. Each page must have as many records as its total. */
export async function expectPagesOfOneMoment(
  writes: readonly Promise<void>[],
  read: () => Promise<{ readonly records: readonly unknown[]; readonly totalCount: number }>,
): Promise<void> {
  const readTen = async () => {
    for (let page = 1; page <= 10; page += 1) {
      const { records, totalCount } = await read();
      expectCount(records, totalCount, 'as many as the total says');
    }
  };
  await Promise.all([...writes, ...writes.map(readTen)]);
}
