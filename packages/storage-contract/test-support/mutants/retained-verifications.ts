import type { RetainedVerification, RetentionRepository } from '@countersign/domain/storage';
import {
  recheckSuite,
  retainedVerificationsSuite,
  schedulesSuite,
  unfinishedErasuresSuite,
  uploadsDueSuite,
} from '../../src/suites/retention/retained-verifications.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, moved, retention, roundTrip, toSeconds, untilNul, uuidOnly } from './patch.ts';

const { find, schedule, recheck } = retention;

/** Finds verifications with other fields. */
const finds = (change: (found: RetainedVerification) => Partial<RetainedVerification>): Break =>
  find.result((found) => ({ ...found, ...change(found) }));

export const retainedVerificationsMutants: readonly Mutant[] = mutantsOf(retainedVerificationsSuite, {
  'finds no holder': finds(() => ({ heldBy: null })),
  'finds seconds': finds(({ heldAt }) => ({ heldAt: heldAt && toSeconds(heldAt) })),
  'takes the status for the decision': finds(({ status }) => ({
    decidedBy: status === 'approved' ? 'verification.approved' : 'verification.rejected',
  })),
  'takes open verifications for expired': finds(({ decidedBy }) => ({
    decidedBy: decidedBy ?? 'verification.expired',
  })),
  'truncates ids at NUL': find.input(({ verificationId }) => ({ verificationId: untilNul(verificationId) })),
});

export const uploadsDueMutants: readonly Mutant[] = mutantsOf(uploadsDueSuite, {
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
  'keeps seconds': schedule.input(({ checkAt }) => ({ checkAt: checkAt && toSeconds(checkAt) })),
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

export const recheckMutants: readonly Mutant[] = mutantsOf(recheckSuite, {
  'keeps seconds': recheck.input(({ at }) => ({ at: toSeconds(at) })),
  'checks verifications of every client': recheck.override(async ({ next, storage }, request) => {
    for (const { client } of await storage.clients.list()) await next({ ...request, clientId: client.id });
    return next(request);
  }),
  'fails on a client that cannot be one': recheck.input(({ clientId }) => ({ clientId: uuidOnly(clientId) })),
});
