import type { RetentionRun } from '@countersign/domain/storage';
import { policiesSuite } from '../../src/suites/retention/policies.ts';
import { erasureLogIdsSuite, runsSuite } from '../../src/suites/retention/runs.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, remembering, retention, roundTrip, toSeconds } from './patch.ts';

const { beginRun, erasureLogId, lastRun, ofClient, setErasureLogId, setPlan, setPolicy } = retention;

export const policiesMutants: readonly Mutant[] = mutantsOf(policiesSuite, {
  'finds no client that has no policy': ofClient.result((found) => (found.policy === null ? null : found)),
  'stores a part of the policy': setPolicy.override(async ({ next }, clientId, policy) =>
    next(clientId, policy && { ...policy, rejected: 'P3W' }),
  ),
  'never removes a policy': setPolicy.override(async ({ next }, clientId, policy) =>
    policy === null ? { outcome: 'changed' } : next(clientId, policy),
  ),
  'merges policies': setPolicy.override(async ({ next, storage }, clientId, policy) => {
    const before = await storage.retention.ofClient(clientId);
    await roundTrip();
    return next(clientId, policy && before?.policy ? { ...policy, unfinished: before.policy.unfinished } : policy);
  }),
  'writes each period for itself': remembering(() => {
    const first = new Map<string, string>();
    return setPolicy.override(async ({ next }, clientId, policy) => {
      if (policy !== null && !first.has(clientId)) first.set(clientId, policy.approvedAfterEnd);
      return next(
        clientId,
        policy && { ...policy, approvedAfterEnd: first.get(clientId) ?? policy.approvedAfterEnd },
      );
    });
  }),
  'removes the plan with a policy': setPolicy.override(async ({ next, storage }, clientId, policy) => {
    await storage.retention.setPlan({ clientId, plannedBy: null, plannedAfter: null });
    return next(clientId, policy);
  }),
  'removes the policy with a plan': setPlan.override(async ({ next, storage }, plan) => {
    await storage.retention.setPolicy(plan.clientId, null);
    return next(plan);
  }),
});

export const erasureLogIdsMutants: readonly Mutant[] = mutantsOf(erasureLogIdsSuite, {
  'has an id from the start': erasureLogId.override(async ({ next }) => (await next()) ?? 'log-0'),
  'returns the id given': setErasureLogId.override(async ({ next }, id) => {
    await next(id);
    return id;
  }),
  'reads the id that was given last': remembering(() => {
    let last: string | null = null;
    return both(
      setErasureLogId.before((id) => {
        last = id;
      }),
      erasureLogId.override(async () => last),
    );
  }),
  'reads, then stores the id': remembering(() => {
    let stored: string | null = null;
    return both(
      setErasureLogId.override(async (_, id) => {
        const before = stored;
        await roundTrip();
        stored = before ?? id;
        return stored;
      }),
      erasureLogId.override(async () => stored),
    );
  }),
});

/** Begins runs with other moments. */
const returns = (change: (run: RetentionRun) => Partial<RetentionRun>): Break =>
  beginRun.result((run) => ({ ...run, ...change(run) }));

export const runsMutants: readonly Mutant[] = mutantsOf(runsSuite, {
  'pauses the first run': beginRun.override(async ({ next }, request) => {
    const run = await next(request);
    return run.lastRunAt === null ? { ...run, pausedUntil: request.pauseUntil } : run;
  }),
  'returns seconds': returns(({ lastRunAt }) => ({ lastRunAt: lastRunAt && toSeconds(lastRunAt) })),
  'shows runs in seconds': lastRun.result((run) => ({ ...run, lastRunAt: toSeconds(run.lastRunAt) })),
  'compares, then stores the run': remembering(() => {
    let last: Date | null = null;
    return beginRun.override(async ({ next }, request) => {
      const before = last;
      const run = await next(request);
      await roundTrip();
      last = request.now;
      return { ...run, lastRunAt: before };
    });
  }),
});
