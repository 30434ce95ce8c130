import type { VerificationRecord } from '@countersign/domain/storage';
import { dueForExpirySuite } from '../../src/suites/due-for-expiry.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { type Break, both, remembering, toSeconds, verifications } from './patch.ts';

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
  'returns pending verifications only': takes(
    (record, request) => record.status === 'pending' && isDue(record, request),
  ),
  'returns action_needed verifications only': takes(
    (record, request) => record.status === 'action_needed' && isDue(record, request),
  ),
  'returns submitted verifications too': takes((record, request) =>
    isDue(record.status === 'submitted' ? { ...record, status: 'pending' } : record, request),
  ),
  'returns decided verifications too': takes((record, request) =>
    isDue(record.resolvedAt === null ? record : { ...record, status: 'pending' }, request),
  ),
  'returns verifications of the first client only': dueForExpiry.result((found) =>
    found.filter(({ clientId }) => clientId === found[0]?.clientId),
  ),
  'returns kyc verifications only': takes((record, request) => record.type === 'kyc' && isDue(record, request)),
  'ignores the end of the link': takes((record, request) =>
    isDue({ ...record, linkExpiresAt: new Date(0) }, request),
  ),
  'leaves out links that end at the moment itself': endsAt((end) => new Date(end.getTime() + 1)),
  'returns links that end a millisecond later': endsAt((end) => new Date(end.getTime() - 1)),
  'compares ends of links by seconds': endsAt(toSeconds),
  'remembers the first end of the link': remembering(() => {
    const first = new Map<string, Date>();
    return both(
      takes((record, request) =>
        isDue({ ...record, linkExpiresAt: first.get(record.id) ?? record.linkExpiresAt }, request),
      ),
      verifications.createCharged.before((request) => first.set(request.record.id, request.record.linkExpiresAt)),
    );
  }),
  'ignores the time of the request': dueForExpiry.input(({ linkEndedBy }) => ({ requestedBy: linkEndedBy })),
  'leaves out verifications requested at the moment itself': dueForExpiry.input(({ requestedBy }) => ({
    requestedBy: new Date(requestedBy.getTime() - 1),
  })),
  'returns verifications requested a millisecond later': dueForExpiry.input(({ requestedBy }) => ({
    requestedBy: new Date(requestedBy.getTime() + 1),
  })),
  'starts with the newest': takes(
    isDue,
    by(byClient, byStatus, byType, (a, b) => byRequest(b, a), byId),
  ),
  'breaks ties the other way': takes(
    isDue,
    by(byClient, byStatus, byType, byRequest, (a, b) => byId(b, a)),
  ),
  'orders by status, then by client': takes(isDue, by(byStatus, byClient, byType, byRequest, byId)),
  'orders by type, then by status': takes(isDue, by(byClient, byType, byStatus, byRequest, byId)),
  'orders by time, whatever the group': takes(isDue, by(byClient, byRequest, byId)),
  'orders by id': takes(isDue, byId),
  'orders by the end of the link': takes(
    isDue,
    by(byClient, byStatus, byType, (a, b) => Number(a.linkExpiresAt) - Number(b.linkExpiresAt), byId),
  ),
  'returns one too many': dueForExpiry.input(({ limit }) => ({ limit: limit + 1 })),
  'limits each client': dueForExpiry.override(async ({ next }, request) => {
    const all = await next({ ...request, limit: 1_000 });
    const clients = [...new Set(all.map(({ clientId }) => clientId))];
    return clients.flatMap((client) => all.filter(({ clientId }) => clientId === client).slice(0, request.limit));
  }),
  'returns each verification once': remembering(() => {
    const returned = new Set<string>();
    return dueForExpiry.result((found) => {
      const fresh = found.filter(({ verificationId }) => !returned.has(verificationId));
      for (const { verificationId } of fresh) returned.add(verificationId);
      return fresh;
    });
  }),
});
