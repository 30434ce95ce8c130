import { expect, test } from 'vitest';
import { auditAddress, auditDetail, auditId } from './audit-values.ts';

const LONG = 'a'.repeat(65);

test.each(['00000000-0000-7000-8000-000000000001', 'auth0|5f7c8ec7', 'x', 'a'.repeat(64)])(
  'auditId: %s may be an id',
  (id) => {
    expect(auditId(id)).toBe(id);
  },
);

test.each(['', LONG, 'ada@example.com', 'Ada Lovelace', '../x', '\u0000', '\ud800', 7, null, undefined, {}])(
  'auditId: %j is no id',
  (value) => {
    expect(auditId(value)).toBeNull();
  },
);

test('auditAddress: keeps the characters of an address, at most 64', () => {
  expect(['203.0.113.7', 'fe80::1%eth0', '[::1]', LONG, '<b>\u0000\n'].map(auditAddress)).toEqual([
    '203.0.113.7',
    'fe80::1%eth0',
    '[::1]',
    'a'.repeat(64),
    'b',
  ]);
});

test('auditDetail: leaves out undefined values and keeps null', () => {
  expect(auditDetail({ plan: 'standard', endsAt: undefined, monthlyLimit: null })).toStrictEqual({
    plan: 'standard',
    monthlyLimit: null,
  });
});
