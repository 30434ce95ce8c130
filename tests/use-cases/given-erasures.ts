import type { Actor, AuditEntry, EventType } from '@countersign/domain';
import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import {
  createApplyErasureLog,
  createCheckErasureLog,
  createEraseVerification,
  createRemoveData,
  createRetentionJob,
  DEFAULT_RETENTION,
  DEFAULT_RETENTION_FLOOR,
  type ErasureLog,
  type ErasureLogEntry,
  type ErasurePorts,
  hashOfTraces,
  readRules,
} from '@countersign/domain/retention';
import type { RetentionRepository, VerificationRecord } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryStorage,
} from '@countersign/memory';
import { createRequest, eventTo, pendingRecord } from '@countersign/test-support/records/verification';
import { expect } from 'vitest';

export const CLIENT = 'client-1';
export const OWNER: Actor = { kind: 'team_member', id: 'owner-1' };
export const START = '2026-03-10T12:00:00.000Z';
export const SETTINGS = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };
export const DAY_MS = 86_400_000;

/** An erasure log in memory. `breakNext` lets the next append write its entry and then fail. */
export function createLog(
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
export async function given(chosen: ErasureLog | 'none' = createLog(), broken: Partial<RetentionRepository> = {}) {
  const log = chosen === 'none' ? undefined : chosen;
  const storage = createMemoryStorage();
  const clock = createFixedClock(START);
  const ids = createCountingIds();
  const secrets = createCountingSecrets();
  const store = createMemoryEvidenceStore({ now: () => clock.now() });
  const faults: unknown[] = [];
  const audit: AuditEntry[] = [];
  await storage.clients.create({
    client: {
      id: CLIENT,
      name: 'Shop',
      createdAt: clock.now(),
      returnAddresses: [],
      testOf: null,
      fileAccess: false,
      flowSettings: NEW_FLOW_SETTINGS,
      reasonTemplates: NO_TEMPLATES,
    },
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
    const applyEntries = createApplyErasureLog({
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
      handOvers: storage.handOvers,
      clock,
      secrets,
      settings: SETTINGS,
      applyLog: applyEntries,
      erase: eraser.erase,
      dropUploads: async () => true,
      onFault,
    });
    const request = (id: string, options: { withdraw?: boolean; clientId?: string } = {}) => {
      const { withdraw = false, clientId = CLIENT } = options;
      return eraser.request({ clientId, verificationId: id }, { actor: OWNER, withdraw });
    };
    const applyLog = () => applyEntries('all');
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
      notify: { email: 'canary@example.org' },
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
      const traces = (await storage.retention.storedTraces(place(id))) ?? expect.fail();
      const whole = await storage.verifications.findWithEventsForAnyClient(id, 1_000);
      expect(JSON.stringify([record, whole])).not.toContain('canary');
      expect(record).toMatchObject({ subjectReference: `erased:${id}`, answers: {}, retentionCheckAt: null });
      expect(await store.filesOf(place(id))).toEqual([]);
      const receipt = await storage.retention.erasure(record.erasureNumber ?? 0);
      expect(receipt).toMatchObject({ verificationId: id, finishedAt: expect.any(Date) as unknown });
      expect(receipt?.hash).toBe(hashOfTraces(traces, secrets));
      expect(audit.filter(({ targetId }) => targetId === id).at(-1)?.detail).toMatchObject({
        number: receipt?.number,
        hash: receipt?.hash,
      });
    },
  };
}
