import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from './audit-entry.ts';
import { createRefusalLog, type RefusalFact, type RefusalLog } from './refusal-log.ts';

const VIEWER = { kind: 'team_member', id: 'vera' } as const;
const ANONYMOUS = { kind: 'anonymous', id: null } as const;

const refusal = (change: Partial<RefusalFact> = {}): RefusalFact => ({
  actor: VIEWER,
  from: '192.0.2.1',
  action: 'page.request',
  outcome: 'refused',
  clientId: 'acme',
  targetId: null,
  detail: { code: 'NOT_ALLOWED', path: '/admin', method: 'GET' },
  ...change,
});

let now: Date;

const clock = {
  now: () => now,
  advance: (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  },
};

let lines: RefusalFact[];
let faults: unknown[];
let isBroken: boolean;
let log: RefusalLog;

beforeEach(() => {
  now = new Date('2026-01-15T12:00:00Z');
  lines = [];
  faults = [];
  isBroken = false;
  log = createRefusalLog({
    clock,
    onFault: (fault) => faults.push(fault),
    append: async (fact) => {
      if (isBroken) throw new Error('the disk is full');
      lines.push(fact);
      return { ...fact, at: clock.now(), sequence: 1, previousHash: '', hash: '' } satisfies AuditEntry;
    },
  });
});

async function repeat(count: number, fact: (n: number) => RefusalFact): Promise<void> {
  for (let n = 0; n < count; n += 1) await log.record(fact(n));
}

describe('refusals of a user', () => {
  it('the first gets an entry immediately, repeated ones get a summary with count and span', async () => {
    await log.record(refusal());
    expect(lines).toEqual([refusal()]);
    clock.advance(1_000);
    await repeat(338, () => refusal());
    clock.advance(9_000);
    await log.record(refusal());
    expect(lines).toHaveLength(1);

    await log.summarise();
    const span = { count: 339, from: '2026-01-15T12:00:01.000Z', to: '2026-01-15T12:00:10.000Z' };
    expect(lines.slice(1)).toEqual([refusal({ detail: { ...refusal().detail, ...span } })]);
  });

  it('refusals of a user that continue get one summary a minute, even without the background job', async () => {
    for (let second = 0; second < 180; second += 1) {
      await repeat(10, () => refusal());
      clock.advance(1_000);
    }
    await log.summarise();
    expect(lines.map(({ detail }) => detail.count)).toEqual([undefined, 599, 600, 600]);
  });

  it('refusals of a user that were not repeated get an entry of their own again after the summary', async () => {
    await log.record(refusal());
    await log.summarise();
    await log.record(refusal());
    expect(lines).toEqual([refusal(), refusal()]);
  });

  it('refusals of a user of different kinds get a line each: another action, target, page or network', async () => {
    const kinds = [
      refusal(),
      refusal({ action: 'api_keys.create' }),
      refusal({ targetId: 'key-1' }),
      refusal({ from: '198.51.100.1' }),
    ];
    for (const kind of kinds) await repeat(2, () => kind);
    expect(lines).toEqual(kinds);
    await log.summarise();
    expect(lines).toHaveLength(8);
  });

  it('cause at most ten lines a minute, however different they are', async () => {
    for (let second = 0; second < 60; second += 1) {
      await repeat(20, (n) =>
        refusal({ targetId: `id-${second}-${n}`, outcome: n % 2 === 0 ? 'refused' : 'failed' }),
      );
      await repeat(20, (n) => refusal({ targetId: `id-0-${n}` }));
      clock.advance(999);
    }
    await log.summarise();
    expect(lines.length).toBeLessThanOrEqual(10);
    const counted = lines.map(({ detail }) => Number(detail.count ?? 1));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(60 * 40);
  });

  it('refusals of a user of too many kinds get one summary with their common values', async () => {
    await repeat(4, (n) => refusal({ targetId: `id-${n}` }));
    await log.record(refusal({ targetId: 'id-5' }));
    await log.record(
      refusal({ targetId: 'id-6', detail: { code: 'NOT_ALLOWED', path: '/review', method: 'GET' } }),
    );
    await log.summarise();
    expect(lines.at(-1)).toMatchObject({ action: 'page.request', targetId: null, clientId: 'acme' });
    expect(lines.at(-1)?.detail).toMatchObject({ code: 'NOT_ALLOWED', method: 'GET', count: 2 });
    expect(lines.at(-1)?.detail).not.toHaveProperty('path');

    await log.summarise();
    await repeat(4, (n) => refusal({ targetId: `id-${n}` }));
    await log.record(refusal({ action: 'team.invite' }));
    await log.record(refusal({ action: 'team.remove', from: '198.51.100.1' }));
    await log.summarise();
    expect(lines.at(-1)).toMatchObject({ action: 'audit.further_refusals', from: null, detail: { count: 2 } });
  });

  it('refusals of a user do not count toward the lines of other users', async () => {
    await repeat(50, (n) => refusal({ targetId: `id-${n}` }));
    await log.record(refusal({ actor: { kind: 'reviewer', id: 'rita' } }));
    expect(lines.at(-1)).toMatchObject({ actor: { id: 'rita' } });
  });
});

describe('refusals of anonymous callers', () => {
  const from = (address: string, change: Partial<RefusalFact> = {}) =>
    refusal({ actor: ANONYMOUS, from: address, ...change });

  it('refusals of anonymous callers are counted for each network: all addresses of an IPv6 /64 are one', async () => {
    await repeat(20, (n) => from(`2001:db8::${n + 1}`));
    await log.record(from('2001:db8:1::1'));
    expect(lines.map((line) => line.from)).toEqual(['2001:db8::1', '2001:db8:1::1']);
    await log.summarise();
    expect(lines.at(-1)).toMatchObject({ from: null, detail: { count: 19 } });
  });

  it('name 30 attempted accounts of a network', async () => {
    await repeat(100, (n) => from('192.0.2.1', { targetId: `user-${n}` }));
    expect(lines).toHaveLength(30);
    await log.summarise();
    expect(lines.slice(30)).toMatchObject([{ from: '192.0.2.1', targetId: null, detail: { count: 70 } }]);
  });

  it('get at most 600 lines at once, and one summary for all other networks', async () => {
    await repeat(900, (n) => from(`10.${n >> 8}.${n & 255}.1`));
    expect(lines).toHaveLength(600);
    await log.summarise();
    expect(lines.slice(600)).toMatchObject([{ actor: ANONYMOUS, from: null, detail: { count: 300 } }]);
    await log.record(from('10.9.9.9'));
    expect(lines).toHaveLength(602);
  });

  it('get their lines beside many refused users', async () => {
    await repeat(700, (n) => refusal({ actor: { kind: 'team_member', id: `user-${n}` } }));
    await log.record(from('192.0.2.1'));
    expect(lines).toHaveLength(701);
  });
});

describe('a log that cannot be written', () => {
  it('reports the fault, and counts stay for the next summary', async () => {
    await log.record(refusal());
    clock.advance(1_000);
    await repeat(5, () => refusal());
    isBroken = true;
    await log.summarise();
    expect(faults).toHaveLength(1);
    clock.advance(1_000);
    await repeat(5, () => refusal());
    isBroken = false;
    await log.summarise();
    expect(lines).toHaveLength(2);
    const span = { count: 10, from: '2026-01-15T12:00:01.000Z', to: '2026-01-15T12:00:02.000Z' };
    expect(lines[1]?.detail).toMatchObject(span);
  });

  /** A log whose summaries wait for `written`, which the test settles. */
  function givenSlowLog() {
    const written = Promise.withResolvers<void>();
    let isSlow = true;
    const slow = createRefusalLog({
      clock,
      onFault: (fault) => faults.push(fault),
      append: async (fact) => {
        if (isSlow && fact.detail.count !== undefined) await written.promise;
        lines.push(fact);
        return { ...fact, at: clock.now(), sequence: 1, previousHash: '', hash: '' };
      },
    });
    const endWaiting = (): void => {
      isSlow = false;
    };
    return { slow, written, endWaiting };
  }

  it('loses no count that arrives while a summary is written', async () => {
    const { slow, written } = givenSlowLog();
    await slow.record(refusal());
    await slow.record(refusal());
    const first = slow.summarise();
    await slow.record(refusal());
    written.resolve();
    await first;
    await slow.summarise();
    expect(lines.map(({ detail }) => detail.count)).toEqual([undefined, 1, 1]);
  });

  it('joins a summary that failed with the different refusals that arrived meanwhile', async () => {
    const { slow, written, endWaiting } = givenSlowLog();
    for (let n = 0; n < 8; n += 1) await slow.record(refusal({ targetId: `id-${n % 4}` }));
    await slow.record(refusal({ targetId: 'id-4' }));
    const failing = slow.summarise();
    clock.advance(1_000);
    await slow.record(refusal({ targetId: 'id-5' }));
    written.reject(new Error('the disk is full'));
    await failing;
    endWaiting();
    await slow.summarise();
    const span = { count: 2, from: '2026-01-15T12:00:00.000Z', to: '2026-01-15T12:00:01.000Z' };
    expect(lines.slice(4)).toContainEqual(refusal({ detail: { ...refusal().detail, ...span } }));
  });
});
