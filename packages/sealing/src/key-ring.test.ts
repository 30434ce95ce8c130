import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NEW, OLD } from '../test-support/keys.ts';
import { createKeyRing } from './key-ring.ts';

const CONTEXT = { clientId: 'client-1', verificationId: 'verification-1' };
const dataKey = randomBytes(32);

describe('key ring', () => {
  test('unwraps a data key that it wrapped', async () => {
    const ring = createKeyRing([NEW, OLD]);
    const wrapped = await ring.wrap(dataKey, CONTEXT);
    expect(wrapped.wrappedBy).toBe(ring.newest);
    expect(ring.newest).toBe(createKeyRing([NEW]).newest);
    expect(await ring.unwrap(wrapped, CONTEXT)).toEqual(dataKey);
  });

  test('unwraps with an older key as long as the ring holds it', async () => {
    const wrapped = await createKeyRing([OLD]).wrap(dataKey, CONTEXT);
    expect(await createKeyRing([NEW, OLD]).unwrap(wrapped, CONTEXT)).toEqual(dataKey);
    await expect(createKeyRing([NEW]).unwrap(wrapped, CONTEXT)).rejects.toMatchObject({
      name: 'SealingError',
      code: 'UNKNOWN_KEY',
      message: 'Verification verification-1 is sealed by a secret that SECRET_KEYS does not contain',
    });
  });

  test('accepts the same secret twice', async () => {
    const ring = createKeyRing([NEW, NEW]);
    expect(await ring.unwrap(await ring.wrap(dataKey, CONTEXT), CONTEXT)).toEqual(dataKey);
  });

  test('unwraps a stored example of this format', async () => {
    const wrapped = {
      wrappedBy: '7eb8c04665050507',
      wrapped: 'fLaK686_MCCYz6zo7Pb30Ynw941SIjk5kTeo6ABoGiLJNJs_vbO6nAYxA_vmRgFBbLJCGSWthvqCdnG1',
    };
    expect(await createKeyRing([OLD]).unwrap(wrapped, CONTEXT)).toEqual(Buffer.alloc(32, 7));
  });
});

test('two wrappings of one data key share no bytes', async () => {
  const ring = createKeyRing([OLD]);
  const [first, second] = await Promise.all([ring.wrap(dataKey, CONTEXT), ring.wrap(dataKey, CONTEXT)]);
  expect(first.wrapped.slice(0, 16)).not.toBe(second.wrapped.slice(0, 16));
  expect(first.wrapped).not.toContain(dataKey.toString('base64url').slice(0, 20));
});

test.each([
  [{ clientId: 'client-2', verificationId: 'verification-1' }],
  [{ clientId: 'client-1', verificationId: 'verification-2' }],
  [{ clientId: 'client-1","verification-1', verificationId: '' }],
])('a key wrapped for another verification is refused: %j', async (other) => {
  const ring = createKeyRing([OLD]);
  const wrapped = await ring.wrap(dataKey, other);
  await expect(ring.unwrap(wrapped, CONTEXT)).rejects.toMatchObject({ code: 'DAMAGED' });
});

test('refuses a wrapped key with any changed byte', async () => {
  const ring = createKeyRing([OLD]);
  const { wrappedBy, wrapped } = await ring.wrap(dataKey, CONTEXT);
  const arbitrary = fc.record({ at: fc.nat({ max: wrapped.length - 1 }), by: fc.constantFrom(...'Az09-_=+ ') });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ at, by }) => {
      fc.pre(wrapped[at] !== by);
      const changed = wrapped.slice(0, at) + by + wrapped.slice(at + 1);
      await expect(ring.unwrap({ wrappedBy, wrapped: changed }, CONTEXT)).rejects.toMatchObject({
        code: 'DAMAGED',
      });
    }),
  );
  for (const cut of ['', wrapped.slice(0, 20), wrapped.slice(0, -4), `${wrapped}AAAA`]) {
    await expect(ring.unwrap({ wrappedBy, wrapped: cut }, CONTEXT)).rejects.toMatchObject({ code: 'DAMAGED' });
  }
});

test('the name of a key is short, printable, stable, and no hash of the secret', () => {
  const { newest } = createKeyRing([OLD]);
  expect(newest).toMatch(/^[0-9a-f]{16}$/);
  expect(createKeyRing([OLD, NEW]).newest).toBe(newest);
  expect(createKeyRing([NEW]).newest).not.toBe(newest);
  const hashes = ['sha256', 'sha512', 'sha1', 'md5'].map((name) => createHash(name).update(OLD).digest('hex'));
  expect(hashes.some((hash) => hash.includes(newest))).toBe(false);
});

test('refuses an empty ring and a short secret', () => {
  expect(() => createKeyRing([])).toThrow(RangeError);
  expect(() => createKeyRing([NEW, new Uint8Array(31)])).toThrow('at least 32 bytes');
});
