import { type CreateRequest, isActive, type Storage, type VerificationRecord } from '@countersign/domain';
import { MUCH_LATER } from '../../src/records/outbox.ts';
import { createCharged } from '../../src/records/verifications.ts';
import { creationSuite, quotaSuite } from '../../src/suites/creation.ts';
import { duplicatesSuite, idempotencyKeysSuite, precedenceSuite } from '../../src/suites/duplicates.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import {
  answers,
  asks,
  type Break,
  both,
  eachValue,
  fail,
  keepsEvent,
  keepsRecord,
  moved,
  numbersAsText,
  on,
  remembering,
  roundTrip,
  toSeconds,
  withoutNulls,
} from './patch.ts';

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
  'forgets the fingerprint': keepsRecord(() => ({ idempotencyFingerprint: null })),
  'forgets where a sandbox drives it': keepsRecord(() => ({ sandboxOutcome: null })),
  'forgets the type': keepsRecord(() => ({ type: 'kyc' })),
  'forgets the answers': keepsRecord(() => ({ answers: {} })),
  'trims references': keepsReference((reference) => reference.trim()),
  'folds cases': keepsReference((reference) => reference.toLowerCase()),
  'composes accents': keepsReference((reference) => reference.normalize('NFC')),
  'cuts references at 256 UTF-16 units': keepsReference((reference) => reference.slice(0, 256)),
  'knows the BMP alone': keepsReference((reference) => reference.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  'takes references of equal letters for one': remembering(() => {
    const taken = new Set<string>();
    return on('verifications.createCharged')(async ({ next }, request) => {
      const folded = request.record.subjectReference.toLowerCase();
      if (taken.has(folded)) return { outcome: 'duplicate', verificationId: '', status: 'pending' };
      taken.add(folded);
      return next(request);
    });
  }),
  'keeps numbers as text': keepsDocuments(numbersAsText),
  'keeps numbers in single precision': keepsDocuments((value) =>
    typeof value === 'number' ? Math.fround(value) : value,
  ),
  'leaves out nulls': keepsDocuments(withoutNulls),
  'leaves out empty keys': keepsDocuments((value, key) =>
    key === '' && typeof value === 'number' ? undefined : value,
  ),
  'makes moments of texts': keepsDocuments((value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).getTime() : value,
  ),
  'sorts lists': keepsDocuments((value) => (Array.isArray(value) ? [...(value as unknown[])].sort() : value)),
  'forgets the review data': keepsRecord(() => ({ reviewData: {} })),
  'keeps moments to the second': keepsRecord(({ requestedAt, linkExpiresAt }) => ({
    requestedAt: toSeconds(requestedAt),
    linkExpiresAt: toSeconds(linkExpiresAt),
  })),
  'keeps moments in summer time': keepsRecord(({ requestedAt }) => ({
    requestedAt: requestedAt.getUTCMonth() === 9 ? moved(requestedAt, 3_600_000) : requestedAt,
  })),
  'charges another month': asks('verifications.createCharged')(() => ({ month: '1970-01' })),
  'charges without inserting': answers('verifications.createCharged')(() => ({ outcome: 'limit_reached' })),
  'loses the event': answers('verifications.findWithEvents')((found) => ({ ...found, events: [] })),
  'keeps the event without its data': keepsEvent(() => ({ data: {} })),
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
  on('verifications.createCharged')(async ({ next, storage }, request) => {
    const earlier = await earlierOne(storage, request.record, judge);
    if (earlier !== undefined) return duplicateOf(earlier);
    const answer = await next(request);
    return answer.outcome === 'duplicate' ? { outcome: 'created' } : answer;
  });

export const duplicatesMutants: readonly Mutant[] = mutantsOf(duplicatesSuite, {
  'overlooks pending ones': judging((a, b) => isDuplicate(a, b) && a.status !== 'pending'),
  'overlooks submitted ones': judging((a, b) => isDuplicate(a, b) && a.status !== 'submitted'),
  'overlooks those that need action': judging((a, b) => isDuplicate(a, b) && a.status !== 'action_needed'),
  'takes approved ones for active': judging(
    (a, b) => isDuplicate(a, b) || (isSame(a, b) && a.status === 'approved'),
  ),
  'takes rejected ones for active': judging(
    (a, b) => isDuplicate(a, b) || (isSame(a, b) && a.status === 'rejected'),
  ),
  'overlooks those of the other type': judging((a, b) => isDuplicate(a, b) && a.type === b.type),
  'takes a subject for one whose name begins the same': judging(
    (a, b) => b.subjectReference.startsWith(a.subjectReference) && isActive(a.status),
  ),
  'takes subjects for one without regard to case': judging(
    (a, b) => a.subjectReference.toLowerCase() === b.subjectReference.toLowerCase() && isActive(a.status),
  ),
  'looks at all clients': on('verifications.createCharged')(async ({ next, storage }, request) => {
    for (const { client } of await storage.clients.list()) {
      const earlier = await earlierOne(storage, { ...request.record, clientId: client.id });
      if (earlier !== undefined) return duplicateOf(earlier);
    }
    return next(request);
  }),
  'names the first of the subject, active or not': on('verifications.createCharged')(
    async ({ next, storage }, request) => {
      const answer = await next(request);
      const first = await earlierOne(storage, request.record, isSame);
      return answer.outcome === 'duplicate' && first !== undefined ? duplicateOf(first) : answer;
    },
  ),
  'names the refused one': answers('verifications.createCharged')((answer, { record }) =>
    answer.outcome === 'duplicate' ? { ...answer, verificationId: record.id } : answer,
  ),
  'calls every duplicate pending': answers('verifications.createCharged')((answer) =>
    answer.outcome === 'duplicate' ? { ...answer, status: 'pending' } : answer,
  ),
  'looks first and inserts later': on('verifications.createCharged')(async ({ next, storage }, request) => {
    const earlier = await earlierOne(storage, request.record);
    if (earlier !== undefined) return duplicateOf(earlier);
    await roundTrip();
    await next(request);
    return { outcome: 'created' };
  }),
  'charges duplicates': on('verifications.createCharged')(async ({ next, storage }, request) => {
    const answer = await next(request);
    // There is no charge without a row, so the row is one that no case asks for.
    const id = `ffffffff${request.record.id.slice(8)}`;
    const row = { ...request.record, id, subjectReference: id, idempotencyKey: null };
    if (answer.outcome === 'duplicate') await createCharged(storage, row);
    return answer;
  }),
});

const NO_LIMIT = 1_000_000;

const usedBy = (storage: Storage, { record, month }: CreateRequest): Promise<number> =>
  storage.clients.usedIn(record.clientId, month);

export const quotaMutants: readonly Mutant[] = mutantsOf(quotaSuite, {
  'allows one more': asks('verifications.createCharged')(({ allowance }) => ({ allowance: allowance + 1 })),
  'takes 0 for no limit': asks('verifications.createCharged')(({ allowance }) => ({
    allowance: allowance || NO_LIMIT,
  })),
  'reads the count and charges later': on('verifications.createCharged')(async ({ next, storage }, request) => {
    if ((await usedBy(storage, request)) >= request.allowance) return { outcome: 'limit_reached' };
    await roundTrip();
    return next({ ...request, allowance: NO_LIMIT });
  }),
  'keeps the row of a refused one': on('verifications.createCharged')(async ({ next }, request) => {
    const answer = await next(request);
    if (answer.outcome === 'limit_reached') await next({ ...request, month: '1970-01', allowance: NO_LIMIT });
    return answer;
  }),
  'keeps the event of a refused one': remembering(() => {
    const kept: CreateRequest['event'][] = [];
    return both(
      on('verifications.createCharged')(async ({ next }, request) => {
        const answer = await next(request);
        if (answer.outcome === 'limit_reached') kept.push(request.event);
        return answer;
      }),
      answers('outbox.lease')((leased) => [...leased, ...kept.splice(0).map((event) => ({ event, attempt: 1 }))]),
    );
  }),
  'charges a refused one': remembering(() => {
    const extra = new Map<string, number>();
    const extraOf = (clientId: string, month: string): number => extra.get(`${clientId} ${month}`) ?? 0;
    return both(
      on('verifications.createCharged')(async ({ next }, request) => {
        const { record, month, allowance } = request;
        const charged = extraOf(record.clientId, month);
        const answer = await next({ ...request, allowance: allowance - charged });
        if (answer.outcome === 'limit_reached') extra.set(`${record.clientId} ${month}`, charged + 1);
        return answer;
      }),
      on('clients.usedIn')(async ({ next }, ...given) => (await next(...given)) + extraOf(...given)),
    );
  }),
  'inserts without charging': on('verifications.createCharged')(async ({ next, storage }, request) => {
    const used = await usedBy(storage, request);
    return used >= request.allowance ? { outcome: 'limit_reached' } : next({ ...request, month: '1970-01' });
  }),
  'counts all months as one': asks('verifications.createCharged')(() => ({ month: '2026-03' })),
  'counts all clients as one': on('verifications.createCharged')(async ({ next, storage }, request) => {
    let sum = 0;
    for (const { client } of await storage.clients.list()) {
      sum += await storage.clients.usedIn(client.id, request.month);
    }
    return sum >= request.allowance ? { outcome: 'limit_reached' } : next(request);
  }),
  'fails where the allowance was lowered': on('verifications.createCharged')(async ({ next, storage }, request) =>
    (await usedBy(storage, request)) > request.allowance
      ? fail('CHECK constraint failed: used <= allowance')
      : next(request),
  ),
  'keeps the first allowance of a month': remembering(() => {
    const first = new Map<string, number>();
    return asks('verifications.createCharged')(({ record, month, allowance }) => {
      const key = `${record.clientId} ${month}`;
      first.set(key, first.get(key) ?? allowance);
      return { allowance: first.get(key) ?? allowance };
    });
  }),
  'gives back the unit of a resolved one': remembering(() => {
    const resolved = new Map<string, number>();
    return both(
      on('verifications.commit')(async ({ next }, change) => {
        const { clientId, resolvedAt } = change.record;
        if (resolvedAt !== null) resolved.set(clientId, (resolved.get(clientId) ?? 0) + 1);
        return next(change);
      }),
      on('clients.usedIn')(async ({ next }, id, month) => (await next(id, month)) - (resolved.get(id) ?? 0)),
    );
  }),
});

/** The same request without its `Idempotency-Key`. */
const keyless = (request: CreateRequest): CreateRequest => ({
  ...request,
  record: { ...request.record, idempotencyKey: null },
});

/** Looks whether the key was used, and a round trip later inserts without regard to it. */
const looksForTheKeyFirst = on('verifications.createCharged')(async ({ next, storage }, request) => {
  const { clientId, idempotencyKey } = request.record;
  const record = await storage.verifications.findByIdempotencyKey(clientId, idempotencyKey ?? '');
  if (record !== null) return { outcome: 'key_used', record };
  await roundTrip();
  return next(keyless(request));
});

/** Changes idempotency keys on their way into the storage, and when it looks for them. */
const keepsIdempotencyKey = (keep: (key: string) => string): Break =>
  both(
    keepsRecord(({ idempotencyKey }) => ({
      idempotencyKey: idempotencyKey === null ? null : keep(idempotencyKey),
    })),
    on('verifications.findByIdempotencyKey')(({ next }, clientId, key) => next(clientId, keep(key))),
  );

export const idempotencyKeysMutants: readonly Mutant[] = mutantsOf(idempotencyKeysSuite, {
  'does not know keys': asks('verifications.createCharged')(keyless),
  'gives the verification as it was created': remembering(() => {
    const first = new Map<string, VerificationRecord>();
    return answers('verifications.createCharged')((answer, { record }) => {
      if (answer.outcome === 'created') first.set(record.id, record);
      if (answer.outcome !== 'key_used') return answer;
      return { ...answer, record: first.get(answer.record.id) ?? answer.record };
    });
  }),
  'gives the request instead of the verification': answers('verifications.createCharged')((answer, { record }) =>
    answer.outcome === 'key_used' ? { ...answer, record } : answer,
  ),
  'gives the verification without its sandbox': answers('verifications.createCharged')((answer) =>
    answer.outcome === 'key_used' ? { ...answer, record: { ...answer.record, sandboxOutcome: null } } : answer,
  ),
  'forgets the key of a resolved one': on('verifications.createCharged')(async ({ next }, request) => {
    const answer = await next(request);
    const isOver = answer.outcome === 'key_used' && answer.record.resolvedAt !== null;
    return isOver ? next(keyless(request)) : answer;
  }),
  'uses up the key of a refused one': remembering(() => {
    const used = new Map<string | null, VerificationRecord>();
    return on('verifications.createCharged')(async ({ next }, request) => {
      const { record } = request;
      const earlier = used.get(record.idempotencyKey);
      if (earlier !== undefined) return { outcome: 'key_used', record: earlier };
      if (record.idempotencyKey !== null) used.set(record.idempotencyKey, record);
      return next(request);
    });
  }),
  'looks for the key first and inserts later': looksForTheKeyFirst,
  'has one space of keys for all clients': on('verifications.findByIdempotencyKey')(
    async ({ next, storage }, _, key) => {
      const clients = await storage.clients.list();
      const found = await Promise.all(clients.map(({ client }) => next(client.id, key)));
      return found.find((record) => record !== null) ?? null;
    },
  ),
  'folds the cases of keys': keepsIdempotencyKey((key) => key.toLowerCase()),
  'trims keys': keepsIdempotencyKey((key) => key.trim()),
  'cuts keys at 64 characters': keepsIdempotencyKey((key) => key.slice(0, 64)),
  'takes no key for the key null': asks('verifications.createCharged')(({ record }) => ({
    record: { ...record, idempotencyKey: String(record.idempotencyKey) },
  })),
  'sends the event of a replay': on('verifications.createCharged')(async ({ next, storage }, request) => {
    const answer = await next(request);
    if (answer.outcome !== 'key_used') return answer;
    const { record } = answer;
    const event = { ...request.event, verificationId: record.id, version: record.version + 1, at: MUCH_LATER };
    await storage.verifications.commit({ record, expectedVersion: record.version, events: [event] });
    return answer;
  }),
});

export const precedenceMutants: readonly Mutant[] = mutantsOf(precedenceSuite, {
  'tells a duplicate before a used key': on('verifications.createCharged')(async ({ next }, request) => {
    const probe = await next({ ...keyless(request), allowance: 0 });
    return probe.outcome === 'duplicate' ? probe : next(request);
  }),
  'tells the limit before a duplicate': on('verifications.createCharged')(async ({ next, storage }, request) => {
    const used = await usedBy(storage, request);
    const answer = await next(request);
    return answer.outcome === 'duplicate' && used >= request.allowance ? { outcome: 'limit_reached' } : answer;
  }),
  'tells the limit before a used key': on('verifications.createCharged')(async ({ next, storage }, request) =>
    (await usedBy(storage, request)) >= request.allowance ? { outcome: 'limit_reached' } : next(request),
  ),
  'looks for the key first and inserts later': looksForTheKeyFirst,
});
