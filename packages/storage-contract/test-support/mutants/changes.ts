import type { Storage, VerificationRecord } from '@countersign/domain';
import { createCharged } from '../../src/records/verifications.ts';
import { claimsSuite, compareAndSetSuite } from '../../src/suites/changes.ts';
import { atomicitySuite } from '../../src/suites/isolation.ts';
import { journeysSuite } from '../../src/suites/journeys.ts';
import { eventsSuite } from '../../src/suites/outbox.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import {
  answers,
  asks,
  type Break,
  both,
  chargesCalls,
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
} from './patch.ts';

type Change = Parameters<Storage['verifications']['commit']>[0];

const storedBefore = (storage: Storage, { record }: Change): Promise<VerificationRecord | null> =>
  storage.verifications.find(record.clientId, record.id);

/** Reads the version, and a round trip later writes over the version that is stored then. */
const lastWriterWins = on('verifications.commit')(async ({ next, storage }, change) => {
  if ((await storedBefore(storage, change))?.version !== change.expectedVersion) return { outcome: 'conflict' };
  await roundTrip();
  const version = (await storedBefore(storage, change))?.version ?? 0;
  const versions = Array.from({ length: 20 }, (_, more) => version + more);
  for (const expectedVersion of versions) {
    const record = { ...change.record, version: expectedVersion + 1 };
    if ((await next({ ...change, record, expectedVersion })).outcome === 'committed') break;
  }
  return { outcome: 'committed' };
});

/** Keeps the events of a change that was refused. */
export const keepsEventsOfLostChanges: Break = on('verifications.commit')(async ({ next, storage }, change) => {
  const answer = await next(change);
  const record = await storedBefore(storage, change);
  if (answer.outcome === 'committed' || record === null) return answer;
  await next({ record, expectedVersion: record.version, events: change.events });
  return answer;
});

/** Keeps the event of a creation that was refused. */
export const keepsEventsOfRefusedRequests: Break = on('verifications.createCharged')(async ({ next }, request) => {
  const answer = await next(request);
  const record = { ...request.record, idempotencyKey: null, subjectReference: request.record.id };
  if (answer.outcome !== 'created') await next({ ...request, record, allowance: 1_000 });
  return answer;
});

/** Answers `duplicate` for the subject of a changed verification. */
const remembersAsActive = (isRemembered: (record: VerificationRecord) => boolean): Break =>
  remembering(() => {
    const remembered = new Map<string, string>();
    return both(
      on('verifications.commit')(({ next }, change) => {
        const { subjectReference, id } = change.record;
        if (isRemembered(change.record)) remembered.set(subjectReference, id);
        return next(change);
      }),
      on('verifications.createCharged')(async ({ next }, request) => {
        const verificationId = remembered.get(request.record.subjectReference);
        return verificationId === undefined
          ? next(request)
          : { outcome: 'duplicate', verificationId, status: 'pending' };
      }),
    );
  });

export const compareAndSetMutants: readonly Mutant[] = mutantsOf(compareAndSetSuite, {
  'keeps the link of the first version': keepsRecord(() => ({ linkVersion: 1 })),
  'does not look at the version': on('verifications.commit')(async ({ next, storage }, change) =>
    next({ ...change, expectedVersion: (await storedBefore(storage, change))?.version ?? 0 }),
  ),
  'reads the version and writes later': lastWriterWins,
  'takes any later version': on('verifications.commit')(async ({ next, storage }, change) => {
    const version = (await storedBefore(storage, change))?.version ?? change.expectedVersion;
    return next({ ...change, expectedVersion: Math.min(version, change.expectedVersion) });
  }),
  'tells every change a conflict once there was one': remembering(() => {
    const lost = new Set<string>();
    return on('verifications.commit')(async ({ next }, change) => {
      const answer = lost.has(change.record.id) ? ({ outcome: 'conflict' } as const) : await next(change);
      if (answer.outcome === 'conflict') lost.add(change.record.id);
      return answer;
    });
  }),
  'keeps the events of a lost change': keepsEventsOfLostChanges,
  'loses the events': asks('verifications.commit')(() => ({ events: [] })),
  'writes nothing without events': on('verifications.commit')(async ({ next }, change) =>
    change.events.length === 0 ? { outcome: 'conflict' } : next(change),
  ),
  'inserts what it does not know': on('verifications.commit')(async ({ next, storage }, change) => {
    const { record, events } = change;
    const known = await storage.verifications.findForAnyClient(record.id);
    const [event] = events;
    if (known !== null || event === undefined) return next(change);
    await createCharged(storage, record, { event });
    return { outcome: 'committed' };
  }),
  'looks for the id alone': on('verifications.commit')(async ({ next, storage }, change) => {
    const owner = await storage.verifications.findForAnyClient(change.record.id);
    return next(owner === null ? change : { ...change, record: { ...change.record, clientId: owner.clientId } });
  }),
  'fails on what it does not know': on('verifications.commit')(async ({ next, storage }, change) =>
    (await storedBefore(storage, change)) === null ? fail('no rows') : next(change),
  ),
  'changes all verifications of the client': on('verifications.commit')(async ({ next, storage }, change) => {
    const { clientId, status, id } = change.record;
    for (const record of await verificationsOf(storage, clientId)) {
      if (record.id !== id) {
        await next({ record: { ...record, status }, expectedVersion: record.version, events: [] });
      }
    }
    return next(change);
  }),
  'charges changes': chargesCalls((count) =>
    on('verifications.commit')(({ next }, change) => {
      count();
      return next(change);
    }),
  ),
});

export const atomicityMutants: readonly Mutant[] = mutantsOf(atomicitySuite, {
  'charges in a step of its own': on('verifications.createCharged')(async ({ next, storage }, request) => {
    const used = await storage.clients.usedIn(request.record.clientId, request.month);
    if (used >= request.allowance) return { outcome: 'limit_reached' };
    await roundTrip();
    return next({ ...request, allowance: 1_000_000 });
  }),
  'loses events under load': remembering(() => {
    let pending = 0;
    return on('verifications.createCharged')(async ({ next }, request) => {
      pending += 1;
      await roundTrip();
      const isAlone = pending === 1;
      pending -= 1;
      const at = isAlone ? request.event.at : new Date(8.64e15);
      return next({ ...request, event: { ...request.event, at } });
    });
  }),
  'keeps rows of refused requests': on('verifications.createCharged')(async ({ next }, request) => {
    const answer = await next(request);
    if (answer.outcome === 'limit_reached') await next({ ...request, month: '1970-01', allowance: 1_000_000 });
    return answer;
  }),
  'tells a resolved one as a duplicate': remembersAsActive(() => true),
  'reads the version and writes later': lastWriterWins,
  'is worn out after thirty writes': remembering(() => {
    let writes = 0;
    return on('verifications.createCharged')(async ({ next }, request) => {
      writes += 1;
      return writes > 30 ? fail('too many connections') : next(request);
    });
  }),
});

/** Keeps a field of the first record that was claimed, through all later changes. */
const keepsTheFirst = (field: 'claimedBy' | 'claimedAt'): Break =>
  remembering(() => {
    const first = new Map<string, Pick<VerificationRecord, typeof field>>();
    return keepsRecord((record) => {
      if (record.claimedBy === null) return {};
      first.set(record.id, first.get(record.id) ?? record);
      return { [field]: first.get(record.id)?.[field] };
    });
  });

/** Keeps the claim that is stored, over changes that take it back. */
const keepsClaim = (isKept: (record: VerificationRecord) => boolean): Break =>
  on('verifications.commit')(async ({ next, storage }, change) => {
    const { claimedBy, claimedAt } = (await storedBefore(storage, change)) ?? change.record;
    return next(
      isKept(change.record) ? { ...change, record: { ...change.record, claimedBy, claimedAt } } : change,
    );
  });

export const claimsMutants: readonly Mutant[] = mutantsOf(claimsSuite, {
  'keeps the moment of submission to the second': keepsRecord(({ submittedAt }) => ({
    submittedAt: submittedAt && toSeconds(submittedAt),
  })),
  'keeps the moment of a claim to the second': keepsRecord(({ claimedAt }) => ({
    claimedAt: claimedAt && toSeconds(claimedAt),
  })),
  'shows claims in the queue alone': answers('verifications.find')((record) => ({
    ...record,
    claimedBy: null,
    claimedAt: null,
  })),
  'shows reviewers a verification without its sandbox': answers('verifications.findWithEventsForAnyClient')(
    (found) => ({ ...found, record: { ...found.record, sandboxOutcome: null } }),
  ),
  'forgets the submission with the decision': keepsRecord(({ resolvedAt, submittedAt }) => ({
    submittedAt: resolvedAt === null ? submittedAt : null,
  })),
  'forgets the submission with the claim': keepsRecord(({ version, claimedBy, submittedAt }) => ({
    submittedAt: version > 3 && claimedBy === null ? null : submittedAt,
  })),
  'keeps the first claimant': keepsTheFirst('claimedBy'),
  'keeps the moment of the first claim': keepsTheFirst('claimedAt'),
  'does not take a claim back': keepsClaim(
    ({ claimedBy, status }) => claimedBy === null && status === 'submitted',
  ),
  'keeps a claim over the decision': keepsClaim(({ resolvedAt }) => resolvedAt !== null),
  'finds by an earlier claim': asks('verifications.queue')(() => ({ claimedBy: undefined })),
  'reads the version and writes later': lastWriterWins,
});

export const eventsMutants: readonly Mutant[] = mutantsOf(eventsSuite, {
  'forgets who acted': keepsEvent(({ actor }) => ({ actor: { ...actor, id: null } })),
  'forgets what kind of actor it was': keepsEvent(({ actor }) => ({ actor: { ...actor, kind: 'system' } })),
  'knows created events alone': keepsEvent(() => ({ type: 'verification.created' })),
  'keeps moments to the second': keepsEvent(({ at }) => ({ at: toSeconds(at) })),
  'keeps data flat': keepsEvent(({ data }) => ({
    data: eachValue(data, (value) => (Array.isArray(value) ? [] : value)),
  })),
  'keeps numbers as text': keepsEvent(({ data }) => ({ data: eachValue(data, numbersAsText) })),
  'gives the present status to every event': answers('verifications.findWithEvents')(({ record, events }) => ({
    record,
    events: events.map((each) => ({ ...each, status: record.status })),
  })),
  'loses the event of a creation': answers('verifications.findWithEvents')(({ record, events }) => ({
    record,
    events: events.filter(({ version }) => version > 1),
  })),
  'keeps the event of a refused request': keepsEventsOfRefusedRequests,
  'keeps the events of a lost change': keepsEventsOfLostChanges,
});

export const journeysMutants: readonly Mutant[] = mutantsOf(journeysSuite, {
  'forgets the answers': keepsRecord(() => ({ answers: {} })),
  'forgets the review data of what is resolved': keepsRecord(({ resolvedAt, reviewData }) => ({
    reviewData: resolvedAt === null ? reviewData : {},
  })),
  'forgets who noted what': keepsRecord(({ reviewData }) => ({
    reviewData: { ...reviewData, internalNotes: [] },
  })),
  'forgets that it was resolved': keepsRecord(() => ({ resolvedAt: null })),
  'keeps the moment of resolution to the minute': keepsRecord(({ resolvedAt }) => ({
    resolvedAt: resolvedAt && moved(resolvedAt, -(resolvedAt.getTime() % 60_000)),
  })),
  'keeps the old link': keepsRecord(() => ({ linkVersion: 1 })),
  'gives every event the same status': keepsEvent(() => ({ status: 'pending' })),
  'takes withdrawn ones for active': remembersAsActive(({ status }) => status === 'rejected'),
  'forgets the fingerprint of a request': keepsRecord(({ idempotencyKey }) => ({
    idempotencyFingerprint: idempotencyKey,
  })),
  'charges a replay': chargesCalls((count) =>
    answers('verifications.createCharged')((answer) => {
      if (answer.outcome === 'key_used') count();
      return answer;
    }),
  ),
  'lets both reviewers win': on('verifications.commit')(async ({ next, storage }, change) => {
    if ((await storedBefore(storage, change))?.version !== change.expectedVersion) return { outcome: 'conflict' };
    await roundTrip();
    await next(change);
    return { outcome: 'committed' };
  }),
});
