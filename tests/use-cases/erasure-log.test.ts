import { completeErasureLog, type ErasureLog } from '@countersign/domain/retention';
import { createMemoryErasureLog } from '@countersign/memory';
import { describe, expect, it, vi } from 'vitest';
import { CLIENT, createLog, given, START } from './given-erasures.ts';

describe('the erasure log', () => {
  it('the erasure log erases data again in a restored database, also what was open, on hold or unknown in the backup', async () => {
    const before = await given();
    for (const id of ['open', 'held', 'approved', 'newer']) await before.withdrawn(id);
    for (const id of ['open', 'held', 'approved', 'newer']) await before.request(id);
    const entries = await before.log?.read(0, 10);

    const restored = await given(createLog([...(entries ?? [])]));
    await restored.open('open');
    await restored.approved('approved');
    await restored.withdrawn('held');
    await restored.withdrawn('kept');
    const held = { ...(await restored.find('held')), heldAt: new Date(START), version: 3 };
    await restored.retention.change({ verification: held, expectedVersion: 2, events: [] });
    const kept = await restored.storage.verifications.find(CLIENT, 'kept');

    expect(await restored.applyLog()).toEqual({ applied: 4, failed: 0, missingInLog: 0, unexpected: [] });
    for (const id of ['open', 'held', 'approved']) await restored.expectErased(id);
    expect((await restored.retention.erasures({ after: 0, limit: 10 })).map(({ rule }) => rule)).toEqual([
      'log',
      'log',
      'log',
      'log',
    ]);
    expect(await restored.storage.verifications.find(CLIENT, 'kept')).toEqual(kept);
    expect(await restored.newInstance().applyLog()).toEqual({
      applied: 0,
      failed: 0,
      missingInLog: 0,
      unexpected: [],
    });
  });

  it('the erasure log is read only where the database lacks a receipt, so that a start does not wait for all entries', async () => {
    const log = createLog();
    const before = await given(log);
    for (const id of ['one', 'two', 'three']) await before.withdrawn(id);
    for (const id of ['one', 'two', 'three']) await before.request(id);

    const read = vi.fn<ErasureLog['read']>(log.read);
    const restored = await given({ ...log, read });
    for (const erasure of await before.retention.erasures({ after: 0, limit: 2 })) {
      await restored.retention.recordErasure({ ...erasure, finishedAt: new Date(START) });
    }
    expect(await restored.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0, unexpected: [] });
    expect(read.mock.calls).toEqual([[2, 1]]);
    expect(await restored.newInstance().applyLog()).toEqual({
      applied: 0,
      failed: 0,
      missingInLog: 0,
      unexpected: [],
    });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('leaves data alone whose erasure never began here while a server runs, and erases it at the next start', async () => {
    const log = createLog();
    const at = await given(log);
    for (const id of ['held', 'open', 'other', 'begun']) await at.open(id);
    for (const id of ['held', 'other', 'begun']) await at.decide(id, 'approved', 'verification.approved');
    const held = { ...(await at.find('held')), heldAt: new Date(START), version: 3 };
    await at.retention.change({ verification: held, expectedVersion: 2, events: [] });
    const begun = { ...(await at.find('begun')), erasedAt: new Date(START), version: 3 };
    await at.retention.change({ verification: begun, expectedVersion: 2, events: [] });
    for (const id of ['held', 'open', 'other', 'unknown', 'begun'])
      await log.append({ ...at.place(id), at: at.clock.now() });
    const before = await Promise.all(
      ['held', 'open', 'other'].map((id) => at.storage.verifications.find(CLIENT, id)),
    );

    for (const _ of ['first', 'again']) {
      const { unexpectedInLog } = await at.job.run();
      expect(unexpectedInLog).toEqual(log.entries.slice(0, 3));
    }
    expect(
      (await Promise.all(['held', 'open', 'other'].map((id) => at.storage.verifications.find(CLIENT, id)))).map(
        (record) => ({ ...record, retentionCheckAt: null }),
      ),
    ).toEqual(before.map((record) => ({ ...record, retentionCheckAt: null })));
    await at.expectErased('begun');
    expect(await at.retention.withoutReceipt([1, 2, 3, 4, 5])).toEqual([1, 2, 3]);

    expect(await at.newInstance().applyLog()).toEqual({ applied: 3, failed: 0, missingInLog: 0, unexpected: [] });
    for (const id of ['held', 'open', 'other']) await at.expectErased(id);
    expect((await at.job.run()).unexpectedInLog).toEqual([]);
  });

  it('the erasure log is rebuilt from the receipts without unexpected entries, so that a start keeps the data', async () => {
    const log = createLog();
    const at = await given(log);
    for (const id of ['one', 'kept', 'also kept', 'two']) await at.withdrawn(id);
    await at.request('one');
    await log.append({ ...at.place('kept'), at: at.clock.now() });
    await at.request('two');
    await log.append({ ...at.place('also kept'), at: at.clock.now() });
    const fresh = createMemoryErasureLog();
    await completeErasureLog(at.retention, fresh);
    const after = await given(fresh, at.storage.retention);
    expect(await after.applyLog()).toMatchObject({ failed: 0, missingInLog: 0, unexpected: [] });
    for (const id of ['kept', 'also kept']) expect((await at.find(id)).erasedAt).toBeNull();
    expect((await after.job.run()).unexpectedInLog).toEqual([]);
  });

  it('the erasure log of a database with unexpected entries is read no more than once, besides these', async () => {
    const log = createLog();
    const read = vi.fn<ErasureLog['read']>(log.read);
    const at = await given({ ...log, read });
    for (const id of ['one', 'two']) await at.withdrawn(id);
    await log.append({ ...at.place('one'), at: at.clock.now() });
    await at.job.run();
    expect(read).toHaveBeenCalledTimes(1);
    await at.request('two');
    expect((await at.job.run()).unexpectedInLog).toEqual([log.entries[0]]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it.each(['open', 'withdrawn', 'approved'] as const)(
    'the erasure log that began the erasure of a verification (%s) is named by its receipt, also where another process goes on with it',
    async (state) => {
      const at = await given(createLog(), {
        storedTraces: async () => Promise.reject(new Error('The process ended')),
      });
      await at[state]('one');
      await at.log?.append({ ...at.place('one'), at: at.clock.now() });
      expect(await at.applyLog()).toMatchObject({ applied: 0, failed: 1 });
      const { storedTraces } = at.storage.retention;
      Object.assign(at.retention, { storedTraces });
      at.clock.advance(5 * 60_000);
      await at.newInstance().job.run();
      await at.expectErased('one');
      expect(await at.retention.erasure(1)).toMatchObject({ rule: 'log' });
      expect(at.audit.map(({ actor }) => actor)).toEqual([{ kind: 'system', id: null }]);
      expect(await at.retention.erasures({ after: 0, limit: 10 })).toHaveLength(1);
    },
  );

  it.each([
    ['open', ['verification.withdrawn', 'verification.erasure_requested']],
    ['approved', ['verification.erasure_requested']],
  ] as const)(
    'writes silent events of the system where it begins the erasure of a verification (%s)',
    async (state, types) => {
      const at = await given(createLog(), {
        storedTraces: async () => Promise.reject(new Error('The process ended')),
      });
      await at[state]('one');
      const before = await at.find('one');
      await at.log?.append({ ...at.place('one'), at: at.clock.now() });
      await at.applyLog();
      const { events } = (await at.storage.verifications.findWithEventsForAnyClient('one', 10)) ?? expect.fail();
      expect(events.slice(before.version)).toMatchObject(
        types.map((type, index) => ({
          type,
          version: before.version + index + 1,
          actor: { kind: 'system', id: null },
          data: { silent: true },
        })),
      );
      const { version, eventCount } = await at.find('one');
      expect([version, eventCount]).toEqual([before.version + types.length, before.eventCount + types.length]);
    },
  );

  it('leaves an erasure that it began to the process that has it for five minutes', async () => {
    const at = await given(createLog(), { storedTraces: () => new Promise(() => undefined) });
    await at.approved('one');
    await at.log?.append({ ...at.place('one'), at: at.clock.now() });
    void at.applyLog();
    await vi.waitFor(async () => expect((await at.find('one')).erasedAt).not.toBeNull());
    const { storedTraces } = at.storage.retention;
    Object.assign(at.retention, { storedTraces });
    const other = at.newInstance();
    at.clock.advance(5 * 60_000 - 1);
    expect(await other.applyLog()).toMatchObject({ applied: 0, failed: 0 });
    at.clock.advance(1);
    expect(await other.applyLog()).toMatchObject({ applied: 1, failed: 0 });
    await at.expectErased('one');
  });

  it.each(['change', 'schedule'] as const)('gives up an entry that loses each race (%s)', async (operation) => {
    const lost = vi.fn<() => Promise<{ outcome: 'conflict' }>>(async () => ({ outcome: 'conflict' }));
    const at = await given();
    await at.approved('one');
    const begun = { ...(await at.find('one')), erasedAt: new Date(START), retentionCheckAt: null, version: 3 };
    if (operation === 'schedule')
      await at.retention.change({ verification: begun, expectedVersion: 2, events: [] });
    await at.log?.append({ ...at.place('one'), at: at.clock.now() });
    Object.assign(at.retention, { [operation]: lost });
    expect(await at.applyLog()).toMatchObject({ applied: 0, failed: 1 });
    expect(at.faults).toEqual([
      expect.objectContaining({ message: expect.stringContaining('changes all the time') as unknown }),
    ]);
    if (operation === 'change') expect(lost).toHaveBeenCalledTimes(5);
  });

  it('counts no entry that has a receipt', async () => {
    const log = createLog();
    const before = await given(log);
    for (const id of ['one', 'two', 'three']) await before.withdrawn(id);
    for (const id of ['one', 'two', 'three']) await before.request(id);
    const restored = await given(log);
    const second = (await before.retention.erasure(2)) ?? expect.fail();
    await restored.retention.recordErasure({ ...second, finishedAt: new Date(START) });
    expect(await restored.applyLog()).toMatchObject({ applied: 2, failed: 0 });
  });

  it('the erasure log that is of another database stops erasures, and removes nothing', async () => {
    const at = await given();
    await at.withdrawn('one');
    await at.request('one');
    const log = { ...createLog(), head: async () => 1 };
    const other = await given(log, at.storage.retention);
    await at.withdrawn('two');
    await expect(other.request('two')).rejects.toThrow('it is not the log of this database');
    expect((await at.find('two')).erasureNumber).toBeNull();
  });

  it('counts as applied if only files are left, which the job deletes later', async () => {
    const at = await given();
    await at.withdrawn('one');
    await at.log?.append({ ...at.place('one'), at: at.clock.now() });
    const { delete: remove } = at.store;
    Object.assign(at.store, { delete: async () => undefined });
    expect(await at.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0, unexpected: [] });
    expect(at.faults).toEqual([expect.objectContaining({ message: '1 files of the verification one are left' })]);

    Object.assign(at.store, { delete: remove });
    at.clock.advance(5 * 60_000);
    await at.runAll();
    await at.expectErased('one');
  });

  it('counts as failed while the database still has the data', async () => {
    const at = await given(createLog(), { erase: async () => Promise.reject(new Error('The disk is full')) });
    await at.withdrawn('one');
    await at.log?.append({ ...at.place('one'), at: at.clock.now() });
    expect(await at.applyLog()).toEqual({ applied: 0, failed: 1, missingInLog: 0, unexpected: [] });
    Object.assign(at.retention, { erase: at.storage.retention.erase });
    expect(await at.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0, unexpected: [] });
    await at.expectErased('one');
  });

  it('the erasure log that lost its newest entries is reported with their number, and nothing is erased again', async () => {
    const log = createLog();
    const at = await given(log);
    for (const id of ['one', 'two', 'three']) {
      await at.withdrawn(id);
      await at.request(id);
    }
    log.entries.length = 1;
    expect(await at.newInstance().applyLog()).toEqual({ applied: 0, failed: 0, missingInLog: 2, unexpected: [] });
    expect(await at.newInstance().job.run()).toMatchObject({ erased: 0, missingInLog: 2 });
  });

  it('the erasure log that lacks erasures gets no entry and stops erasures, until it is completed from the receipts', async () => {
    const log = createMemoryErasureLog();
    const at = await given(log);
    for (const id of ['one', 'two', 'three']) {
      await at.withdrawn(id);
      await at.request(id);
    }
    const lost = createMemoryErasureLog();
    const [first] = await log.read(0, 1);
    if (first !== undefined) await lost.put(first);
    const after = await given(lost, at.storage.retention);
    await at.withdrawn('four');
    await expect(after.request('four')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([await lost.head(), (await at.find('four')).erasedAt]).toEqual([1, null]);

    expect(await completeErasureLog(at.retention, lost)).toBe(2);
    expect(await lost.read(0, 10)).toEqual(await log.read(0, 10));
    expect(await completeErasureLog(at.retention, lost)).toBe(0);
    expect(await after.request('four')).toEqual({ state: 'erased', until: null });
    expect([await lost.head(), (await at.find('four')).erasureNumber]).toEqual([4, 4]);
  });

  it('the erasure log that lost a number without a receipt is completed, also under that number', async () => {
    const log = createLog();
    const { append } = log;
    const at = await given(log);
    for (const id of ['one', 'two', 'three']) await at.withdrawn(id);
    await at.request('one');
    // The process ends after entry 2. Its erasure goes on under another number.
    await append({ ...at.place('two'), at: at.clock.now() });
    for (const id of ['two', 'three']) await at.request(id);
    const fresh = createMemoryErasureLog();
    expect(await completeErasureLog(at.retention, fresh)).toBe(4);
    expect((await fresh.read(0, 10)).map(({ number, verificationId }) => [number, verificationId])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'two'],
      [4, 'three'],
    ]);
    expect(await completeErasureLog(at.retention, fresh)).toBe(0);
    const other = await given(fresh, at.storage.retention);
    expect(await other.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0, unexpected: [] });
    expect(await at.retention.erasure(2)).toMatchObject({ verificationId: 'two', rule: 'log', events: 0 });
  });

  it('the erasure log of another database is not completed', async () => {
    const at = await given();
    for (const id of ['one', 'two']) {
      await at.withdrawn(id);
      await at.request(id);
    }
    const other = createMemoryErasureLog();
    await other.append({ ...at.place('other'), at: at.clock.now() });
    await expect(completeErasureLog(at.retention, other)).rejects.toThrow('Entry 1 of the log is another one');
    expect(await other.head()).toBe(1);
  });

  it('may be missing: numbers come from the database then', async () => {
    const at = await given('none');
    for (const id of ['one', 'two']) await at.withdrawn(id);
    for (const id of ['two', 'one']) await at.request(id);
    for (const id of ['one', 'two']) await at.expectErased(id);
    expect([(await at.find('two')).erasureNumber, (await at.find('one')).erasureNumber]).toEqual([1, 2]);
    expect(await at.applyLog()).toEqual({ applied: 0, failed: 0, missingInLog: 0, unexpected: [] });
  });
});
