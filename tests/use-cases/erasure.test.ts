import { CountersignError } from '@countersign/domain';
import { readRules } from '@countersign/domain/retention';
import { describe, expect, it, vi } from 'vitest';
import { CLIENT, createLog, given, OWNER, SETTINGS, START } from './given-erasures.ts';

describe('a request for erasure', () => {
  it('erases at once where the law obliges to nothing, with a receipt, a log entry and an audit entry', async () => {
    const at = await given();
    await at.withdrawn('one');
    await at.withdrawn('other');
    const other = await at.storage.verifications.findWithEventsForAnyClient('other', 10);

    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    await at.expectErased('one');
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'requested', files: 1, steps: 3, events: 3 });
    expect(await at.log?.read(0, 10)).toEqual([{ number: 1, ...at.place('one'), at: new Date(START) }]);
    expect(await at.storage.verifications.findWithEventsForAnyClient('other', 10)).toEqual(other);
    expect(await at.store.filesOf(at.place('other'))).toHaveLength(1);
  });

  it('hides the data until the law allows the erasure, and the job erases it then', async () => {
    const at = await given();
    await at.approved('one');
    const until = new Date('2036-03-11T00:00:00Z');
    expect(await at.request('one')).toEqual({ state: 'restricted', until });
    expect(await at.request('one')).toEqual({ state: 'restricted', until });
    expect(await at.find('one')).toMatchObject({
      erasureRequestedAt: new Date(START),
      version: 3,
      erasedAt: null,
    });

    await at.runAll();
    expect((await at.find('one')).retentionCheckAt).toEqual(until);
    expect(await at.passDays(3_653)).toBe(0);
    expect(await at.passDays(1)).toBe(1);
    await at.expectErased('one');
  });

  it('reads what is left and the end of the log once', async () => {
    const at = await given();
    await at.withdrawn('one');
    const { storedTraces, lastErasure } = at.storage.retention;
    const reads = {
      storedTraces: vi.fn<typeof storedTraces>(storedTraces),
      lastErasure: vi.fn<typeof lastErasure>(lastErasure),
    };
    Object.assign(at.retention, reads);
    await at.request('one');
    expect([reads.storedTraces.mock.calls.length, reads.lastErasure.mock.calls.length]).toEqual([1, 1]);
    Object.assign(at.retention, { storedTraces, lastErasure });
    await at.expectErased('one');
  });

  it('lists the files once to count and delete them, and once to confirm that none is left', async () => {
    const at = await given();
    await at.withdrawn('one');
    const { filesOf } = at.store;
    const listed = vi.fn<typeof filesOf>(filesOf);
    Object.assign(at.store, { filesOf: listed });
    await at.request('one');
    expect(listed).toHaveBeenCalledTimes(2);
    expect(await at.retention.erasure(1)).toMatchObject({ files: 1 });
    await at.expectErased('one');
  });

  it('counts files, not their thumbnails, and deletes both', async () => {
    const at = await given();
    await at.withdrawn('one');
    const [file] = await at.store.filesOf(at.place('one'));
    await at.store.put({ ...at.place('one'), fileId: `${file?.fileId}-thumbnail` }, Uint8Array.of(1));
    await at.request('one');
    expect(await at.retention.erasure(1)).toMatchObject({ files: 1 });
    await at.expectErased('one');
    expect(await at.store.filesOf(at.place('one'))).toEqual([]);
  });

  it('deletes a file that arrives between the list and the end of the data', async () => {
    const at = await given();
    await at.withdrawn('one');
    const { erase } = at.storage.retention;
    const late = { ...at.place('one'), fileId: 'late' };
    Object.assign(at.retention, {
      async erase(request: Parameters<typeof erase>[0]) {
        await at.store.put(late, Uint8Array.of(1));
        return erase(request);
      },
    });
    await at.request('one');
    expect(await at.store.filesOf(at.place('one'))).toEqual([]);
  });

  it('repeated after the erasure changes nothing', async () => {
    const at = await given();
    await at.withdrawn('one');
    await at.request('one');
    const before = await at.find('one');
    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    expect(await at.find('one')).toEqual(before);
    expect(await at.log?.head()).toBe(1);
  });

  it('of an open verification is refused, or withdraws it first', async () => {
    const at = await given();
    await at.open('one');
    await expect(at.request('one')).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
    expect(await at.request('one', { withdraw: true })).toEqual({ state: 'erased', until: null });
    await at.expectErased('one');
  });

  it('of an unknown verification and of one of another client is the same error', async () => {
    const at = await given();
    await at.withdrawn('one');
    await expect(at.request('two')).rejects.toMatchObject({ code: 'VERIFICATION_NOT_FOUND' });
    await expect(at.request('one', { clientId: 'client-2' })).rejects.toMatchObject({
      code: 'VERIFICATION_NOT_FOUND',
    });
  });

  it('two requests at the same time are one erasure', async () => {
    const at = await given();
    await at.withdrawn('one');
    expect(await Promise.all([at.request('one'), at.request('one')])).toEqual([
      { state: 'erased', until: null },
      { state: 'erased', until: null },
    ]);
    await at.runAll();
    await at.expectErased('one');
    expect(await at.retention.erasures({ after: 0, limit: 10 })).toHaveLength(1);
  });
});

describe('hold', () => {
  const hold = { heldAt: new Date(START), heldBy: 'owner-1', heldUntil: null };

  it('beats an erasure that is requested, and its release lets it go on', async () => {
    const at = await given();
    await at.withdrawn('one');
    const before = await at.find('one');
    await at.retention.change({
      verification: { ...before, ...hold, version: 3 },
      expectedVersion: 2,
      events: [],
    });
    expect(await at.request('one')).toEqual({ state: 'held', until: null });
    expect(await at.passDays(400)).toBe(0);

    const held = await at.find('one');
    const released = { ...held, heldAt: null, heldBy: null, version: 5, retentionCheckAt: at.clock.now() };
    await at.retention.change({ verification: released, expectedVersion: 4, events: [] });
    expect(await at.runAll()).toBe(1);
    await at.expectErased('one');
  });

  it('that is stored first wins over an erasure that was decided before it', async () => {
    const at = await given();
    await at.withdrawn('one');
    const seen = await at.find('one');
    await at.retention.change({ verification: { ...seen, ...hold, version: 3 }, expectedVersion: 2, events: [] });
    const rules = await readRules(at.retention, SETTINGS, CLIENT);
    expect(await at.erase(seen, rules, { actor: OWNER, requested: true })).toBe('changed');
    expect(await at.find('one')).toMatchObject({ erasedAt: null, heldAt: new Date(START) });
    expect(await at.log?.head()).toBe(0);
  });

  it('with an end is over then', async () => {
    const at = await given();
    await at.withdrawn('one');
    const heldUntil = new Date('2026-12-01T00:00:00Z');
    const verification = {
      ...(await at.find('one')),
      ...hold,
      heldUntil,
      retentionCheckAt: heldUntil,
      version: 3,
    };
    await at.retention.change({ verification, expectedVersion: 2, events: [] });
    expect(await at.request('one')).toEqual({ state: 'held', until: heldUntil });
    expect(await at.passDays(264)).toBe(0);
    expect(await at.passDays(6)).toBe(1);
    await at.expectErased('one');
  });
});

describe('an erasure log that takes no entry', () => {
  it.for(['head', 'probe'] as const)('has requests refused before anything begins: %s', async (call) => {
    const log = createLog();
    const sound = log[call];
    const at = await given(log);
    await at.withdrawn('one');
    const before = await at.find('one');
    const outage = new CountersignError('SERVICE_UNAVAILABLE', 'The folder is gone');
    Object.assign(log, { [call]: async () => Promise.reject(outage) });
    for (const _ of ['first', 'again']) await expect(at.request('one')).rejects.toBe(outage);
    expect(await at.find('one')).toEqual(before);

    Object.assign(log, { [call]: sound });
    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    await at.expectErased('one');
  });
});

describe('a process that ends in the middle', () => {
  it('after the entry of the log: the next run goes on with the same number', async () => {
    const log = createLog();
    const at = await given(log);
    await at.withdrawn('one');
    log.breakNext();
    await expect(at.request('one')).rejects.toThrow('ended after the entry');
    expect(await at.find('one')).toMatchObject({ erasureNumber: null, erasedAt: new Date(START) });

    await at.newInstance().job.run();
    await at.expectErased('one');
    expect(log.entries).toHaveLength(1);
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'requested' });
    expect(at.audit.map(({ actor }) => actor)).toEqual([OWNER]);
  });

  it('leaves the entry of an erasure under way to it', async () => {
    const log = createLog();
    const { append } = log;
    const at = await given(log);
    await at.withdrawn('one');
    const results: unknown[] = [];
    Object.assign(log, {
      append: async (entry: Parameters<typeof append>[0]) => {
        const written = await append(entry);
        results.push(await at.newInstance().applyLog());
        return written;
      },
    });
    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    expect(results).toEqual([{ applied: 0, failed: 0, missingInLog: 0, unexpected: [] }]);
    await at.expectErased('one');
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'requested' });
    expect(at.audit.map(({ actor }) => actor)).toEqual([OWNER]);
  });

  it('before the entry of the log: a later run goes on', async () => {
    const at = await given(createLog(), {
      storedTraces: async () => Promise.reject(new Error('The process ended')),
    });
    await at.withdrawn('one');
    await expect(at.request('one')).rejects.toThrow('The process ended');
    const { storedTraces } = at.storage.retention;
    Object.assign(at.retention, { storedTraces });
    expect(await at.runAll()).toBe(1);
    await at.expectErased('one');
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'requested' });
    expect(at.audit.map(({ actor }) => actor)).toEqual([OWNER]);
  });

  it('before the entry of the log: a repeated request goes on, and fails while the log takes no entry', async () => {
    const log = createLog();
    const { append } = log;
    const outage = new CountersignError('SERVICE_UNAVAILABLE', 'The disk is full');
    const at = await given(log);
    Object.assign(log, { append: async () => Promise.reject(outage) });
    await at.withdrawn('one');
    for (const _ of ['first', 'again']) await expect(at.request('one')).rejects.toBe(outage);
    Object.assign(log, { append });
    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    await at.expectErased('one');
  });

  it('without a word: the data is left to it for five minutes, and requests are refused meanwhile', async () => {
    const at = await given(createLog(), { storedTraces: () => new Promise(() => undefined) });
    await at.withdrawn('one');
    void at.request('one');
    await vi.waitFor(async () => expect((await at.find('one')).erasedAt).not.toBeNull());
    const { storedTraces } = at.storage.retention;
    Object.assign(at.retention, { storedTraces });
    await expect(at.newInstance().request('one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    at.clock.advance(5 * 60_000);
    expect(await at.newInstance().request('one')).toEqual({ state: 'erased', until: null });
    await at.expectErased('one');
  });

  it('of two instances that go on with one erasure, one does', async () => {
    const log = createLog();
    const { append } = log;
    const at = await given(log);
    Object.assign(log, { append: async () => Promise.reject(new Error('The process ended')) });
    await at.withdrawn('one');
    await expect(at.request('one')).rejects.toThrow('The process ended');
    Object.assign(log, {
      append: async (entry: Parameters<typeof append>[0]) => {
        await new Promise(setImmediate);
        return append(entry);
      },
    });
    await Promise.all([at.newInstance().job.run(), at.newInstance().job.run()]);
    await at.runAll();
    await at.expectErased('one');
    expect([log.entries.length, at.audit.length]).toEqual([1, 1]);
    expect(await at.retention.erasures({ after: 0, limit: 10 })).toHaveLength(1);
  });

  it('before the files are gone, or while a backup holds them: a later run deletes them, then the receipt is finished', async () => {
    const at = await given();
    await at.withdrawn('one');
    const { delete: remove } = at.store;
    Object.assign(at.store, { delete: async () => undefined });
    expect(await at.request('one')).toEqual({ state: 'erased', until: null });
    expect(at.faults).toEqual([expect.objectContaining({ message: '1 files of the verification one are left' })]);
    expect((await at.retention.erasure(1))?.finishedAt).toBeNull();
    expect(at.audit).toEqual([]);

    Object.assign(at.store, { delete: remove });
    at.clock.advance(5 * 60_000);
    await at.runAll();
    await at.expectErased('one');
    expect(at.audit).toHaveLength(1);
  });
});
