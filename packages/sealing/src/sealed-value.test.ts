import { createSecretKey, randomBytes } from 'node:crypto';
import type { JsonObject, JsonValue } from '@countersign/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SealedField, sealValue, unsealValue } from './sealed-value.ts';

const CONTEXT = { clientId: 'client-1', verificationId: 'verification-1' };
const newKey = () => createSecretKey(randomBytes(32));
const key = newKey();

const seal = (value: JsonObject) =>
  sealValue(value, 'answers', CONTEXT, key) as { [name: string]: JsonValue; data: string };
const unseal = (value: JsonObject, field: SealedField = 'answers', context = CONTEXT, dataKey = key) =>
  unsealValue(value, field, context, dataKey);

/** The value as a database returns it. */
const arbitraryObject = fc
  .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

describe('a sealed value', () => {
  test('any value is sealed and unsealed to itself', () => {
    fc.assert(
      fc.property(arbitraryObject, (value) => {
        expect(unseal(seal(value))).toEqual(value);
      }),
    );
  });

  test('may look like a sealed value itself', () => {
    const value = seal({ name: 'Ada' });
    expect(unseal(seal(value))).toEqual(value);
  });

  test('reveals only its version and its length', () => {
    const sealed = seal({ steps: { person: { lastName: 'Lovelace' } } });
    expect(sealed).toEqual({ countersignSealed: 1, data: expect.stringMatching(/^[\w-]+$/) });
    const bytes = Buffer.from(sealed.data, 'base64url').toString('latin1');
    expect(bytes).not.toMatch(/steps|person|Lovelace/);
  });

  test('the stored example of a sealed value can be unsealed', () => {
    const sealed = { countersignSealed: 1, data: 'giDdJWDuVZrblfxfoq9_LCIVJY_VQTJiUOApJU2jWt5mywU8RAs' };
    expect(unseal(sealed, 'answers', CONTEXT, createSecretKey(Buffer.alloc(32, 7)))).toEqual({ a: 'ä' });
  });
});

test('an empty value is not sealed', () => {
  const empty = {};
  expect(sealValue(empty, 'answers', CONTEXT, key)).toBe(empty);
  expect(unsealValue(empty, 'answers', CONTEXT, key)).toBe(empty);
});

test('each sealed value has a nonce of its own: 10,000 values repeat none', () => {
  const nonces = Array.from({ length: 10_000 }, () => seal({ name: 'Ada' }).data.slice(0, 16));
  expect(new Set(nonces).size).toBe(10_000);
});

describe('unsealing refuses a value', () => {
  const value = { name: 'Lovelace' };

  test.each([
    ['as another field', 'reviewData', CONTEXT, key],
    ['of another client', 'answers', { ...CONTEXT, clientId: 'client-2' }, key],
    ['of another verification', 'answers', { ...CONTEXT, verificationId: 'verification-2' }, key],
    ['with another key', 'answers', CONTEXT, newKey()],
  ] as const)('%s', (_, field, context, dataKey) => {
    const refused = () => unseal(seal(value), field, context, dataKey);
    expect(refused).toThrow(`The sealed ${field} of verification ${context.verificationId} are damaged`);
    expect(refused).toThrow(expect.objectContaining({ code: 'DAMAGED' }));
  });

  test('unsealing refuses a value with a single changed byte', () => {
    const { data, ...marker } = seal(value);
    const bytes = Buffer.from(data, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      expect(() => unseal({ ...marker, data: changed.toString('base64url') })).toThrow('are damaged');
    }
  });

  test('unsealing refuses a value in another base64url spelling of the same bytes', () => {
    const { data, ...marker } = seal({ name: 'Ad' });
    const text = data;
    // The last character has unused bits, so another character decodes to the same bytes.
    const last = String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
    const spellings = [`${text}=`, `${text}\n`, ` ${text}`, text.slice(0, -1) + last];
    for (const spelling of spellings) {
      expect(Buffer.from(spelling, 'base64url')).toEqual(Buffer.from(text, 'base64url'));
      expect(() => unseal({ ...marker, data: spelling })).toThrow('are damaged');
    }
  });

  test('unsealing refuses a value with a single changed character', () => {
    const { data, ...marker } = seal(value);
    const text = data;
    const arbitrary = fc.record({
      at: fc.nat({ max: text.length - 1 }),
      by: fc.constantFrom(...'ABab019-_+/= \n'),
    });
    fc.assert(
      fc.property(arbitrary, ({ at, by }) => {
        fc.pre(text[at] !== by);
        const changed = text.slice(0, at) + by + text.slice(at + 1);
        expect(() => unseal({ ...marker, data: changed })).toThrow('are damaged');
      }),
    );
  });

  test.each([
    { countersignSealed: 2 },
    { countersignSealed: '1' },
    { data: '' },
    { data: 'AAAA' },
    { data: null },
    { data: { text: 'Lovelace' } },
    { more: true },
  ])('unsealing refuses a value with %j in it', (change: JsonObject) => {
    expect(() => unseal({ ...seal(value), ...change })).toThrow(expect.objectContaining({ code: 'DAMAGED' }));
  });

  test.each([
    value,
    { data: 'AAAA' },
    JSON.parse('{"__proto__":{"countersignSealed":1,"data":"AAAA"}}') as JsonObject,
  ])('unsealing refuses a value that is in the clear: %j', (plain) => {
    const refused = () => unseal(plain);
    expect(refused).toThrow('The answers of verification verification-1 are not sealed');
    expect(refused).toThrow(expect.objectContaining({ code: 'NOT_SEALED' }));
  });
});
