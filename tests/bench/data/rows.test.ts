import { beforeAll, describe, expect, it } from 'vitest';
import type { MadeRow } from './rows.mjs';
import { COMMON_STATUS, makeRows, RARE_STATUS, RARE_TYPE, RETURNING_SUBJECT } from './rows.mjs';

const NOW = Date.UTC(2026, 10, 22);
const DAY_MS = 24 * 60 * 60 * 1000;

const pattern = { currentStep: 6, version: 11, answers: {}, reviewData: {} };
const states = {
  pending: { ...pattern, currentStep: 0, version: 1 },
  submitted: pattern,
  action_needed: { ...pattern, currentStep: 1 },
  approved: pattern,
  rejected: pattern,
};
const given = {
  patterns: { kyc: states, kyb: states },
  seal: async () => ({ answers: '{}', reviewData: '{}', dataKey: null, wrappedBy: null }),
  now: NOW,
};

async function rowsOf(wanted: { count: number; clientIds: string[]; days: number; everyFilter: boolean }) {
  const rows: MadeRow[] = [];
  for await (const row of makeRows(wanted, given)) rows.push(row);
  return rows;
}

describe('rows of a large database', () => {
  let rows: MadeRow[];

  beforeAll(async () => {
    rows = await rowsOf({ count: 20_000, clientIds: ['a'], days: 400, everyFilter: true });
  });

  const share = (matches: (row: MadeRow) => boolean) => rows.filter(matches).length / rows.length;

  it('rows of a large database have a rare status in a thousand and a rare type in a hundred, besides the first rows', () => {
    expect(share(({ status }) => status === RARE_STATUS)).toBeCloseTo(0.002, 3);
    expect(share(({ type }) => type === RARE_TYPE)).toBeCloseTo(0.01, 2);
    expect(share(({ status }) => status === COMMON_STATUS)).toBeCloseTo(0.6, 1);
    expect(share(({ status }) => status === 'submitted')).toBeCloseTo(0.1, 2);
  });

  it('fill a page of every filter within the first hundred', () => {
    const first = rows.slice(0, 100);
    const count = (matches: (row: MadeRow) => boolean) => first.filter(matches).length;
    expect(count(({ status, type }) => status === RARE_STATUS && type === RARE_TYPE)).toBeGreaterThanOrEqual(20);
    expect(count(({ status, type }) => status === COMMON_STATUS && type === RARE_TYPE)).toBeGreaterThanOrEqual(20);
    expect(count((row) => row.subject_reference === RETURNING_SUBJECT)).toBeGreaterThanOrEqual(20);
  });

  it('spread over the days, and hold the moments that their status requires', () => {
    const days = new Set(rows.map((row) => Math.floor((NOW - row.requested_at) / DAY_MS)));
    expect(days.size).toBe(400);
    const wrong = rows.filter(
      ({ status, requested_at: requested, submitted_at: submitted, resolved_at: resolved }) =>
        (submitted === null) !== (status === 'pending') ||
        (resolved !== null) !== (status === 'approved' || status === 'rejected') ||
        requested > (submitted ?? NOW) ||
        (submitted ?? requested) > (resolved ?? NOW),
    );
    expect(wrong).toEqual([]);
  });

  it('rows of a large database have references that do not repeat, except for the returning subject, whose verifications are all decided', () => {
    const others = rows.filter((row) => row.subject_reference !== RETURNING_SUBJECT);
    expect(new Set(others.map((row) => row.subject_reference)).size).toBe(others.length);
    const returned = rows.filter((row) => row.subject_reference === RETURNING_SUBJECT);
    expect(new Set(returned.map(({ status }) => status))).toEqual(new Set([COMMON_STATUS]));
  });

  it('rows of a large database can lie on one day, and belong to clients in turn', async () => {
    const some = await rowsOf({ count: 30, clientIds: ['a', 'b', 'c'], days: 1, everyFilter: false });
    expect(some.every((row) => NOW - row.requested_at <= DAY_MS)).toBe(true);
    expect(some.filter(({ client_id }) => client_id === 'b')).toHaveLength(10);
  });
});
