import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { issuesOf, parseInput, valueAt } from './parse.ts';

function messageFor(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = z.object({ field: schema }).safeParse({ field: value });
  return error === undefined ? undefined : issuesOf(error, { field: value })[0]?.message;
}

describe('issuesOf: codes and limits', () => {
  it.each<[code: string, limit: number | undefined, schema: z.ZodType, value: unknown]>([
    ['required', undefined, z.string(), undefined],
    ['required', undefined, z.string().min(1), ''],
    ['required', undefined, z.enum(['a']), ''],
    ['required', undefined, z.literal(true), false],
    ['too_short', 2, z.string().min(2), 'x'],
    ['too_long', 2, z.string().max(2), 'xyz'],
    ['too_few', 1, z.array(z.string()).min(1), []],
    ['too_many', 1, z.array(z.string()).max(1), ['a', 'b']],
    ['too_small', 1, z.int().min(1), 0],
    ['too_large', 100, z.int().max(100), 101],
    ['not_a_date', undefined, z.iso.date(), 'x'],
    ['not_an_email', undefined, z.email(), 'x'],
    ['invalid', undefined, z.string().regex(/^a$/), 'b'],
    ['invalid', undefined, z.enum(['a', 'b']), 'c'],
    ['invalid', undefined, z.literal([true, false]), 1],
    ['invalid', undefined, z.literal(false), true],
    ['invalid', undefined, z.string(), 1],
    ['invalid', undefined, z.union([z.literal(1), z.object({})]), 'x'],
    ['invalid', undefined, z.string().refine(() => false, 'must rhyme'), 'x'],
    [
      'too_young',
      18,
      z.string().refine(() => false, { error: 'is too young', params: { code: 'too_young', limit: 18 } }),
      'x',
    ],
  ])('%s %s', (code, limit, schema, value) => {
    const { error } = z.object({ field: schema }).safeParse({ field: value });
    const [issue] = error === undefined ? [] : issuesOf(error, { field: value });
    expect([issue?.path, issue?.code, issue?.limit]).toEqual(['field', code, limit]);
  });
});

describe('parseInput', () => {
  const schema = z.object({ a: z.string(), b: z.string().optional() });
  const check = (): Issue[] => [
    { path: 'a', message: 'is not known' },
    { path: 'b', message: 'is not known' },
  ];
  const messagesOf = (input: unknown, withCheck: boolean) => {
    try {
      return parseInput(schema, input, withCheck ? check : undefined);
    } catch (error) {
      return (error as { data: { issues: Issue[] } }).data.issues.map(({ path, message }) => `${path} ${message}`);
    }
  };

  it('returns what the schema made of the input', () => {
    expect(messagesOf({ a: 'x', c: 1 }, false)).toEqual({ a: 'x' });
  });

  it('throws the issues of the schema, then those of the check at other fields', () => {
    expect(messagesOf({ a: 1 }, false)).toEqual(['a must be a string']);
    expect(messagesOf({ a: 1 }, true)).toEqual(['a must be a string', 'b is not known']);
  });

  it('throws the issues of the check for an input that the schema accepts', () => {
    expect(messagesOf({ a: 'x' }, true)).toEqual(['a is not known', 'b is not known']);
  });
});

it.each<[input: unknown, path: PropertyKey[], value: unknown]>([
  [{ a: [{ b: 1 }] }, ['a', 0, 'b'], 1],
  [{ a: null }, ['a', 'b'], undefined],
  [{ a: 'text' }, ['a', 'length'], undefined],
  [undefined, ['a'], undefined],
  [5, [], 5],
])('valueAt: in %j at %j is %j', (input, path, value) => {
  expect(valueAt(input, path)).toBe(value);
});

describe('issuesOf: messages', () => {
  it.each<[expected: string, schema: z.ZodType, value: unknown]>([
    ['is required', z.string(), undefined],
    ['must be a string', z.string().optional(), null],
    ['must be a or b', z.enum(['a', 'b']), null],
    ['must not be null', z.bigint(), null],
    ['is invalid', z.union([z.literal(1), z.object({})]), ''],
    ['must not be null', z.union([z.literal(1), z.object({})]), null],
    ['must be a string', z.string(), 1],
    ['must be a number', z.number(), 'x'],
    ['must be a whole number', z.int(), 1.5],
    ['must be true or false', z.boolean(), 'yes'],
    ['must be an array', z.array(z.string()), {}],
    ['must be an object', z.object({}), []],
    ['must be an object', z.record(z.string(), z.unknown()), 'x'],
    ['has the wrong type', z.bigint(), 'x'],
    ['must not be empty', z.string().min(1), ''],
    ['must have at least 2 characters', z.string().min(2), 'x'],
    ['must have at most 2 characters', z.string().max(2), 'xyz'],
    ['must have at least 1 entry', z.array(z.string()).min(1), []],
    ['must have at most 1 entry', z.array(z.string()).max(1), ['a', 'b']],
    ['must be at least 1', z.int().min(1), 0],
    ['must be at most 100', z.int().max(100), 101],
    ['must be a date that exists, written YYYY-MM-DD', z.iso.date(), '2026-02-30'],
    ['must be a date and time in ISO 8601', z.iso.datetime(), 'today'],
    ['must be a phone number in E.164, such as +4930123456', z.e164(), '030'],
    ['must be an e-mail address', z.email(), 'x'],
    ['must be a UUID', z.guid(), 'x'],
    ['must be a URL', z.url(), 'x'],
    ['has an invalid format', z.string().regex(/^a$/), 'b'],
    ['must be true', z.literal(true), false],
    ['must be kyc or kyb', z.enum(['kyc', 'kyb']), 'KYC'],
    ['must be kyc or kyb', z.enum(['kyc', 'kyb']), ''],
    ['must be one of a, b, c', z.enum(['a', 'b', 'c']), 'd'],
    ['is invalid', z.union([z.literal(1), z.object({})]), 'x'],
    ['must rhyme', z.string().refine(() => false, 'must rhyme'), 'x'],
    ['must rhyme', z.unknown().refine(() => false, 'must rhyme'), undefined],
  ])('%s', (expected, schema, value) => {
    expect(messageFor(schema, value)).toBe(expected);
  });

  it('an unknown field is named by its own path', () => {
    const { error } = z.object({ a: z.strictObject({}) }).safeParse({ a: { b: 1, c: 2 } });
    expect(error && issuesOf(error, { a: { b: 1, c: 2 } })).toEqual([
      { path: 'a.b', message: 'is not a known field', code: 'unknown_field' },
      { path: 'a.c', message: 'is not a known field', code: 'unknown_field' },
    ]);
  });
});
