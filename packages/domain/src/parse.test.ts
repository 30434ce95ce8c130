import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issuesOf } from './parse.ts';

function messageFor(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = z.object({ field: schema }).safeParse({ field: value });
  return error === undefined ? undefined : issuesOf(error, { field: value })[0]?.message;
}

describe('issuesOf: messages', () => {
  it.each<[expected: string, schema: z.ZodType, value: unknown]>([
    ['is required', z.string(), undefined],
    ['is required', z.enum(['a', 'b']), null],
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
