import { expect, test } from 'vitest';
import type { User } from '../staff/user.ts';
import { CONFIRMED_MS, isConfirmed, isUserOneOf, type Who } from './rights.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const ago = (milliseconds: number): { confirmedAt: Date } => ({
  confirmedAt: new Date(NOW.getTime() - milliseconds),
});

test('isConfirmed: true for less than ten minutes', () => {
  expect(CONFIRMED_MS).toBe(600_000);
  expect([0, 1, CONFIRMED_MS - 1, CONFIRMED_MS].map((age) => isConfirmed(ago(age), NOW))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('isConfirmed: false for a session that was never confirmed', () => {
  expect(isConfirmed({ confirmedAt: null }, NOW)).toBe(false);
});

test('isConfirmed: true although the clock of another instance is slightly ahead', () => {
  expect(isConfirmed(ago(-2_000), NOW)).toBe(true);
});

test('isConfirmed: false for longer than ten minutes ahead, after a clock was set back', () => {
  expect(isConfirmed(ago(-CONFIRMED_MS), NOW)).toBe(false);
  expect(isConfirmed(ago(-24 * 3_600_000), NOW)).toBe(false);
});

test.each<[who: readonly Who[], Partial<User>, isOne: boolean]>([
  [['team'], { role: 'client', clientId: 'acme', teamRole: 'viewer' }, true],
  [['team'], { role: 'client', clientId: 'other', teamRole: 'owner' }, false],
  [[{ right: 'manage_retention' }], { role: 'client', clientId: 'acme', teamRole: 'owner' }, true],
  [[{ right: 'manage_retention' }], { role: 'client', clientId: 'acme', teamRole: 'viewer' }, false],
  [['operator', 'reviewer'], { role: 'client', clientId: 'acme', teamRole: 'owner' }, false],
  [['operator', 'command_line'], { role: 'operator' }, true],
  [['team', 'operator'], { role: 'reviewer' }, false],
])('isUserOneOf: %j has the user %j: %s', (who, user, isOne) => {
  const ann: User = { id: 'ann', email: '', name: '', role: 'reviewer', clientId: null, teamRole: null };
  expect(isUserOneOf(who, { ...ann, ...user }, 'acme')).toBe(isOne);
});
