import type {
  BrowsePosition,
  BrowseQuery,
  JsonObject,
  QueueQuery,
  Storage,
  VerificationQuery,
  VerificationRecord,
} from '@countersign/domain';
import { expect } from 'vitest';
import { clientId, verificationId } from './ids.ts';

/** All verifications of a client, oldest request first by default. */
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

/** Ids of the first client's verifications, as a query lists them, and the total. */
export async function listed(
  storage: Storage,
  given: Partial<VerificationQuery> = {},
): Promise<{ ids: string[]; totalCount: number }> {
  const { records, totalCount } = await storage.verifications.list(clientId(1), aQuery(given));
  return { ids: records.map(({ id }) => id), totalCount };
}

/** All verifications of a client, from the newest on by default. */
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

/** Where a page ended whose last verification was requested then and has the `n`th id. */
export function positionAt(requestedAt: Date, n: number): BrowsePosition {
  return { requestedAt, id: verificationId(n) };
}

/** Page after page, `limit` on each, until there is no more. `meanwhile` happens after each. */
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

/** All submitted verifications by default. */
export function aQueueQuery(given: Partial<QueueQuery> = {}): QueueQuery {
  return {
    status: 'submitted',
    type: undefined,
    clientId: undefined,
    claimedBy: undefined,
    offset: 0,
    limit: 100,
    ...given,
  };
}

/** The record as a queue may have it: `answers` and `reviewData`, which the queue does not use, are as stored or empty. */
export function asQueued(record: VerificationRecord): VerificationRecord {
  const storedOrEmpty = (value: JsonObject) => expect.toBeOneOf([value, {}]) as JsonObject;
  return { ...record, answers: storedOrEmpty(record.answers), reviewData: storedOrEmpty(record.reviewData) };
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

/** These verifications and no more. */
export function found(...numbers: number[]): Found {
  return { ids: numbers.map(verificationId), totalCount: numbers.length };
}

/** Reads pages while other callers write, and expects each page to hold as many records as its total says. */
export async function expectPagesOfOneMoment(
  writes: readonly Promise<void>[],
  read: () => Promise<{ readonly records: readonly unknown[]; readonly totalCount: number }>,
): Promise<void> {
  const readTen = async () => {
    for (let page = 1; page <= 10; page += 1) {
      const { records, totalCount } = await read();
      expect(records, 'as many as the total says').toHaveLength(totalCount);
    }
  };
  await Promise.all([...writes, ...writes.map(readTen)]);
}
