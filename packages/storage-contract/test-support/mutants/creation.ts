import { isActive } from '@countersign/domain';
import type { CreateRequest, Storage, VerificationRecord } from '@countersign/domain/storage';
import { creationSuite, quotaSuite } from '../../src/suites/creation.ts';
import { duplicatesSuite, idempotencyKeysSuite, precedenceSuite } from '../../src/suites/duplicates.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import {
  type Break,
  both,
  clients,
  eachValue,
  fail,
  keepsRecord,
  moved,
  numbersAsText,
  remembering,
  toSeconds,
  verifications,
  withoutNulls,
} from './patch.ts';

const { createCharged: create } = verifications;

/** Changes subject references on their way into the storage. */
const keepsReference = (keep: (reference: string) => string): Break =>
  keepsRecord(({ subjectReference }) => ({ subjectReference: keep(subjectReference) }));

/** Changes every value in the JSON documents on their way into the storage. */
const keepsDocuments = (change: (value: unknown, key: string) => unknown): Break =>
  keepsRecord(({ metadata, answers, reviewData }) => ({
    metadata: eachValue(metadata, change),
    answers: eachValue(answers, change),
    reviewData: eachValue(reviewData, change),
  }));

export const creationMutants: readonly Mutant[] = mutantsOf(creationSuite, {
  'drops the fingerprint': keepsRecord(() => ({ idempotencyFingerprint: null })),
  'drops the sandbox outcome': keepsRecord(() => ({ sandboxOutcome: null })),
  'stores every type as kyc': keepsRecord(() => ({ type: 'kyc' })),
  'drops the answers': keepsRecord(() => ({ answers: {} })),
  'trims references': keepsReference((reference) => reference.trim()),
  'lowercases references': keepsReference((reference) => reference.toLowerCase()),
  'composes accents in references': keepsReference((reference) => reference.normalize('NFC')),
  'truncates references at 256 UTF-16 units': keepsReference((reference) => reference.slice(0, 256)),
  'replaces characters beyond the BMP': keepsReference((reference) =>
    reference.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  ),
  'compares references without case': remembering(() => {
    const taken = new Set<string>();
    return create.override(async ({ next }, request) => {
      const folded = request.record.subjectReference.toLowerCase();
      if (taken.has(folded)) return { outcome: 'duplicate', verificationId: '', status: 'pending' };
      taken.add(folded);
      return next(request);
    });
  }),
  'stores numbers as text': keepsDocuments(numbersAsText),
  'stores numbers in single precision': keepsDocuments((value) =>
    typeof value === 'number' ? Math.fround(value) : value,
  ),
  'drops nulls': keepsDocuments(withoutNulls),
  'drops empty keys': keepsDocuments((value, key) =>
    key === '' && typeof value === 'number' ? undefined : value,
  ),
  'converts texts that look like dates': keepsDocuments((value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).getTime() : value,
  ),
  'sorts lists': keepsDocuments((value) => (Array.isArray(value) ? [...(value as unknown[])].sort() : value)),
  'drops the review data': keepsRecord(() => ({ reviewData: {} })),
  'truncates times to seconds': keepsRecord(({ requestedAt, linkExpiresAt }) => ({
    requestedAt: toSeconds(requestedAt),
    linkExpiresAt: toSeconds(linkExpiresAt),
  })),
  'shifts times in summer': keepsRecord(({ requestedAt }) => ({
    requestedAt: requestedAt.getUTCMonth() === 9 ? moved(requestedAt, 3_600_000) : requestedAt,
  })),
});

type Judge = (earlier: VerificationRecord, record: VerificationRecord) => boolean;

const isSame: Judge = (a, b) => a.subjectReference === b.subjectReference;
const isDuplicate: Judge = (a, b) => isSame(a, b) && isActive(a.status);
const duplicateOf = ({ id, status }: VerificationRecord) =>
  ({ outcome: 'duplicate', verificationId: id, status: isActive(status) ? status : 'pending' }) as const;

async function earlierOne(
  storage: Storage,
  record: VerificationRecord,
  judge = isDuplicate,
): Promise<VerificationRecord | undefined> {
  return (await verificationsOf(storage, record.clientId)).find((each) => judge(each, record));
}

/** Decides in another way whether a record is a duplicate. */
const judging = (judge: Judge): Break =>
  create.override(async ({ next, storage }, request) => {
    const earlier = await earlierOne(storage, request.record, judge);
    if (earlier !== undefined) return duplicateOf(earlier);
    const answer = await next(request);
    return answer.outcome === 'duplicate' ? { outcome: 'created' } : answer;
  });

export const duplicatesMutants: readonly Mutant[] = mutantsOf(duplicatesSuite, {
  'compares references without case': judging(
    (a, b) => a.subjectReference.toLowerCase() === b.subjectReference.toLowerCase() && isActive(a.status),
  ),
  'looks for duplicates of all clients': create.override(async ({ next, storage }, request) => {
    for (const { client } of await storage.clients.list()) {
      const earlier = await earlierOne(storage, { ...request.record, clientId: client.id });
      if (earlier !== undefined) return duplicateOf(earlier);
    }
    return next(request);
  }),
  'names the first verification of the subject, active or not': create.override(
    async ({ next, storage }, request) => {
      const answer = await next(request);
      const first = await earlierOne(storage, request.record, isSame);
      return answer.outcome === 'duplicate' && first !== undefined ? duplicateOf(first) : answer;
    },
  ),
  'answers status pending for every duplicate': create.result((answer) =>
    answer.outcome === 'duplicate' ? { ...answer, status: 'pending' } : answer,
  ),
});

const usedBy = (storage: Storage, { record, month }: CreateRequest): Promise<number> =>
  storage.clients.usedIn(record.clientId, month);

export const quotaMutants: readonly Mutant[] = mutantsOf(quotaSuite, {
  'counts all months together': create.input(() => ({ month: '2026-03' })),
  'counts all clients together': create.override(async ({ next, storage }, request) => {
    let sum = 0;
    for (const { client } of await storage.clients.list()) {
      sum += await storage.clients.usedIn(client.id, request.month);
    }
    return sum >= request.allowance ? { outcome: 'limit_reached' } : next(request);
  }),
  'fails on a lowered allowance': create.override(async ({ next, storage }, request) =>
    (await usedBy(storage, request)) > request.allowance
      ? fail('CHECK constraint failed: used <= allowance')
      : next(request),
  ),
  'refunds resolved verifications': remembering(() => {
    const resolved = new Map<string, number>();
    return both(
      verifications.commit.before((change) => {
        const { clientId, resolvedAt } = change.record;
        if (resolvedAt !== null) resolved.set(clientId, (resolved.get(clientId) ?? 0) + 1);
      }),
      clients.usedIn.override(async ({ next }, id, month) => (await next(id, month)) - (resolved.get(id) ?? 0)),
    );
  }),
});

/** The same request without its `Idempotency-Key`. */
const keyless = (request: CreateRequest): CreateRequest => ({
  ...request,
  record: { ...request.record, idempotencyKey: null },
});

/** Changes idempotency keys on their way into the storage, and when it looks for them. */
const keepsIdempotencyKey = (keep: (key: string) => string): Break =>
  both(
    keepsRecord(({ idempotencyKey }) => ({
      idempotencyKey: idempotencyKey === null ? null : keep(idempotencyKey),
    })),
    verifications.findByIdempotencyKey.override(({ next }, clientId, key) => next(clientId, keep(key))),
  );

export const idempotencyKeysMutants: readonly Mutant[] = mutantsOf(idempotencyKeysSuite, {
  'replays the verification as it was created': remembering(() => {
    const first = new Map<string, VerificationRecord>();
    return create.result((answer, { record }) => {
      if (answer.outcome === 'created') first.set(record.id, record);
      if (answer.outcome !== 'key_used') return answer;
      return { ...answer, record: first.get(answer.record.id) ?? answer.record };
    });
  }),
  'replays the request instead of the verification': create.result((answer, { record }) =>
    answer.outcome === 'key_used' ? { ...answer, record } : answer,
  ),
  'replays without the sandbox outcome': create.result((answer) =>
    answer.outcome === 'key_used' ? { ...answer, record: { ...answer.record, sandboxOutcome: null } } : answer,
  ),
  'frees the key of a resolved verification': create.override(async ({ next }, request) => {
    const answer = await next(request);
    const isOver = answer.outcome === 'key_used' && answer.record.resolvedAt !== null;
    return isOver ? next(keyless(request)) : answer;
  }),
  'looks up keys across all clients': verifications.findByIdempotencyKey.override(
    async ({ next, storage }, _, key) => {
      const clients = await storage.clients.list();
      const found = await Promise.all(clients.map(({ client }) => next(client.id, key)));
      return found.find((record) => record !== null) ?? null;
    },
  ),
  'lowercases keys': keepsIdempotencyKey((key) => key.toLowerCase()),
  'trims keys': keepsIdempotencyKey((key) => key.trim()),
  'truncates keys at 64 characters': keepsIdempotencyKey((key) => key.slice(0, 64)),
  'takes a missing key for the key null': create.input(({ record }) => ({
    record: { ...record, idempotencyKey: String(record.idempotencyKey) },
  })),
});

export const precedenceMutants: readonly Mutant[] = mutantsOf(precedenceSuite, {
  'answers duplicate before key_used': create.override(async ({ next }, request) => {
    const probe = await next({ ...keyless(request), allowance: 0 });
    return probe.outcome === 'duplicate' ? probe : next(request);
  }),
});
