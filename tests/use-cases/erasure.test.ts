import {
  type Actor,
  type AuditEntry,
  CountersignError,
  completeErasureLog,
  createApplyErasureLog,
  createCheckErasureLog,
  createEraseVerification,
  createRemoveData,
  createRetentionJob,
  createVerifyErasures,
  DEFAULT_RETENTION,
  DEFAULT_RETENTION_FLOOR,
  type Erasure,
  type ErasureLog,
  type ErasureLogEntry,
  type ErasurePorts,
  type EventType,
  hashOfNothing,
  hashOfRemains,
  type RetentionRepository,
  readRules,
  type VerificationRecord,
} from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryErasureLog,
  createMemoryEvidenceStore,
  createMemoryStorage,
} from '@countersign/memory';
import { createRequest, eventTo, pendingRecord } from '@countersign/test-support/records/verification';
import { describe, expect, it, vi } from 'vitest';

const CLIENT = 'client-1';
const OWNER: Actor = { kind: 'team_member', id: 'owner-1' };
const START = '2026-03-10T12:00:00.000Z';
const SETTINGS = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };
const DAY_MS = 86_400_000;

/** An erasure log in memory. `breakNext` lets the next append write its entry and then fail. */
function createLog(
  entries: ErasureLogEntry[] = [],
): ErasureLog & { entries: ErasureLogEntry[]; breakNext(): void } {
  let isBroken = false;
  let logId: string | null = null;
  return {
    entries,
    id: async () => logId,
    async identify(id) {
      logId ??= id;
      return logId;
    },
    breakNext: () => {
      isBroken = true;
    },
    async append(entry) {
      const numbered = { ...entry, number: entries.length + 1 };
      entries.push(numbered);
      if (isBroken) {
        isBroken = false;
        throw new Error('The process ended after the entry was written');
      }
      return numbered;
    },
    put: async (entry) => void entries.push(entry),
    read: async (after, limit) => entries.filter(({ number }) => number > after).slice(0, limit),
    head: async () => entries.length,
    probe: async () => undefined,
  };
}

/** A service with one client, whose ports a test can break. */
async function given(chosen: ErasureLog | 'none' = createLog(), broken: Partial<RetentionRepository> = {}) {
  const log = chosen === 'none' ? undefined : chosen;
  const storage = createMemoryStorage();
  const clock = createFixedClock(START);
  const ids = createCountingIds();
  const secrets = createCountingSecrets();
  const store = createMemoryEvidenceStore({ now: () => clock.now() });
  const faults: unknown[] = [];
  const audit: AuditEntry[] = [];
  await storage.clients.create({
    client: { id: CLIENT, name: 'Shop', createdAt: clock.now(), sandbox: false, returnAddresses: [] },
    subscription: null,
  });
  const retention = { ...storage.retention, ...broken };
  const append: ErasurePorts['append'] = async (fact) => {
    const entry = { ...fact, at: clock.now(), sequence: audit.length + 1, previousHash: '', hash: '' };
    audit.push(entry);
    return entry;
  };
  const onFault = (fault: unknown) => void faults.push(fault);
  const removeData = createRemoveData({ retention, log, store, append, clock, ids, secrets });
  const rulesOf = (clientId: string) => readRules(retention, SETTINGS, clientId);
  const newEraser = () =>
    createEraseVerification({
      retention,
      clock,
      ids,
      checkLog: createCheckErasureLog({ retention, log }),
      removeData,
      rulesOf,
      withdraw: ({ verificationId }) => decide(verificationId, 'rejected', 'verification.withdrawn'),
      onFault,
    });
  const newInstance = () => {
    const eraser = newEraser();
    const { resume } = eraser;
    const applyLog = createApplyErasureLog({
      retention,
      log,
      clock,
      ids,
      secrets,
      rulesOf,
      removeData,
      resume,
      onFault,
    });
    const job = createRetentionJob({
      retention,
      exports: storage.exports,
      clock,
      secrets,
      settings: SETTINGS,
      applyLog,
      erase: eraser.erase,
      dropUploads: async () => true,
      onFault,
    });
    const request = (id: string, options: { withdraw?: boolean; clientId?: string } = {}) => {
      const { withdraw = false, clientId = CLIENT } = options;
      return eraser.request({ clientId, verificationId: id }, { actor: OWNER, withdraw });
    };
    return { applyLog, job, request, erase: eraser.erase };
  };

  async function open(id: string, values: Partial<VerificationRecord> = {}): Promise<void> {
    const record = pendingRecord({
      clientId: CLIENT,
      id,
      subjectReference: `canary of ${id}`,
      requestedAt: clock.now(),
      metadata: { canary: 'of metadata' },
      answers: { canary: 'of answers' },
      reviewData: { canary: 'of a note' },
      idempotencyKey: `canary key of ${id}`,
      idempotencyFingerprint: 'canary fingerprint',
      returnUrl: 'https://canary.example/',
      locale: 'canary',
      ...values,
    });
    await storage.verifications.createCharged(createRequest(record));
    await store.put({ clientId: CLIENT, verificationId: id, fileId: `file-${id}` }, Uint8Array.of(1));
  }

  async function decide(id: string, status: 'approved' | 'rejected', type: EventType): Promise<void> {
    const before = (await storage.verifications.find(CLIENT, id)) ?? expect.fail();
    const now = clock.now();
    const record: VerificationRecord = {
      ...before,
      status,
      resolvedAt: now,
      retentionCheckAt: now,
      currentStep: 3,
      version: before.version + 1,
      eventCount: before.eventCount + 1,
    };
    const event = { ...eventTo(record, { data: { reasonCodes: ['canary'] } }), type, at: now };
    await storage.verifications.commit({ record, expectedVersion: before.version, events: [event] });
  }

  const place = (verificationId: string) => ({ clientId: CLIENT, verificationId });
  return {
    storage,
    retention,
    clock,
    store,
    faults,
    audit,
    log,
    secrets,
    place,
    open,
    decide,
    newInstance,
    ...newInstance(),
    approved: async (id: string) => {
      await open(id);
      await decide(id, 'approved', 'verification.approved');
    },
    withdrawn: async (id: string) => {
      await open(id);
      await decide(id, 'rejected', 'verification.withdrawn');
    },
    find: async (id: string) => (await storage.retention.find(place(id))) ?? expect.fail(`no ${id}`),
    /** Runs the job as often as it finds something to do. */
    async runAll(): Promise<number> {
      let erased = 0;
      for (let run = 0; run < 50; run += 1) {
        const result = await this.job.run();
        erased += result.erased;
        if (result.isDone) return erased;
      }
      return expect.fail('the job never ends');
    },
    /** Lets days pass as they do for a job that runs each day. */
    async passDays(days: number): Promise<number> {
      let erased = 0;
      for (let day = 0; day < days; day += 6) {
        clock.advance(Math.min(6, days - day) * DAY_MS);
        erased += await this.runAll();
      }
      return erased;
    },
    /** Expects that nothing is left but the place of the verification, and that its receipt is right. */
    async expectErased(id: string): Promise<void> {
      const record = (await storage.verifications.find(CLIENT, id)) ?? expect.fail();
      const remains = (await storage.retention.remainsOf(place(id))) ?? expect.fail();
      const whole = await storage.verifications.findWithEventsForAnyClient(id, 1_000);
      expect(JSON.stringify([record, whole])).not.toContain('canary');
      expect(record).toMatchObject({ subjectReference: `erased:${id}`, answers: {}, retentionCheckAt: null });
      expect(await store.filesOf(place(id))).toEqual([]);
      const receipt = await storage.retention.erasure(record.erasureNumber ?? 0);
      expect(receipt).toMatchObject({ verificationId: id, finishedAt: expect.any(Date) as unknown });
      expect(receipt?.hash).toBe(hashOfRemains(remains, secrets));
      expect(audit.filter(({ targetId }) => targetId === id).at(-1)?.detail).toMatchObject({
        number: receipt?.number,
        hash: receipt?.hash,
      });
    },
  };
}

describe('a request for erasure', () => {
  it('erases at once where the law obliges to nothing, with a receipt, a log entry and an audit line', async () => {
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

  it('twice at once is one erasure', async () => {
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
    expect(results).toEqual([{ applied: 0, failed: 0, missingInLog: 0 }]);
    await at.expectErased('one');
    expect(await at.retention.erasure(1)).toMatchObject({ rule: 'requested' });
    expect(at.audit.map(({ actor }) => actor)).toEqual([OWNER]);
  });

  it('before the entry of the log: a later run goes on', async () => {
    const at = await given(createLog(), { remainsOf: async () => Promise.reject(new Error('The process ended')) });
    await at.withdrawn('one');
    await expect(at.request('one')).rejects.toThrow('The process ended');
    const { remainsOf } = at.storage.retention;
    Object.assign(at.retention, { remainsOf });
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
    const at = await given(createLog(), { remainsOf: () => new Promise(() => undefined) });
    await at.withdrawn('one');
    void at.request('one');
    await vi.waitFor(async () => expect((await at.find('one')).erasedAt).not.toBeNull());
    const { remainsOf } = at.storage.retention;
    Object.assign(at.retention, { remainsOf });
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

describe('the erasure log', () => {
  it('has a restored database forget again what was erased, also what was open, on hold or unknown in the backup', async () => {
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

    expect(await restored.applyLog()).toEqual({ applied: 4, failed: 0, missingInLog: 0 });
    for (const id of ['open', 'held', 'approved']) await restored.expectErased(id);
    expect((await restored.retention.erasures({ after: 0, limit: 10 })).map(({ rule }) => rule)).toEqual([
      'log',
      'log',
      'log',
      'log',
    ]);
    expect(await restored.storage.verifications.find(CLIENT, 'kept')).toEqual(kept);
    expect(await restored.newInstance().applyLog()).toEqual({ applied: 0, failed: 0, missingInLog: 0 });
  });

  it('is read only where the database lacks a receipt, so that a start does not wait for all entries', async () => {
    const log = createLog();
    const before = await given(log);
    for (const id of ['one', 'two', 'three']) await before.withdrawn(id);
    for (const id of ['one', 'two', 'three']) await before.request(id);

    const read = vi.fn<ErasureLog['read']>(log.read);
    const restored = await given({ ...log, read });
    for (const erasure of await before.retention.erasures({ after: 0, limit: 2 })) {
      await restored.retention.recordErasure({ ...erasure, finishedAt: new Date(START) });
    }
    expect(await restored.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0 });
    expect(read.mock.calls).toEqual([[2, 1]]);
    expect(await restored.newInstance().applyLog()).toEqual({ applied: 0, failed: 0, missingInLog: 0 });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('that is of another database stops erasures, and removes nothing', async () => {
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
    expect(await at.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0 });
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
    expect(await at.applyLog()).toEqual({ applied: 0, failed: 1, missingInLog: 0 });
    Object.assign(at.retention, { erase: at.storage.retention.erase });
    expect(await at.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0 });
    await at.expectErased('one');
  });

  it('that lost its newest entries is reported with their number, and nothing is erased again', async () => {
    const log = createLog();
    const at = await given(log);
    for (const id of ['one', 'two', 'three']) {
      await at.withdrawn(id);
      await at.request(id);
    }
    log.entries.length = 1;
    expect(await at.newInstance().applyLog()).toEqual({ applied: 0, failed: 0, missingInLog: 2 });
    expect(await at.newInstance().job.run()).toMatchObject({ erased: 0, missingInLog: 2 });
  });

  it('that lacks erasures gets no entry and stops erasures, until it is completed from the receipts', async () => {
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

  it('that lost a number without a receipt is completed, also under that number', async () => {
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
    expect(await other.applyLog()).toEqual({ applied: 1, failed: 0, missingInLog: 0 });
    expect(await at.retention.erasure(2)).toMatchObject({ verificationId: 'two', rule: 'log', events: 0 });
  });

  it('of another database is not completed', async () => {
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
    expect(await at.applyLog()).toEqual({ applied: 0, failed: 0, missingInLog: 0 });
  });
});

describe('the check of receipts', () => {
  async function erasedTwo() {
    const at = await given();
    for (const id of ['one', 'two']) await at.withdrawn(id);
    for (const id of ['one', 'two']) await at.request(id);
    const { retention, audit, secrets, clock } = at;
    const { verifications } = at.storage;
    const list = async ({
      before = Number.MAX_SAFE_INTEGER,
      limit,
    }: {
      before: number | undefined;
      limit: number;
    }) =>
      audit
        .filter(({ sequence }) => sequence < before)
        .toReversed()
        .slice(0, limit);
    return { at, verify: createVerifyErasures({ retention, verifications, audit: { list }, secrets, clock }) };
  }

  it('finds each erasure as it was left, also one that had nothing to remove', async () => {
    const { at, verify } = await erasedTwo();
    await at.log?.append({ ...at.place('unknown'), at: at.clock.now() });
    await at.applyLog();
    expect(await verify()).toEqual({ outcome: 'intact', erasures: 3 });
  });

  it('finds a verification that was changed after its erasure, and one that is gone', async () => {
    const { at, verify } = await erasedTwo();
    const { remainsOf } = at.storage.retention;
    Object.assign(at.retention, {
      remainsOf: async (place: Parameters<typeof remainsOf>[0]) => {
        const remains = await remainsOf(place);
        return place.verificationId === 'two' && remains
          ? { ...remains, events: remains.events.slice(1) }
          : remains;
      },
    });
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
    Object.assign(at.retention, { remainsOf: async () => null });
    expect(await verify()).toEqual({ outcome: 'broken', number: 1, reason: 'changed' });
  });

  it('finds a receipt without its line in the audit log', async () => {
    const { at, verify } = await erasedTwo();
    at.audit.pop();
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'no_audit_line' });
    at.audit.length = 0;
    expect(await verify()).toEqual({ outcome: 'broken', number: 1, reason: 'no_audit_line' });
  });

  it.each<[string, Partial<AuditEntry>]>([
    ['verification', { targetId: 'one' }],
    ['client', { clientId: 'client-2' }],
    ['rule', { detail: { rule: 'log' } }],
    ['count of steps', { detail: { steps: 0 } }],
    ['count of files', { detail: { files: 0 } }],
    ['count of events', { detail: { events: 0 } }],
    ['hash', { detail: { hash: '0'.repeat(64) } }],
  ])('finds a line with another %s than its receipt', async (_what, { detail, ...change }) => {
    const { at, verify } = await erasedTwo();
    const line = at.audit.pop() ?? expect.fail();
    at.audit.push({ ...line, ...change, detail: { ...line.detail, ...detail } });
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
  });

  it('finds a line without its receipt, also behind the last receipt', async () => {
    const { at, verify } = await erasedTwo();
    const line = at.audit.at(-1) ?? expect.fail();
    at.audit.push({ ...line, sequence: line.sequence + 1, detail: { ...line.detail, number: 3 } });
    expect(await verify()).toEqual({ outcome: 'broken', number: 3, reason: 'no_receipt' });
    at.audit.push({ ...line, sequence: line.sequence + 2, detail: {} });
    expect(await verify()).toEqual({ outcome: 'broken', number: 0, reason: 'no_receipt' });
  });

  it.each<[string, Partial<Erasure>]>([
    ['a hash of nothing', {}],
    ['a hash of nothing, its rule and its counts', { rule: 'log', steps: 0, files: 0, events: 0 }],
  ])('finds a receipt that claims to have had nothing to remove: %s', async (_what, change) => {
    const { at, verify } = await erasedTwo();
    const hash = hashOfNothing(at.secrets);
    const { erasures } = at.storage.retention;
    Object.assign(at.retention, {
      erasures: async (query: Parameters<typeof erasures>[0]) =>
        (await erasures(query)).map((one) => (one.number === 2 ? { ...one, hash, ...change } : one)),
    });
    expect(await verify()).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
  });

  it('finds data that was written to an event or to the row after the erasure', async () => {
    for (const written of [
      { answers: { canary: 1 } },
      { reviewData: { canary: 1 } },
      { metadata: { canary: 1 } },
      'of an event',
    ] as const) {
      const { at, verify } = await erasedTwo();
      const { findWithEventsForAnyClient: find } = at.storage.verifications;
      Object.assign(at.storage.verifications, {
        findWithEventsForAnyClient: async (id: string, limit: number) => {
          const { record, events } = (await find(id, limit)) ?? expect.fail();
          if (id !== 'two') return { record, events };
          if (written !== 'of an event') return { record: { ...record, ...written }, events };
          return { record, events: events.map((event) => ({ ...event, data: { canary: 1 } })) };
        },
      });
      expect(await verify(), JSON.stringify(written)).toEqual({ outcome: 'broken', number: 2, reason: 'changed' });
    }
  });

  it('finds an erasure whose files are left after two hours', async () => {
    const { at, verify } = await erasedTwo();
    await at.withdrawn('three');
    Object.assign(at.store, { delete: async () => undefined });
    await at.request('three');
    at.clock.advance(2 * 3_600_000);
    expect(await verify()).toEqual({ outcome: 'intact', erasures: 3 });
    at.clock.advance(1);
    expect(await verify()).toEqual({ outcome: 'broken', number: 3, reason: 'unfinished' });
  });

  it('reads lines and receipts in slices, and the line of an erasure that ends meanwhile', async () => {
    const { at, verify } = await erasedTwo();
    for (let n = 0; n < 250; n += 1) {
      await at.withdrawn(`of many ${n}`);
      await at.request(`of many ${n}`);
    }
    const { erasures } = at.storage.retention;
    const late = at.audit.pop() ?? expect.fail();
    Object.assign(at.retention, {
      erasures: async (query: Parameters<typeof erasures>[0]) => {
        if (query.after === 200) at.audit.push(late);
        return erasures(query);
      },
    });
    expect(await verify()).toEqual({ outcome: 'intact', erasures: 252 });
  });
});

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
    expect(await at.job.run()).toEqual({ erased: 0, isDone: true, pausedUntil, missingInLog: 0 });
    at.clock.advance(DAY_MS - 1);
    expect(await at.newInstance().job.run()).toMatchObject({ erased: 0, pausedUntil });
    at.clock.advance(1);
    expect(await at.job.run()).toMatchObject({ erased: 1, pausedUntil: null });
  });

  it('has requests wait for the end of the pause, also before the job has found the jump', async () => {
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

  it('of several instances at once erases each verification once', async () => {
    const at = await given();
    const all = Array.from({ length: 120 }, (_, n) => `v-${String(n).padStart(3, '0')}`);
    for (const id of all) await at.withdrawn(id);
    await at.runAll();
    for (let day = 0; day < 91; day += 7) {
      at.clock.advance(7 * DAY_MS);
      if (day < 84) await at.runAll();
    }
    const instances = [at.job, at.newInstance().job, at.newInstance().job];
    for (let run = 0; run < 5; run += 1) await Promise.all(instances.map((job) => job.run()));
    for (const id of all) await at.expectErased(id);
    expect(await at.retention.erasures({ after: 0, limit: 1_000 })).toHaveLength(all.length);
    expect(at.audit).toHaveLength(all.length);
    expect(at.faults).toEqual([]);
  });
});
