import { findUnfinishedErasures } from '@countersign/domain/retention';
import { eventTo } from '@countersign/test-support/records/verification';
import { describe, expect, it, vi } from 'vitest';
import { CLIENT, createLog, DAY_MS, given, OWNER, START } from './given-erasures.ts';

describe('an erasure that another process goes on with', () => {
  const SYSTEM = { kind: 'system', id: null };

  it('by the policy has the rule of the policy, also where the system decided it', async () => {
    const log = createLog();
    const at = await given(log);
    await at.open('one');
    const before = (await at.storage.verifications.find(CLIENT, 'one')) ?? expect.fail();
    const [version, eventCount] = [before.version + 1, before.eventCount + 1];
    const facts = { status: 'rejected', resolvedAt: at.clock.now(), retentionCheckAt: at.clock.now() } as const;
    const record = { ...before, ...facts, version, eventCount };
    const expired = {
      ...eventTo(record),
      type: 'verification.expired',
      actor: { kind: 'system', id: null },
    } as const;
    await at.storage.verifications.commit({ record, expectedVersion: before.version, events: [expired] });
    await at.runAll();
    await at.passDays(90);
    at.clock.advance(DAY_MS);
    log.breakNext();
    await at.job.run();
    at.clock.advance(3_600_000);
    await at.newInstance().job.run();
    await at.expectErased('one');
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'unfinished' });
  });

  it('that was due after an earlier request is by the job, and has the rule of the request', async () => {
    const log = createLog();
    const at = await given(log);
    await at.approved('one');
    await at.request('one');
    await at.runAll();
    await at.passDays(3_653);
    at.clock.advance(DAY_MS);
    log.breakNext();
    await at.job.run();
    at.clock.advance(3_600_000);
    await at.newInstance().job.run();
    await at.expectErased('one');
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'requested' });
    expect(at.audit.map(({ actor }) => actor)).toEqual([SYSTEM]);
  });

  it('gets no entry while the log lacks erasures', async () => {
    const log = createLog();
    const at = await given(log);
    const { append } = log;
    for (const id of ['one', 'two']) await at.withdrawn(id);
    await at.request('one');
    Object.assign(log, { append: async () => Promise.reject(new Error('The disk is full')) });
    await expect(at.request('two')).rejects.toThrow('The disk is full');
    Object.assign(log, { append });
    const lost = log.entries.splice(0);
    await expect(at.request('two')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(log.entries).toEqual([]);
    log.entries.push(...lost);
    expect(await at.request('two')).toEqual({ state: 'erased', until: null });
  });

  it('is claimed by a request for five minutes', async () => {
    const log = createLog();
    const { append } = log;
    const at = await given(log);
    await at.withdrawn('one');
    Object.assign(log, { append: async () => Promise.reject(new Error('The disk is full')) });
    await expect(at.request('one')).rejects.toThrow('The disk is full');
    Object.assign(log, { append: () => new Promise(() => undefined) });
    void at.request('one');
    await vi.waitFor(async () =>
      expect((await at.find('one')).retentionCheckAt).toEqual(new Date(Date.parse(START) + 300_000)),
    );
    await expect(at.newInstance().request('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    Object.assign(log, { append });
    at.clock.advance(300_000);
    expect(await at.newInstance().request('one')).toEqual({ state: 'erased', until: null });
  });

  it('may be gone on with by a request while the job rests after a fault', async () => {
    const log = createLog();
    const { append } = log;
    const at = await given(log);
    await at.withdrawn('one');
    await at.runAll();
    await at.passDays(90);
    at.clock.advance(DAY_MS);
    Object.assign(log, { append: async () => Promise.reject(new Error('The disk is full')) });
    await at.job.run();
    expect((await at.find('one')).erasedAt).not.toBeNull();
    Object.assign(log, { append });
    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    await at.expectErased('one');
  });
});

describe('two requests at once', () => {
  const ERASED = { state: 'erased', until: null };

  /** Holds back the answers of an operation. The first call gets its answer once `release` is called. */
  function heldBack<A extends unknown[], R>(operation: (...given: A) => Promise<R>) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: done, resolve: markDone } = Promise.withResolvers<void>();
    const late = async (...given: A): Promise<R> => {
      const result = await operation(...given);
      markDone();
      await released;
      return result;
    };
    return { late, done, release };
  }

  it('erase the data once, also where the second finds that it has begun before the first knows', async () => {
    const at = await given();
    await at.withdrawn('one');
    const { late, done, release } = heldBack(at.storage.retention.change);
    Object.assign(at.retention, { change: late });
    const first = at.request('one');
    await done;
    const second = at.request('one');
    await new Promise((resolve) => setImmediate(resolve));
    release();

    expect(await Promise.all([first, second])).toEqual([ERASED, ERASED]);
    await at.expectErased('one');
    expect(at.audit).toHaveLength(1);
  });

  it('erase the data once, also where the first ends while the second decides', async () => {
    const log = createLog();
    const at = await given(log);
    await at.withdrawn('one');
    const { append } = log;
    const { late, done, release } = heldBack(append);
    Object.assign(log, { append: late });
    const first = at.request('one');
    await done;
    const rules = heldBack(at.storage.retention.ofClient);
    Object.assign(at.retention, { ofClient: rules.late });
    const second = at.request('one');
    await rules.done;
    release();
    await first;
    rules.release();

    expect(await second).toEqual(ERASED);
    expect(at.audit).toHaveLength(1);
  });
});

describe('an erasure that loses races', () => {
  it('of its data looks again, and gives up after five', async () => {
    const at = await given();
    for (const id of ['one', 'two']) await at.withdrawn(id);
    const { erase } = at.storage.retention;
    const lost = vi.fn<() => Promise<{ outcome: 'conflict' }>>(async () => ({ outcome: 'conflict' }));
    Object.assign(at.retention, {
      erase: async (request: Parameters<typeof erase>[0]) =>
        lost.mock.calls.length === 0 ? lost() : erase(request),
    });
    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    await at.expectErased('one');

    lost.mockClear();
    Object.assign(at.retention, { erase: lost });
    await expect(at.request('two')).rejects.toThrow('changes all the time');
    expect(lost).toHaveBeenCalledTimes(5);
  });

  it.each(['withdrawn', 'approved'] as const)('of its request is refused after five (%s)', async (state) => {
    const lost = vi.fn<() => Promise<{ outcome: 'conflict' }>>(async () => ({ outcome: 'conflict' }));
    const at = await given();
    await at[state]('one');
    Object.assign(at.retention, { change: lost });
    await expect(at.request('one')).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(lost).toHaveBeenCalledTimes(5);
  });
});

it('an erasure is unfinished after more than ten minutes, until its files are gone', async () => {
  const at = await given();
  await at.withdrawn('one');
  const { delete: remove } = at.store;
  Object.assign(at.store, { delete: async () => undefined });
  await at.request('one');
  const unfinished = async () =>
    (await findUnfinishedErasures(at.retention, { now: at.clock.now(), limit: 10 })).map(({ id }) => id);
  at.clock.advance(599_999);
  expect(await unfinished()).toEqual([]);
  at.clock.advance(1);
  expect(await unfinished()).toEqual(['one']);
  Object.assign(at.store, { delete: remove });
  await at.runAll();
  expect(await unfinished()).toEqual([]);
  expect(at.audit.map(({ actor }) => actor)).toEqual([OWNER]);
});
