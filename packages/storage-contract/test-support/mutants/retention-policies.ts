import type { ClientRetention, RetentionRun } from '@countersign/domain/storage';
import { policiesSuite } from '../../src/suites/retention/policies.ts';
import { erasureLogIdsSuite, runsSuite } from '../../src/suites/retention/runs.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, remembering, retention, roundTrip, toSeconds, uuidOnly } from './patch.ts';

const { beginRun, erasureLogId, lastRun, ofClient, ofClients, setErasureLogId, setPlan, setPolicy } = retention;

const shows = (change: (found: ClientRetention) => Partial<ClientRetention>): Break =>
  both(
    ofClient.result((found) => ({ ...found, ...change(found) })),
    ofClients.result((list) => list.map((each) => ({ ...each, ...change(each) }))),
  );

export const policiesMutants: readonly Mutant[] = mutantsOf(policiesSuite, {
  'finds no client that has no policy': ofClient.result((found) => (found.policy === null ? null : found)),
  'finds unknown clients': ofClient.override(
    async ({ next }, clientId) =>
      (await next(clientId)) ?? { clientId, policy: null, plannedBy: null, plannedAfter: null },
  ),
  'fails on a text that cannot be an id': ofClient.first(uuidOnly),
  'stores no policy': shows(() => ({ policy: null })),
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
  'changes unknown clients': setPolicy.result(() => ({ outcome: 'changed' })),
  'stores no plan': setPlan.override(async () => undefined),
  'stores no end of a plan': setPlan.input(() => ({ plannedAfter: null })),
  'gives every client the policy': setPolicy.override(async ({ next, storage }, clientId, policy) => {
    const result = await next(clientId, policy);
    for (const { client } of await storage.clients.list()) await next(client.id, policy);
    return result;
  }),
  'lists clients with a policy': ofClients.result((list) => list.filter(({ policy }) => policy !== null)),
  'ignores the limit': ofClients.override(async ({ next }, after) => next(after, 1_000)),
  'starts from the first each time': ofClients.override(async ({ next }, _, limit) => next(null, limit)),
});

export const erasureLogIdsMutants: readonly Mutant[] = mutantsOf(erasureLogIdsSuite, {
  'has an id from the start': erasureLogId.override(async ({ next }) => (await next()) ?? 'log-0'),
  'stores no id': setErasureLogId.override(async (_, id) => id),
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
  'never pauses': returns(() => ({ pausedUntil: null })),
  'returns seconds': returns(({ lastRunAt }) => ({ lastRunAt: lastRunAt && toSeconds(lastRunAt) })),
  'returns its own time': beginRun.override(async ({ next }, request) => ({
    ...(await next(request)),
    lastRunAt: request.now,
  })),
  'pauses at the first moment that is expected': beginRun.input(({ expectedFrom }) => ({
    expectedFrom: new Date(expectedFrom.getTime() + 1),
  })),
  'accepts a last run that was too long ago': beginRun.input(() => ({ expectedFrom: new Date(0) })),
  'accepts a last run in the future': beginRun.input(() => ({ expectedUntil: new Date(1e14) })),
  'pauses at the last moment that is expected': beginRun.input(({ expectedUntil }) => ({
    expectedUntil: new Date(expectedUntil.getTime() - 1),
  })),
  'forgets the pause': remembering(() => {
    let isPaused = false;
    return beginRun.result((run) => {
      const shown = isPaused ? { ...run, pausedUntil: null } : run;
      isPaused = run.pausedUntil !== null;
      return shown;
    });
  }),
  'keeps the first pause': remembering(() => {
    let first: Date | null = null;
    return beginRun.result((run) => {
      first ??= run.pausedUntil;
      return { ...run, pausedUntil: first };
    });
  }),
  'ends the pause for clocks that are behind': remembering(() => {
    let until: Date | null = null;
    return beginRun.override(async ({ next }, request) => {
      const isAhead = until !== null && until > request.pauseUntil;
      const run = await next(request);
      until = run.pausedUntil;
      return isAhead ? { ...run, pausedUntil: null } : run;
    });
  }),
  'shows no run': lastRun.override(async () => null),
  'shows no pause': lastRun.result((run) => ({ ...run, pausedUntil: null })),
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
