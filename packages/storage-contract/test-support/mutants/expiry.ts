import type { VerificationRecord } from '@countersign/domain/storage';
import { dueForExpirySuite } from '../../src/suites/due-for-expiry.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { type Break, toSeconds, verifications } from './patch.ts';

const { dueForExpiry } = verifications;

type Compare = (a: VerificationRecord, b: VerificationRecord) => number;
type Request = Parameters<Parameters<typeof dueForExpiry.override>[0]>[1];

const text = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
const byRequest: Compare = (a, b) => Number(a.requestedAt) - Number(b.requestedAt);
const byId: Compare = (a, b) => text(a.id, b.id);
const byClient: Compare = (a, b) => text(a.clientId, b.clientId);
const byStatus: Compare = (a, b) => text(a.status, b.status);
const byType: Compare = (a, b) => text(a.type, b.type);

/** Orders by several keys, the first first. */
const by =
  (...keys: readonly Compare[]): Compare =>
  (a, b) =>
    keys.reduce((difference, key) => difference || key(a, b), 0);

const IN_ORDER = [byClient, byStatus, byType, byRequest, byId] as const;

const isDue = (record: VerificationRecord, { linkEndedBy, requestedBy }: Request): boolean =>
  (record.status === 'pending' || record.status === 'action_needed') &&
  record.linkExpiresAt <= linkEndedBy &&
  record.requestedAt <= requestedBy;

/** Takes other verifications as due, or in another order. */
const takes = (
  isTaken: (record: VerificationRecord, request: Request) => boolean,
  order = by(...IN_ORDER),
): Break =>
  dueForExpiry.override(async ({ storage }, request) => {
    const taken: VerificationRecord[] = [];
    for (const { client } of await storage.clients.list()) {
      const records = await verificationsOf(storage, client.id);
      taken.push(...records.filter((record) => isTaken(record, request)));
    }
    return taken
      .sort(order)
      .slice(0, request.limit)
      .map(({ clientId, id }) => ({ clientId, verificationId: id }));
  });

/** Moves the end of the link before the comparison. */
const endsAt = (change: (end: Date) => Date): Break =>
  takes((record, request) => isDue({ ...record, linkExpiresAt: change(record.linkExpiresAt) }, request));

export const dueForExpiryMutants: readonly Mutant[] = mutantsOf(dueForExpirySuite, {
  'returns links that end a millisecond later': endsAt((end) => new Date(end.getTime() - 1)),
  'compares ends of links by seconds': endsAt(toSeconds),
  'returns verifications requested a millisecond later': dueForExpiry.input(({ requestedBy }) => ({
    requestedBy: new Date(requestedBy.getTime() + 1),
  })),
});
