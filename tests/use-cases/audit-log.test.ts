import { type As, AUDIT_ACTOR_KINDS, type AuditEntry, CountersignError } from '@countersign/domain';
import type { AuditHead, AuditLog, Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import type { Operations } from '@countersign/test-support/service/operations';
import { givenService, outcomesOf, type Service } from '@countersign/test-support/service/service';
import { auditSummary, givenTeam, linesOf, operationsAs, type Team } from '@countersign/test-support/service/team';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const NEW_KEY = { name: 'shop', permissions: ['verifications:read'], expiresInDays: 30 } as const;

/** A storage whose audit log can be made to fail. */
function givenStorage(): { storage: Storage; misbehave: (log: Partial<AuditLog>) => void } {
  const memory = createMemoryStorage();
  let misbehaviour: Partial<AuditLog> = {};
  const audit: AuditLog = {
    append: (...entries) => (misbehaviour.append ?? memory.audit.append)(...entries),
    head: () => memory.audit.head(),
    list: (query) => memory.audit.list(query),
    read: (after, limit) => (misbehaviour.read ?? memory.audit.read)(after, limit),
  };
  return {
    storage: { ...memory, audit },
    misbehave: (log) => {
      misbehaviour = log;
    },
  };
}

let service: Service;
let misbehave: (log: Partial<AuditLog>) => void;
let team: Team;
let owner: Operations;

beforeEach(async () => {
  const given = givenStorage();
  ({ misbehave } = given);
  service = givenService({ storage: given.storage });
  team = await givenTeam(service);
  owner = operationsAs(service, team.owner);
});

describe('an action', () => {
  it('does not run if its line cannot be written', async () => {
    misbehave({ append: () => Promise.reject(new Error('the disk is full')) });
    await expect(owner.keys.issue(NEW_KEY)).rejects.toThrow('the disk is full');
    await expect(owner.team.remove(team.agent.id)).rejects.toThrow('the disk is full');
    misbehave({});
    expect(await service.countersign.apiKeys.list(team.clientId)).toEqual([]);
    expect(await service.staff.find(team.agent.id)).not.toBeNull();
    expect(await linesOf(service)).toEqual([]);
  });

  it('is refused although the line cannot be written, and the fault is reported', async () => {
    misbehave({ append: () => Promise.reject(new Error('the disk is full')) });
    const { as, keys } = operationsAs(service, team.viewer);
    await expect(keys.issue(NEW_KEY)).rejects.toEqual(withCode('NOT_ALLOWED'));
    await as.recordRefusal({ action: 'page.request', detail: {} });
    expect(service.faults).toHaveLength(2);
  });

  it.each([
    [new Error('table is gone'), 'INTERNAL_ERROR'],
    [new CountersignError('SERVICE_UNAVAILABLE', 'table does not answer'), 'SERVICE_UNAVAILABLE'],
  ])('that fails after its line gets a second line and rejects with the fault: %s', async (fault, code) => {
    const broken = { ...service.storage.apiKeys, issue: () => Promise.reject(fault) };
    const storage = { ...service.storage, apiKeys: broken };
    const failing = givenService({ storage });
    const operations = operationsAs(failing, team.owner);
    await expect(operations.keys.issue(NEW_KEY)).rejects.toBe(fault);
    const [, line, ...more] = await linesOf(service);
    expect(line).toMatchObject({ outcome: 'failed', detail: { of: 1, code } });
    expect(more).toEqual([]);
    expect(JSON.stringify(line)).not.toContain('table');
  });

  it('returns its result although the second line cannot be written', async () => {
    const { append } = service.storage.audit;
    misbehave({
      append: async (entry) => {
        if (entry.sequence === 2) throw new Error('the disk is full');
        misbehave({});
        const result = await append(entry);
        misbehave({ append: () => Promise.reject(new Error('the disk is full')) });
        return result;
      },
    });
    await expect(owner.keys.issue(NEW_KEY)).resolves.toMatchObject({ key: { name: 'shop' } });
    expect(service.faults).toMatchObject([{ message: 'the disk is full' }]);
    misbehave({});
    await expect(service.countersign.verifyAudit()).resolves.toMatchObject({ outcome: 'intact', entries: 1 });
  });

  it('writes its second line again after a failed attempt', async () => {
    const { append } = service.storage.audit;
    let calls = 0;
    const lossy: Partial<AuditLog> = {
      async append(entry) {
        calls += 1;
        if (calls === 2) throw new Error('the connection was lost');
        misbehave({});
        const result = await append(entry);
        misbehave(lossy);
        return result;
      },
    };
    misbehave(lossy);
    const { key } = await owner.keys.issue(NEW_KEY);
    expect(await linesOf(service)).toMatchObject([{ sequence: 1 }, { targetId: key.id, detail: { of: 1 } }]);
    expect(service.faults).toEqual([]);
    expect(calls).toBe(3);
  });
});

describe('many actions at once', () => {
  it('each get a line in one chain', async () => {
    const calls = Array.from({ length: 40 }, () => owner.verifications.export({}));
    expect(await outcomesOf(calls)).toEqual({ ok: 40 });
    await expect(service.countersign.verifyAudit()).resolves.toMatchObject({ outcome: 'intact', entries: 40 });
  });

  it('on several instances compete for each sequence, and all get one', async () => {
    const instances = Array.from({ length: 8 }, () => givenService({ storage: service.storage }));
    // Lines that are alike in every field would have the same hash, and replace each other unnoticed.
    for (const [seconds, { clock }] of instances.entries()) clock.advance(seconds * 1_000);
    const calls = instances.flatMap((instance) =>
      Array.from({ length: 10 }, () => operationsAs(instance, team.owner).verifications.export({})),
    );
    expect(await outcomesOf(calls)).toEqual({ ok: 80 });
    await expect(service.countersign.verifyAudit()).resolves.toMatchObject({ outcome: 'intact', entries: 80 });
  });

  it('do not run if no line can be appended', async () => {
    let attempts = 0;
    misbehave({
      append: async () => {
        attempts += 1;
        return { outcome: 'not_next', head: { sequence: attempts, hash: 'ab'.repeat(32) } };
      },
    });
    await expect(owner.keys.issue(NEW_KEY)).rejects.toEqual(withCode('SERVICE_UNAVAILABLE'));
    expect(attempts).toBe(100);
    expect(await service.countersign.apiKeys.list(team.clientId)).toEqual([]);
  });

  it('all reject together when the database does not answer, and the next one tries again', async () => {
    let asked = 0;
    misbehave({
      append: () => {
        asked += 1;
        return Promise.reject(new Error('no answer in 5 s'));
      },
    });
    const calls = Array.from({ length: 20 }, () => owner.verifications.export({}));
    const results = await Promise.allSettled(calls);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toBeLessThan(5);
    misbehave({});
    await owner.verifications.export({});
    expect(await auditSummary(service)).toEqual(['verifications.export allowed']);
  });
});

it('appends after a line whose answer was lost', async () => {
  const { append } = service.storage.audit;
  misbehave({
    append: async (entry) => {
      misbehave({});
      await append(entry);
      throw new Error('the connection broke');
    },
  });
  await expect(owner.keys.issue(NEW_KEY)).rejects.toThrow('the connection broke');
  await owner.verifications.export({});
  expect(await service.countersign.apiKeys.list(team.clientId)).toEqual([]);
  expect(await auditSummary(service)).toEqual(['api_keys.create allowed', 'verifications.export allowed']);
  await expect(service.countersign.verifyAudit()).resolves.toMatchObject({ outcome: 'intact', entries: 2 });
});

it('recordRefusal records no text that cannot be an id', async () => {
  const about = { action: 'users.remove', detail: {}, clientId: 'a b', targetId: 'x@example.org' } as const;
  await service.countersign.as({ kind: 'command_line' }).recordRefusal(about);
  expect((await linesOf(service))[0]).toMatchObject({ clientId: null, targetId: null });
});

describe('anonymous callers', () => {
  const anonymousFrom = (from: string): As => service.countersign.as({ kind: 'anonymous', from });
  const refused = { action: 'page.request', detail: { route: '/dashboard/keys', code: 'SESSION_ENDED' } } as const;

  it('are recorded with the characters of an address only', async () => {
    await anonymousFrom(`<script>\u0000\n${'9'.repeat(500)}`).recordRefusal(refused);
    expect((await linesOf(service))[0]?.from).toMatch(/^[\w.:%-]{1,64}$/);
  });
});

describe('verifyAudit', () => {
  const verify = (lines: readonly AuditEntry[], noted?: AuditHead) => {
    misbehave({ read: async (after, limit) => lines.slice(after, after + limit) });
    return service.countersign.verifyAudit({ noted });
  };

  async function givenLines(count = 12): Promise<readonly AuditEntry[]> {
    for (let n = 1; n < count; n += 1) await owner.verifications.export({});
    await expect(owner.team.remove(team.owner.id)).rejects.toEqual(withCode('OWN_ACCOUNT'));
    return (await linesOf(service)).slice(0, count);
  }

  it('an empty log is intact', async () => {
    expect(await service.countersign.verifyAudit()).toEqual({ outcome: 'intact', entries: 0, head: null });
  });

  it('reads in batches and reports progress', async () => {
    for (let n = 0; n < 201; n += 1) await owner.verifications.export({});
    const progress: number[] = [];
    const findings = await service.countersign.verifyAudit({ onProgress: (entries) => progress.push(entries) });
    expect(progress).toEqual([100, 200, 201]);
    const { sequence, hash } = (await linesOf(service)).at(-1) as AuditEntry;
    expect(findings).toEqual({ outcome: 'intact', entries: 201, head: { sequence, hash } });
  });

  it('finds a verification that was changed after its erasure', async () => {
    const { apiKeys, authenticate, verifications, verifyAudit } = service.countersign;
    const { value } = await apiKeys.issue(team.clientId, { permissions: ['*'] });
    const client = await authenticate(value, { countRequest: false });
    const { verification } = await verifications.create(client, {
      subjectType: 'kyc',
      subjectReference: 'user_1',
    });
    await verifications.eraseData(client, verification.id, { withdraw: true });
    expect(await verifyAudit()).toMatchObject({ outcome: 'intact', entries: 2 });

    Object.assign(service.storage.retention, { storedTraces: async () => null });
    expect(await verifyAudit()).toEqual({ outcome: 'erasure_broken', number: 1, reason: 'changed' });
  });

  it('finds any changed field of any line', async () => {
    const lines = await givenLines();
    const text = fc.oneof(fc.string(), fc.constant(null));
    const changes = fc.oneof(
      fc.record({ at: fc.date({ noInvalidDate: true }) }),
      fc.record({
        actor: fc.record({ kind: fc.constantFrom(...AUDIT_ACTOR_KINDS), id: text }),
      }),
      fc.record({ from: text }),
      fc.record({ action: fc.constantFrom('api_keys.create', 'review.approve', 'verifications.export') }),
      fc.record({ outcome: fc.constantFrom('allowed', 'refused', 'failed') }),
      fc.record({ clientId: text }),
      fc.record({ targetId: text }),
      fc.record({ detail: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null))) }),
      fc.record({ sequence: fc.integer({ min: -2, max: 20 }) }),
      fc.record({ previousHash: fc.string() }),
      fc.record({ hash: fc.string() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(lines.length - 1), changes, async (index, change) => {
        const changed = lines.map((line, at) =>
          at === index ? { ...line, ...(change as Partial<AuditEntry>) } : line,
        );
        fc.pre(JSON.stringify(changed[index]) !== JSON.stringify(lines[index]));
        expect(await verify(changed)).toMatchObject({ outcome: 'broken', sequence: changed[index]?.sequence });
      }),
      { numRuns: 300 },
    );
  });

  it('finds swapped, removed, inserted and repeated lines', async () => {
    const lines = await givenLines();
    await fc.assert(
      fc.asyncProperty(fc.nat(10), fc.nat(10), async (a, b) => {
        const swapped = [...lines];
        [swapped[a], swapped[b]] = [lines[b] as AuditEntry, lines[a] as AuditEntry];
        if (a !== b) expect(await verify(swapped)).toMatchObject({ outcome: 'broken' });
        expect(await verify(lines.toSpliced(a, 1))).toMatchObject({ outcome: 'broken', reason: 'gap' });
        expect(await verify(lines.toSpliced(b, 0, lines[a] as AuditEntry))).toMatchObject({ outcome: 'broken' });
      }),
    );
  });

  it('finds an unreadable line', async () => {
    const lines = await givenLines();
    for (const bad of [1, 6, lines.length]) {
      const read: typeof service.storage.audit.read = async (after, limit) => {
        if (after < bad && bad <= after + limit) throw new Error('the detail is no object');
        return lines.slice(Math.max(after, 0), after + limit);
      };
      misbehave({ read });
      expect(await service.countersign.verifyAudit()).toEqual({
        outcome: 'broken',
        sequence: bad,
        reason: 'unreadable',
      });
    }
    const never = { ...(lines[5] as AuditEntry), at: new Date(Number.NaN) };
    expect(await verify(lines.with(5, never))).toMatchObject({ sequence: 6, reason: 'unreadable' });
  });

  it('finds a line inserted before the first', async () => {
    const lines = await givenLines();
    for (const sequence of [0, -1, -1_000_000]) {
      const before = { ...(lines[0] as AuditEntry), sequence };
      const read: typeof service.storage.audit.read = async (after, limit) =>
        [before, ...lines].filter((line) => line.sequence > after).slice(0, limit);
      misbehave({ read });
      expect(await service.countersign.verifyAudit()).toMatchObject({
        outcome: 'broken',
        sequence,
        reason: 'gap',
      });
    }
  });

  it('rejects when the database does not answer, instead of reporting a broken chain', async () => {
    await givenLines();
    misbehave({ read: () => Promise.reject(new CountersignError('SERVICE_UNAVAILABLE', 'no answer')) });
    await expect(service.countersign.verifyAudit()).rejects.toEqual(withCode('SERVICE_UNAVAILABLE'));
  });

  it('names the first wrong line and the reason', async () => {
    const lines = await givenLines();
    const sixth = lines[5] as AuditEntry;
    const as = (change: Partial<AuditEntry>) => lines.with(5, { ...sixth, ...change });
    const broken = { outcome: 'broken', sequence: 6 };
    expect(await verify(as({ targetId: 'another' }))).toEqual({ ...broken, reason: 'wrong_hash' });
    expect(await verify(as({ previousHash: 'ab'.repeat(32) }))).toEqual({
      ...broken,
      reason: 'wrong_previous_hash',
    });
    expect(await verify(lines.toSpliced(4, 1))).toEqual({ ...broken, reason: 'gap' });
  });

  it('finds a cut end or a rewritten log by a line noted elsewhere', async () => {
    const lines = await givenLines();
    const noted = lines.at(-1) as AuditEntry;
    expect(await verify(lines, noted)).toMatchObject({ outcome: 'intact', entries: 12 });
    expect(await verify(lines.slice(0, -1))).toMatchObject({ outcome: 'intact', entries: 11 });
    expect(await verify(lines.slice(0, -1), noted)).toEqual({ outcome: 'not_the_noted_one', noted });
    const forged = { sequence: 3, hash: 'ab'.repeat(32) };
    expect(await verify(lines, forged)).toEqual({ outcome: 'not_the_noted_one', noted: forged });
  });
});
