import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { createCharged } from '../../src/records/verifications.ts';
import { claimsSuite, compareAndSetSuite } from '../../src/suites/changes.ts';
import { eventsSuite } from '../../src/suites/events.ts';
import { atomicitySuite } from '../../src/suites/isolation.ts';
import { journeysSuite } from '../../src/suites/journeys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  type Break,
  both,
  eachValue,
  fail,
  keepsEvent,
  keepsRecord,
  moved,
  numbersAsText,
  remembering,
  roundTrip,
  toSeconds,
  verifications,
} from './patch.ts';

const { commit, createCharged: create } = verifications;

type Change = Parameters<Storage['verifications']['commit']>[0];

const storedBefore = (storage: Storage, { record }: Change): Promise<VerificationRecord | null> =>
  storage.verifications.find(record.clientId, record.id);

/** Reads the version, and a round trip later writes over the version that is stored then. */
const lastWriterWins = commit.override(async ({ next, storage }, change) => {
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
const keepsEventsOfLostChanges: Break = commit.override(async ({ next, storage }, change) => {
  const answer = await next(change);
  const record = await storedBefore(storage, change);
  if (answer.outcome === 'committed' || record === null) return answer;
  await next({ record, expectedVersion: record.version, events: change.events });
  return answer;
});

/** Answers `duplicate` for the subject of a changed verification. */
const remembersAsActive = (isRemembered: (record: VerificationRecord) => boolean): Break =>
  remembering(() => {
    const remembered = new Map<string, string>();
    return both(
      commit.before((change) => {
        const { subjectReference, id } = change.record;
        if (isRemembered(change.record)) remembered.set(subjectReference, id);
      }),
      create.override(async ({ next }, request) => {
        const verificationId = remembered.get(request.record.subjectReference);
        return verificationId === undefined
          ? next(request)
          : { outcome: 'duplicate', verificationId, status: 'pending' };
      }),
    );
  });

export const compareAndSetMutants: readonly Mutant[] = mutantsOf(compareAndSetSuite, {
  'keeps the first link version': keepsRecord(() => ({ linkVersion: 1 })),
  'ignores the expected version': commit.override(async ({ next, storage }, change) =>
    next({ ...change, expectedVersion: (await storedBefore(storage, change))?.version ?? 0 }),
  ),
  'accepts any later version': commit.override(async ({ next, storage }, change) => {
    const version = (await storedBefore(storage, change))?.version ?? change.expectedVersion;
    return next({ ...change, expectedVersion: Math.min(version, change.expectedVersion) });
  }),
  'keeps the events of a conflict': keepsEventsOfLostChanges,
  'refuses a change without events': commit.override(async ({ next }, change) =>
    change.events.length === 0 ? { outcome: 'conflict' } : next(change),
  ),
  'inserts an unknown verification': commit.override(async ({ next, storage }, change) => {
    const { record, events } = change;
    const known = await storage.verifications.findForAnyClient(record.id);
    const [event] = events;
    if (known !== null || event === undefined) return next(change);
    await createCharged(storage, record, { event });
    return { outcome: 'committed' };
  }),
  'ignores the client id': commit.override(async ({ next, storage }, change) => {
    const owner = await storage.verifications.findForAnyClient(change.record.id);
    return next(owner === null ? change : { ...change, record: { ...change.record, clientId: owner.clientId } });
  }),
});

export const atomicityMutants: readonly Mutant[] = mutantsOf(atomicitySuite, {
  'charges in a separate step': create.override(async ({ next, storage }, request) => {
    const used = await storage.clients.usedIn(request.record.clientId, request.month);
    if (used >= request.allowance) return { outcome: 'limit_reached' };
    await roundTrip();
    return next({ ...request, allowance: 1_000_000 });
  }),
  'drops events under load': remembering(() => {
    let pending = 0;
    return create.override(async ({ next }, request) => {
      pending += 1;
      await roundTrip();
      const isAlone = pending === 1;
      pending -= 1;
      const at = isAlone ? request.event.at : new Date(0);
      return next({ ...request, event: { ...request.event, at } });
    });
  }),
  'inserts refused verifications': create.override(async ({ next }, request) => {
    const answer = await next(request);
    if (answer.outcome === 'limit_reached') await next({ ...request, month: '1970-01', allowance: 1_000_000 });
    return answer;
  }),
  'answers duplicate for resolved verifications': remembersAsActive(() => true),
  'reads the version, then writes': lastWriterWins,
  'fails after thirty writes': remembering(() => {
    let writes = 0;
    return create.override(async ({ next }, request) => {
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
  commit.override(async ({ next, storage }, change) => {
    const { claimedBy, claimedAt } = (await storedBefore(storage, change)) ?? change.record;
    return next(
      isKept(change.record) ? { ...change, record: { ...change.record, claimedBy, claimedAt } } : change,
    );
  });

export const claimsMutants: readonly Mutant[] = mutantsOf(claimsSuite, {
  'truncates the time of submission to seconds': keepsRecord(({ submittedAt }) => ({
    submittedAt: submittedAt && toSeconds(submittedAt),
  })),
  'truncates the time of a claim to seconds': keepsRecord(({ claimedAt }) => ({
    claimedAt: claimedAt && toSeconds(claimedAt),
  })),
  'drops the time of submission with the decision': keepsRecord(({ resolvedAt, submittedAt }) => ({
    submittedAt: resolvedAt === null ? submittedAt : null,
  })),
  'drops the time of submission with the claim': keepsRecord(({ version, claimedBy, submittedAt }) => ({
    submittedAt: version > 3 && claimedBy === null ? null : submittedAt,
  })),
  'keeps the first claimant': keepsTheFirst('claimedBy'),
  'keeps the time of the first claim': keepsTheFirst('claimedAt'),
  'never releases a claim': keepsClaim(({ claimedBy, status }) => claimedBy === null && status === 'submitted'),
  'keeps a claim after the decision': keepsClaim(({ resolvedAt }) => resolvedAt !== null),
  'filters by an earlier claim': verifications.queue.input(() => ({ claimedBy: undefined })),
});

export const eventsMutants: readonly Mutant[] = mutantsOf(eventsSuite, {
  'drops the actor’s id': keepsEvent(({ actor }) => ({ actor: { ...actor, id: null } })),
  'stores every actor as system': keepsEvent(({ actor }) => ({ actor: { ...actor, kind: 'system' } })),
  'truncates times to seconds': keepsEvent(({ at }) => ({ at: toSeconds(at) })),
  'drops lists in the data': keepsEvent(({ data }) => ({
    data: eachValue(data, (value) => (Array.isArray(value) ? [] : value)),
  })),
  'stores numbers as text': keepsEvent(({ data }) => ({ data: eachValue(data, numbersAsText) })),
  'returns the current status in every event': verifications.findWithEventsForAnyClient.result(
    ({ record, events }) => ({
      record,
      events: events.map((each) => ({ ...each, status: record.status })),
    }),
  ),
});

export const journeysMutants: readonly Mutant[] = mutantsOf(journeysSuite, {
  'truncates the time of resolution to minutes': keepsRecord(({ resolvedAt }) => ({
    resolvedAt: resolvedAt && moved(resolvedAt, -(resolvedAt.getTime() % 60_000)),
  })),
  'keeps the first link version': keepsRecord(() => ({ linkVersion: 1 })),
  'counts withdrawn verifications as active': remembersAsActive(({ status }) => status === 'rejected'),
  'numbers the events of a change alike': commit.input(({ record, events }) => ({
    events: events.map((event) => ({ ...event, version: record.version })),
  })),
  'numbers the events of a change backwards': commit.input(({ events }) => ({
    events: events.map((event, index) => ({ ...event, version: events.at(-1 - index)?.version ?? 0 })),
  })),
});
