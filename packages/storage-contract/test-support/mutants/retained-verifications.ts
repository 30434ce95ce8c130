import {
  type RetainedVerification,
  type RetentionRepository,
  STATUS_EVENT_TYPES,
} from '@countersign/domain/storage';
import { aBrowseQuery } from '../../src/records/queries.ts';
import {
  recheckSuite,
  retainedVerificationsSuite,
  schedulesSuite,
  unfinishedErasuresSuite,
  uploadsDueSuite,
} from '../../src/suites/retention/retained-verifications.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, moved, retention, roundTrip, toSeconds, untilNul, uuidOnly } from './patch.ts';

const { find, storedTraces, due, schedule, recheck } = retention;
const ALL = 1_000_000;

/** Finds verifications with other fields. */
const finds = (change: (found: RetainedVerification) => Partial<RetainedVerification>): Break =>
  find.result((found) => ({ ...found, ...change(found) }));

/** Reads the verification of any client. */
const ofAnyClient = (operation: typeof find | typeof storedTraces): Break =>
  (operation as typeof find).override(async ({ next, storage }, place) => {
    const owner = await storage.verifications.clientOf(place.verificationId);
    return next({ ...place, clientId: owner ?? place.clientId });
  });

export const retainedVerificationsMutants: readonly Mutant[] = mutantsOf(retainedVerificationsSuite, {
  'finds no holder': finds(() => ({ heldBy: null })),
  'finds seconds': finds(({ heldAt }) => ({ heldAt: heldAt && toSeconds(heldAt) })),
  'finds no Idempotency-Key': finds(() => ({ idempotencyKey: null })),
  'finds documents': find.override(async ({ next, storage }, place) => {
    const found = await next(place);
    const record = await storage.verifications.find(place.clientId, place.verificationId);
    return found && record ? { ...found, answers: record.answers } : found;
  }),
  'takes the last event for the decision': find.override(async ({ next, storage }, place) => {
    const found = await next(place);
    const events = (await storage.retention.storedTraces(place))?.events ?? [];
    return found && { ...found, decidedBy: (events.at(-1)?.type ?? null) as RetainedVerification['decidedBy'] };
  }),
  'takes the status for the decision': finds(({ status }) => ({
    decidedBy: status === 'approved' ? 'verification.approved' : 'verification.rejected',
  })),
  'takes open verifications for expired': finds(({ decidedBy }) => ({
    decidedBy: decidedBy ?? 'verification.expired',
  })),
  'finds verifications of any client': ofAnyClient(find),
  'finds what is left of verifications of any client': ofAnyClient(storedTraces),
  'fails on a text that cannot be an id': find.input(({ verificationId }) => ({
    verificationId: uuidOnly(verificationId),
  })),
  'fails on the id of a client that cannot be one': storedTraces.input(({ clientId }) => ({
    clientId: uuidOnly(clientId),
  })),
  'truncates ids at NUL': find.input(({ verificationId }) => ({ verificationId: untilNul(verificationId) })),
  'shows the data of events': storedTraces.override(async ({ next, storage }, place) => {
    const traces = await next(place);
    const whole = await storage.verifications.findWithEventsForAnyClient(place.verificationId, ALL);
    return traces && { ...traces, events: whole?.events ?? [] };
  }),
  'shows changes of status only': storedTraces.result(({ verification, events }) => ({
    verification,
    events: events.filter(({ type }) => STATUS_EVENT_TYPES.includes(type)),
  })),
  'shows the newest event first': storedTraces.result(({ verification, events }) => ({
    verification,
    events: events.toReversed(),
  })),
  'finds what is due from the next moment on': due.input(({ now }) => ({ now: moved(now, -1) })),
  'finds what is due a minute later': due.input(({ now }) => ({ now: moved(now, 60_000) })),
  'ignores the limit': due.input(() => ({ limit: ALL })),
  'finds what is due in the order of ids': due.result((found) => found.toSorted((a, b) => (a.id < b.id ? -1 : 1))),
  'finds what is due of one client': due.result((found) =>
    found.filter(({ clientId }) => clientId === found[0]?.clientId),
  ),
  'finds what is due without the decision': due.result((found) =>
    found.map((each) => ({ ...each, decidedBy: null })),
  ),
});

const { uploadsDue } = retention;

export const uploadsDueMutants: readonly Mutant[] = mutantsOf(uploadsDueSuite, {
  'finds replaced uploads from the next moment on': uploadsDue.input(({ now }) => ({ now: moved(now, -1) })),
  'finds replaced uploads a minute later': uploadsDue.input(({ now }) => ({ now: moved(now, 60_000) })),
  'ignores the limit of replaced uploads': uploadsDue.input(() => ({ limit: ALL })),
  'finds replaced uploads in the order of ids': uploadsDue.result((found) =>
    found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  ),
  'finds replaced uploads of one client': uploadsDue.result((found) =>
    found.filter(({ clientId }) => clientId === found[0]?.clientId),
  ),
  'finds replaced uploads of decided verifications only': uploadsDue.result((found) =>
    found.filter(({ resolvedAt }) => resolvedAt !== null),
  ),
  'finds what is due for another reason': uploadsDue.override(async ({ next, storage }, request) => [
    ...(await next(request)),
    ...(await storage.retention.due(request)),
  ]),
  'never schedules replaced uploads': schedule.override(({ next }, { uploadsCheckAt: _, ...request }) =>
    next(request),
  ),
  'keeps seconds of replaced uploads': schedule.input(({ uploadsCheckAt }) =>
    uploadsCheckAt ? { uploadsCheckAt: toSeconds(uploadsCheckAt) } : {},
  ),
  'forgets replaced uploads with each schedule': schedule.input(({ uploadsCheckAt = null }) => ({
    uploadsCheckAt,
  })),
});

const { unfinished } = retention;

export const unfinishedErasuresMutants: readonly Mutant[] = mutantsOf(unfinishedErasuresSuite, {
  'finds unfinished erasures from the next moment on': unfinished.input(({ begunBefore }) => ({
    begunBefore: moved(begunBefore, -1),
  })),
  'finds unfinished erasures a minute later': unfinished.input(({ begunBefore }) => ({
    begunBefore: moved(begunBefore, 60_000),
  })),
  'ignores the limit of unfinished erasures': unfinished.input(() => ({ limit: ALL })),
  'finds unfinished erasures in the order of ids': unfinished.result((found) =>
    found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  ),
  'finds unfinished erasures of one client': unfinished.result((found) =>
    found.filter(({ clientId }) => clientId === found[0]?.clientId),
  ),
  'takes an erasure for finished once its data is removed': unfinished.result((found) =>
    found.filter(({ erasureNumber }) => erasureNumber === null),
  ),
  'finds erasures that are finished': (storage) => {
    const begun: RetainedVerification[] = [];
    return both(
      retention.finish.override(async ({ next, storage: sound }, ...request) => {
        begun.push(...(await sound.retention.unfinished({ begunBefore: new Date(8e15), limit: ALL })));
        return next(...request);
      }),
      unfinished.override(async ({ next }, request) => [...(await next(request)), ...begun]),
    )(storage);
  },
  'finds what is due to be erased': unfinished.override(async ({ next, storage }, request) => [
    ...(await next(request)),
    ...(await storage.retention.due({ now: request.begunBefore, limit: request.limit })).filter(
      ({ erasedAt }) => erasedAt === null,
    ),
  ]),
});

type ScheduleRequest = Parameters<RetentionRepository['schedule']>[0];

/** Expects what is stored, whatever the caller expects. */
const expectingStored = (
  change: (request: ScheduleRequest, found: RetainedVerification) => Partial<ScheduleRequest>,
): Break =>
  schedule.override(async ({ next, storage }, request) => {
    const found = await storage.retention.find(request.place);
    await roundTrip();
    return found === null ? { outcome: 'conflict' } : next({ ...request, ...change(request, found) });
  });

export const schedulesMutants: readonly Mutant[] = mutantsOf(schedulesSuite, {
  'schedules nothing': schedule.override(async () => ({ outcome: 'scheduled' })),
  'keeps seconds': schedule.input(({ checkAt }) => ({ checkAt: checkAt && toSeconds(checkAt) })),
  'never removes the moment': schedule.override(async ({ next }, request) =>
    request.checkAt === null ? { outcome: 'scheduled' } : next(request),
  ),
  'conflicts with what has no moment': schedule.override(async ({ next }, request) =>
    request.expected.retentionCheckAt === null ? { outcome: 'conflict' } : next(request),
  ),
  'ignores the expected version': expectingStored(({ expected }, { version }) => ({
    expected: { ...expected, version },
  })),
  'ignores the expected moment': expectingStored(({ expected }, { retentionCheckAt }) => ({
    expected: { ...expected, retentionCheckAt },
  })),
  'compares, then writes': schedule.override(async ({ next, storage }, request) => {
    const { version, retentionCheckAt } = request.expected;
    const found = await storage.retention.find(request.place);
    await roundTrip();
    const isExpected =
      version === found?.version && retentionCheckAt?.getTime() === found.retentionCheckAt?.getTime();
    let result = await next(request);
    for (let n = 0; isExpected && n < 30 && result.outcome === 'conflict'; n += 1) {
      const expected = await storage.retention.find(request.place);
      if (expected !== null) result = await next({ ...request, expected });
    }
    return result;
  }),
  'counts the version up': schedule.override(async ({ next, storage }, request) => {
    const result = await next(request);
    const found = await storage.retention.find(request.place);
    if (result.outcome === 'scheduled' && found !== null) {
      const verification = { ...found, version: found.version + 1 };
      await storage.retention.change({ verification, expectedVersion: found.version, events: [] });
    }
    return result;
  }),
  'schedules verifications of any client': schedule.override(async ({ next, storage }, request) => {
    const owner = await storage.verifications.clientOf(request.place.verificationId);
    return next({ ...request, place: { ...request.place, clientId: owner ?? request.place.clientId } });
  }),
  'fails on a text that cannot be an id': schedule.input(({ place }) => ({
    place: { ...place, verificationId: uuidOnly(place.verificationId) },
  })),
  'schedules open verifications': schedule.override(async ({ next, storage }, request) => {
    const found = await storage.retention.find(request.place);
    return found?.resolvedAt === null ? { outcome: 'scheduled' } : next(request);
  }),
  'compares with what the verification had a moment ago': (storage) => {
    const before = new Map<string, RetainedVerification>();
    return both(
      retention.change.override(async ({ next, storage: sound }, request) => {
        const { clientId, id: verificationId } = request.verification;
        const found = await sound.retention.find({ clientId, verificationId });
        if (found !== null) before.set(verificationId, found);
        return next(request);
      }),
      schedule.override(async ({ next, storage: sound }, request) => {
        const old = before.get(request.place.verificationId);
        const found = await sound.retention.find(request.place);
        return next(
          old?.version === request.expected.version && found !== null ? { ...request, expected: found } : request,
        );
      }),
    )(storage);
  },
});

/** Checks verifications in another way, one after the other. */
const rechecksEach = (isChecked: (found: RetainedVerification, at: Date) => boolean): Break =>
  recheck.override(async ({ next, storage }, request) => {
    const { records } = await storage.verifications.browse(request.clientId, aBrowseQuery({ limit: ALL }));
    const places = records.map(({ clientId, id: verificationId }) => ({ clientId, verificationId }));
    const found = await Promise.all(places.map((place) => storage.retention.find(place)));
    const result = await next(request);
    for (const [index, place] of places.entries()) {
      const before = found[index];
      const expected = await storage.retention.find(place);
      if (!before || !expected || before.resolvedAt === null || !isChecked(before, request.at)) continue;
      await storage.retention.schedule({ place, expected, checkAt: request.at });
    }
    return result;
  });

export const recheckMutants: readonly Mutant[] = mutantsOf(recheckSuite, {
  'checks nothing': recheck.override(async () => ({ last: null })),
  'postpones earlier moments': rechecksEach(({ erasedAt }) => erasedAt === null),
  'checks what is being erased': rechecksEach(({ erasedAt }) => erasedAt !== null),
  'keeps seconds': recheck.input(({ at }) => ({ at: toSeconds(at) })),
  'checks verifications of every client': recheck.override(async ({ next, storage }, request) => {
    for (const { client } of await storage.clients.list()) await next({ ...request, clientId: client.id });
    return next(request);
  }),
  'fails on a client that cannot be one': recheck.input(({ clientId }) => ({ clientId: uuidOnly(clientId) })),
  'ignores the limit': recheck.input(() => ({ limit: ALL })),
  'starts from the first each time': recheck.input(() => ({ after: null })),
  'reads one page only': recheck.override(async ({ next }, request) =>
    request.after === null ? next(request) : { last: null },
  ),
});
