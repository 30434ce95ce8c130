import { beforeEach, describe, expect, it } from 'vitest';
import { erasing, retained } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import { HAND_OVER_WINDOW_MS } from '../verification/hand-over-code.ts';
import { DEFAULT_RETENTION_SETTINGS } from './retained-rules.ts';
import type { RetainedVerification } from './retained-verification.ts';
import { createRetentionJob } from './retention-job.ts';
import type { ClientRetention, RetentionRepository } from './retention-repository.ts';

const HOUR_MS = 60 * 60 * 1000;
const after = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

/** The end of the five years for which a rejected verification is kept: they begin with the next day. */
const DUE = new Date('2031-03-02T00:00:00.000Z');

/** What the job finds, and what the other operations return. */
let found: {
  due: readonly RetainedVerification[];
  unfinished: readonly RetainedVerification[];
  /** Verifications that are gone since they were found. */
  gone: readonly string[];
  clients: ClientRetention[];
  /** How many slices of verifications each client has. */
  slices: number;
  pausedUntil: Date | null;
  areDropped: boolean;
  forgottenExports: number;
  forgottenHandOvers: number;
};
let scheduled: Parameters<RetentionRepository['schedule']>[0][];
let erased: string[];
let compared: (string | null)[];
let rechecked: (string | null)[];
let forgotten: { readonly before: Date }[];
let faults: unknown[];

beforeEach(() => {
  found = {
    due: [],
    unfinished: [],
    gone: [],
    clients: [],
    slices: 1,
    pausedUntil: null,
    areDropped: true,
    forgottenExports: 0,
    forgottenHandOvers: 0,
  };
  [scheduled, erased, compared, rechecked, forgotten, faults] = [[], [], [], [], [], []];
});

/** Many verifications whose erasure has begun. */
const begun = (count: number): readonly RetainedVerification[] =>
  Array.from({ length: count }, (_, index) => erasing({ id: `verification-${index}` }));

/** Many clients that were never planned, in the order of their ids. */
const clients = (count: number): ClientRetention[] =>
  Array.from({ length: count }, (_, index) => ({
    clientId: `client-${String(index).padStart(3, '0')}`,
    policy: null,
    plannedBy: null,
    plannedAfter: null,
  }));

/** A job over what was found. */
function given(now: Date = NOW, failsFor: string | null = null) {
  const retention: Partial<RetentionRepository> = {
    beginRun: async () => ({ pausedUntil: found.pausedUntil, lastRunAt: null }),
    due: async ({ limit }) => found.due.slice(0, limit),
    unfinished: async ({ limit }) => found.unfinished.slice(0, limit),
    find: async ({ verificationId }) =>
      found.gone.includes(verificationId) ? null : retained({ id: verificationId, version: 9 }),
    schedule: async (request) => {
      scheduled.push(request);
      return { outcome: 'scheduled' };
    },
    ofClient: async () => null,
    ofClients: async (afterClient, limit) => {
      compared.push(afterClient);
      return found.clients.filter(({ clientId }) => clientId > (afterClient ?? '')).slice(0, limit);
    },
    recheck: async ({ after: afterId }) => {
      rechecked.push(afterId);
      const slice = Number(afterId ?? 0) + 1;
      return { last: slice < found.slices ? String(slice) : null };
    },
    setPlan: async (plan) => {
      found.clients = found.clients.map((client) =>
        client.clientId === plan.clientId ? { ...client, ...plan } : client,
      );
    },
  };
  const forget = (count: () => number) => async (request: { readonly before: Date; readonly limit: number }) => {
    forgotten.push(request);
    return Math.min(count(), request.limit);
  };
  return createRetentionJob({
    retention: portWith<RetentionRepository>(retention),
    exports: { forget: forget(() => found.forgottenExports) },
    handOvers: { forget: forget(() => found.forgottenHandOvers) },
    clock: { now: () => now },
    secrets: { sha256: (text) => text },
    settings: DEFAULT_RETENTION_SETTINGS,
    applyLog: async () => ({ applied: 0, failed: 0, missingInLog: 0, unexpected: [] }),
    erase: async ({ id }) => {
      if (id === failsFor) throw new Error(`cannot erase ${id}`);
      erased.push(id);
      return 'erased';
    },
    dropUploads: async () => found.areDropped,
    onFault: (fault) => void faults.push(fault),
  });
}

describe('erasures of the job', () => {
  it('an erasure begins at the moment that it is due, and is planned before it', async () => {
    found.due = [retained({ id: 'a' })];
    expect(await given(new Date(DUE.getTime() - 1)).run()).toMatchObject({ erased: 0 });
    expect([erased, faults]).toEqual([[], []]);
    expect(scheduled).toMatchObject([{ place: { verificationId: 'a' }, checkAt: DUE }]);
    expect(await given(DUE).run()).toMatchObject({ erased: 1 });
    expect([erased, faults]).toEqual([['a'], []]);
  });

  it('an erasure is not planned while a hold without an end keeps the data', async () => {
    found.due = [retained({ id: 'a', heldAt: NOW })];
    await given(DUE).run();
    expect([erased, faults]).toEqual([[], []]);
    expect(scheduled).toMatchObject([{ place: { verificationId: 'a' }, checkAt: null }]);
  });

  it('a failed erasure is reported and tried again after an hour, unless the verification is gone', async () => {
    found.due = ['a', 'b'].map((id) => erasing({ id }));
    await given(NOW, 'a').run();
    expect(faults).toEqual([new Error('cannot erase a')]);
    expect(scheduled).toMatchObject([
      { place: { verificationId: 'a' }, expected: { version: 9 }, checkAt: after(HOUR_MS) },
    ]);
    expect(erased).toEqual(['b']);
    found.gone = ['a'];
    await given(NOW, 'a').run();
    expect(faults).toHaveLength(2);
    expect(scheduled).toHaveLength(1);
  });

  it('an erasure that has begun goes on during a pause once its next check is due', async () => {
    const checks = { waits: after(1), due: NOW, late: after(-1), finished: null };
    found.unfinished = Object.entries(checks).map(([id, retentionCheckAt]) => erasing({ id, retentionCheckAt }));
    found.pausedUntil = after(1);
    expect(await given().run()).toMatchObject({ erased: 2, isDone: true, pausedUntil: after(1) });
    expect(erased).toEqual(['due', 'late']);
  });
});

describe('plans of the job', () => {
  it('plans are compared for clients in slices of 100, until a slice is not full', async () => {
    found.clients = clients(99);
    await given().run();
    expect(compared).toEqual([null]);
    compared = [];
    found.clients = clients(100);
    const job = given();
    for (let run = 1; run <= 2; run += 1) await job.run();
    expect(compared).toEqual([null, 'client-099', null, 'client-099']);
  });

  it('plans of several clients with few verifications are made in one slice', async () => {
    found.clients = clients(7);
    expect(await given().run()).toMatchObject({ isDone: true });
    expect(compared).toEqual([null]);
    expect(rechecked).toHaveLength(7);
  });

  it('plans are written five times in one run, and the next run goes on from there', async () => {
    found.clients = clients(1);
    found.slices = 7;
    expect(await given().run()).toMatchObject({ isDone: false });
    expect(rechecked).toEqual([null, '1', '2', '3', '4']);
    expect(await given().run()).toMatchObject({ isDone: true });
    expect(rechecked.slice(5)).toEqual(['5', '6']);
  });
});

it('exports are forgotten 30 days after their end, and codes once they count no more', async () => {
  await given().run();
  expect(forgotten).toMatchObject([
    { before: after(-30 * 24 * HOUR_MS) },
    { before: after(-HAND_OVER_WINDOW_MS) },
  ]);
});

it.each<[string, Partial<typeof found>, boolean]>([
  ['nothing is found', {}, true],
  ['9 erasures', { due: begun(9) }, true],
  ['10 erasures', { due: begun(10) }, false],
  ['one plan in 5 slices', { clients: clients(1), slices: 5 }, true],
  ['one plan in 6 slices', { clients: clients(1), slices: 6 }, false],
  ['replaced uploads are left', { areDropped: false }, false],
  ['499 exports', { forgottenExports: 499 }, true],
  ['500 exports', { forgottenExports: 500 }, false],
  ['499 codes', { forgottenHandOvers: 499 }, true],
  ['500 codes', { forgottenHandOvers: 500 }, false],
])('a run returns whether nothing is left to do: %s', async (_what, values, isDone) => {
  Object.assign(found, values);
  expect(await given().run()).toMatchObject({ isDone, pausedUntil: null });
});
