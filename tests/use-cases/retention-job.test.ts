import { DEFAULT_RETENTION } from '@countersign/domain/retention';
import { describe, expect, it } from 'vitest';
import { CLIENT, createLog, DAY_MS, given, START } from './given-erasures.ts';

describe('the retention job', () => {
  it('erases each verification by the rule of its outcome, when it is due and no earlier', async () => {
    const at = await given();
    await at.withdrawn('withdrawn');
    await at.approved('approved');
    await at.open('rejected');
    await at.decide('rejected', 'rejected', 'verification.rejected');
    await at.open('open');
    await at.runAll();
    expect([await at.passDays(90), await at.passDays(1)]).toEqual([0, 1]);
    await at.expectErased('withdrawn');
    expect([await at.passDays(5 * 365 + 1 - 91), await at.passDays(1)]).toEqual([0, 1]);
    await at.expectErased('rejected');
    expect((await at.retention.erasures({ after: 0, limit: 10 })).map(({ rule }) => rule)).toEqual([
      'unfinished',
      'rejected',
    ]);
    expect((await at.find('approved')).retentionCheckAt).toEqual(new Date('2036-03-11T00:00:00Z'));
    expect((await at.find('open')).erasedAt).toBeNull();
  });

  it('keeps as long as the law obliges after a late end of the relationship, and its receipt names that rule', async () => {
    const at = await given();
    await at.approved('one');
    const before = await at.find('one');
    const verification = { ...before, relationshipEndedAt: new Date('2034-06-30T12:00:00Z'), version: 3 };
    await at.retention.change({ verification, expectedVersion: 2, events: [] });
    await at.runAll();
    expect((await at.find('one')).retentionCheckAt).toEqual(new Date('2039-07-01T00:00:00Z'));

    at.clock.set('2039-07-01T00:00:00.000Z');
    await at.job.run();
    // The job pauses after a jump of the clock.
    at.clock.advance(DAY_MS);
    expect(await at.runAll()).toBe(1);
    await at.expectErased('one');
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'approved_after_end' });
  });

  it('plans verifications that were decided before, and again when the policy of the client changes', async () => {
    const at = await given();
    await at.approved('one');
    const one = await at.find('one');
    await at.retention.schedule({ place: at.place('one'), expected: one, checkAt: null });
    await at.runAll();
    expect((await at.find('one')).retentionCheckAt).toEqual(new Date('2036-03-11T00:00:00Z'));

    await at.retention.setPolicy(CLIENT, { ...DEFAULT_RETENTION, approvedLongest: 'P7Y' });
    await at.runAll();
    expect((await at.find('one')).retentionCheckAt).toEqual(new Date('2033-03-11T00:00:00Z'));
    expect(await at.retention.ofClient(CLIENT)).toMatchObject({ plannedAfter: null });
  });

  it('reads the rules before each erasure: a policy that is set during a slice holds for the rest', async () => {
    const log = createLog();
    const { append } = log;
    const at = await given(log);
    for (let n = 10; n < 50; n += 1) await at.withdrawn(`v-${n}`);
    await at.runAll();
    await at.passDays(90);
    at.clock.advance(DAY_MS);
    Object.assign(log, {
      append: async (entry: Parameters<typeof append>[0]) => {
        await at.retention.setPolicy(CLIENT, { ...DEFAULT_RETENTION, unfinished: 'P1Y' });
        return append(entry);
      },
    });
    // Those that are erased together begin at the same time.
    expect((await at.job.run()).erased).toBeLessThanOrEqual(5);
    expect(await at.runAll()).toBe(0);
  });

  it('erases nothing for a day after a week without a run, and then goes on', async () => {
    const at = await given();
    await at.withdrawn('one');
    await at.runAll();
    at.clock.advance(400 * DAY_MS);
    const jumped = at.clock.now();
    const pausedUntil = new Date(jumped.getTime() + DAY_MS);
    expect(await at.job.run()).toEqual({
      erased: 0,
      isDone: true,
      pausedUntil,
      missingInLog: 0,
      unexpectedInLog: [],
    });
    at.clock.advance(DAY_MS - 1);
    expect(await at.newInstance().job.run()).toMatchObject({ erased: 0, pausedUntil });
    at.clock.advance(1);
    expect(await at.job.run()).toMatchObject({ erased: 1, pausedUntil: null });
  });

  it('finishes erasures that have begun, also during the pause', async () => {
    const at = await given();
    await at.job.run();
    for (const id of ['begun', 'due']) await at.withdrawn(id);
    const { delete: remove } = at.store;
    Object.assign(at.store, { delete: async () => undefined });
    await at.request('begun');
    Object.assign(at.store, { delete: remove });
    at.clock.advance(400 * DAY_MS);
    expect(await at.job.run()).toMatchObject({ erased: 1, pausedUntil: expect.any(Date) as unknown });
    await at.expectErased('begun');
    expect((await at.find('due')).erasedAt).toBeNull();
  });

  it('requests wait for the end of the pause of the retention job, also before the job has found the jump', async () => {
    const at = await given();
    for (const id of ['one', 'two', 'held']) await at.withdrawn(id);
    const heldUntil = new Date('2027-01-01T00:00:00Z');
    const held = { ...(await at.find('held')), heldAt: new Date(START), heldUntil, version: 3 };
    await at.retention.change({ verification: held, expectedVersion: 2, events: [] });
    await at.runAll();
    at.clock.advance(400 * DAY_MS);
    const pausedUntil = new Date(at.clock.now().getTime() + DAY_MS);
    for (const id of ['one', 'held'])
      expect(await at.request(id)).toEqual({ state: 'restricted', until: pausedUntil });
    await at.runAll();
    expect(await at.request('two')).toEqual({ state: 'restricted', until: pausedUntil });
    for (const id of ['one', 'two', 'held']) expect((await at.find(id)).erasedAt).toBeNull();
    at.clock.advance(DAY_MS);
    expect(await at.runAll()).toBe(3);
    for (const id of ['one', 'two', 'held']) await at.expectErased(id);
  });

  it('tries a verification that fails again after an hour, and erases the others meanwhile', async () => {
    const at = await given();
    for (const id of ['one', 'two']) await at.withdrawn(id);
    const { filesOf } = at.store;
    Object.assign(at.store, {
      filesOf: async (place: { clientId: string; verificationId: string }) =>
        place.verificationId === 'one' ? Promise.reject(new Error('The disk is broken')) : filesOf(place),
    });
    expect(await at.passDays(91)).toBe(1);
    expect(at.faults).toEqual([new Error('The disk is broken')]);
    await at.runAll();
    expect(at.faults).toHaveLength(1);
    Object.assign(at.store, { filesOf });
    at.clock.advance(3_600_000);
    expect(await at.runAll()).toBe(1);
    await at.expectErased('one');
  });

  it('the retention job of several instances at once erases each verification once', async () => {
    const at = await given();
    const all = Array.from({ length: 120 }, (_, n) => `v-${String(n).padStart(3, '0')}`);
    for (const id of all) await at.withdrawn(id);
    await at.runAll();
    for (let day = 0; day < 91; day += 7) {
      at.clock.advance(7 * DAY_MS);
      if (day < 84) await at.runAll();
    }
    const instances = [at.job, at.newInstance().job, at.newInstance().job];
    for (let run = 0; run < 12; run += 1) await Promise.all(instances.map((job) => job.run()));
    for (const id of all) await at.expectErased(id);
    expect(await at.retention.erasures({ after: 0, limit: 1_000 })).toHaveLength(all.length);
    expect(at.audit).toHaveLength(all.length);
    expect(at.faults).toEqual([]);
  });
});
