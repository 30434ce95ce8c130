import { expect, test } from 'vitest';
import { toldAddress, toldDay, toldDetail, toldId, toldMoment, toldNumber, toldWord, toldWords } from './told.ts';

const LONG = 'a'.repeat(65);

test.each(['00000000-0000-7000-8000-000000000001', 'auth0|5f7c8ec7', 'x', 'a'.repeat(64)])(
  '%s may be an id',
  (id) => {
    expect(toldId(id)).toBe(id);
  },
);

test.each(['', LONG, 'ada@example.com', 'Ada Lovelace', '../x', '\u0000', '\ud800', 7, null, undefined, {}])(
  '%j is no id',
  (value) => {
    expect(toldId(value)).toBeNull();
  },
);

test('of words, only those that are known are told, each once', () => {
  const words = ['admin', 'viewer'] as const;
  expect([toldWord(words, 'admin'), toldWord(words, 'owner'), toldWord(words, {})]).toEqual([
    'admin',
    undefined,
    undefined,
  ]);
  expect(toldWords(words, ['viewer', 'owner', 'admin', 'viewer', 7])).toEqual(['admin', 'viewer']);
  expect([toldWords(words, 'admin'), toldWords(words, undefined)]).toEqual([undefined, undefined]);
});

test('of numbers, days and moments, only what is one', () => {
  expect([7, null, 1.5, Number.NaN, '7', undefined].map(toldNumber)).toEqual([
    7,
    null,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(['2026-03-01', '2026-3-1', 'x 2026-03-01', 7].map(toldDay)).toEqual([
    '2026-03-01',
    undefined,
    undefined,
    undefined,
  ]);
  expect([new Date(0), null, new Date('x'), '1970'].map(toldMoment)).toEqual([
    '1970-01-01T00:00:00.000Z',
    null,
    undefined,
    undefined,
  ]);
});

test('of an address, what can be one', () => {
  expect(['203.0.113.7', 'fe80::1%eth0', '[::1]', LONG, '<b>\u0000\n'].map(toldAddress)).toEqual([
    '203.0.113.7',
    'fe80::1%eth0',
    '[::1]',
    'a'.repeat(64),
    'b',
  ]);
});

test('what was not given is no field of a line', () => {
  expect(Object.keys(toldDetail({ plan: 'standard', endsAt: undefined, monthlyLimit: null }))).toEqual([
    'plan',
    'monthlyLimit',
  ]);
});
