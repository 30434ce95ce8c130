import { beforeEach, expect, test } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import type { AuditEntry, AuditFact } from '../audit/audit-entry.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { type BulkReading, READING_LIMITS } from '../staff/reading-limits.ts';
import { LIST_LIMIT_DEFAULT } from '../verification/read-verifications.ts';
import { type CallerContext, callerContext } from './caller.ts';
import { createWatchReading } from './watch-reading.ts';

const { cases, queue_pages: pages, searches } = READING_LIMITS;

/** Windows that end when the test says so. */
let counts: Map<string, number>;
let windows: Set<number>;
let lines: Omit<AuditFact, 'at'>[];
let alarms: BulkReading[];
let faults: unknown[];

beforeEach(() => {
  [counts, windows, lines, alarms, faults] = [new Map(), new Set(), [], [], []];
});

const consume: RateLimiter['consume'] = async (bucket, { requests, windowSeconds }) => {
  const used = (counts.get(bucket) ?? 0) + 1;
  counts.set(bucket, used);
  windows.add(windowSeconds);
  const remaining = Math.max(0, requests - used);
  return { allowed: used <= requests, limit: requests, remaining, resetAt: NOW };
};

function watch(ports: { consume?: RateLimiter['consume']; append?: () => Promise<never> } = {}) {
  return createWatchReading({
    rateLimiter: { consume: ports.consume ?? consume },
    append: ports.append ?? (async (fact) => ({ ...fact, at: NOW, sequence: lines.push(fact) }) as AuditEntry),
    onBulkReading: (read) => alarms.push(read),
    onFault: (fault) => faults.push(fault),
  });
}

function reviewer(id: string): CallerContext {
  const user = {
    id,
    email: `${id}@example.org`,
    name: id,
    role: 'reviewer',
    clientId: null,
    teamRole: null,
  } as const;
  const session = { user, signedInAt: NOW, withSecondFactor: true, confirmedAt: null };
  return callerContext({ kind: 'user', session, from: '192.0.2.1' });
}
const RITA = reviewer('rita');
const BEN = reviewer('ben');

async function open(number: number, caller = RITA, first = 1): Promise<void> {
  for (let n = first; n < first + number; n += 1) await watch().opened(caller, `case-${n}`);
}

test('the case that reaches the limit of an hour raises one alarm, which names the reviewer', async () => {
  await open(cases.requests - 1);
  expect([lines, alarms]).toEqual([[], []]);
  await open(10, RITA, cases.requests);
  expect(alarms).toEqual(['cases']);
  expect(lines).toEqual([
    {
      actor: { kind: 'reviewer', id: 'rita' },
      from: '192.0.2.1',
      action: 'review.bulk_reading',
      outcome: 'allowed',
      clientId: null,
      targetId: 'rita',
      detail: { read: 'cases', limit: cases.requests, minutes: 60 },
    },
  ]);
  expect([...windows]).toEqual([3_600]);
});

test('a case that is opened again does not count again', async () => {
  for (let n = 0; n < cases.requests + 1; n += 1) await watch().opened(RITA, 'case-1');
  expect(alarms).toEqual([]);
});

test('each reviewer is counted apart, and cases apart from searches', async () => {
  await open(cases.requests - 1);
  await open(1, BEN, cases.requests);
  for (let n = 0; n < searches.requests - 1; n += 1) await watch().searched(RITA);
  expect(alarms).toEqual([]);
});

test('many searches raise an alarm', async () => {
  for (let n = 0; n < searches.requests + 5; n += 1) await watch().searched(RITA);
  expect(alarms).toEqual(['searches']);
  expect(lines).toMatchObject([{ detail: { read: 'searches', limit: searches.requests } }]);
});

test('many pages of the queue raise an alarm; each view counts, and a long list counts as several pages', async () => {
  for (let n = 0; n < pages.requests - 6; n += 1) await watch().listed(RITA, LIST_LIMIT_DEFAULT);
  await watch().listed(RITA, 0);
  await watch().listed(RITA, 5 * LIST_LIMIT_DEFAULT);
  expect(alarms).toEqual([]);
  await watch().listed(RITA, 1);
  expect(alarms).toEqual(['queue_pages']);
  expect(lines).toMatchObject([{ targetId: 'rita', detail: { read: 'queue_pages', limit: pages.requests } }]);
});

test('a further alarm is raised after the window ended', async () => {
  await open(cases.requests);
  counts.clear();
  await open(cases.requests);
  expect(alarms).toEqual(['cases', 'cases']);
});

test('a fault of the counter or of the audit log goes to onFault and refuses nothing', async () => {
  const down = new Error('down');
  const broken = watch({ consume: () => Promise.reject(down) });
  await broken.opened(RITA, 'case-1');
  await broken.searched(RITA);
  await broken.listed(RITA, 1);
  for (let n = 0; n < searches.requests - 1; n += 1) await watch().searched(RITA);
  await watch({ append: () => Promise.reject(down) }).searched(RITA);
  expect(faults).toEqual([down, down, down, down]);
  expect(alarms).toEqual(['searches']);
});
