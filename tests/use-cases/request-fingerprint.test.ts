import { createHash } from 'node:crypto';
import { createMemoryMailer, createMemoryStorage } from '@countersign/memory';
import { createNodeSecrets } from '@countersign/runtime';
import { givenClient, givenService } from '@countersign/test-support/service/service';
import { expect, it } from 'vitest';

const [OLD, NEW] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const body = { subjectType: 'kyc', subjectReference: 'user_1' };
const notify = { email: 'ada@example.org' };
const REUSED = expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }) as Error;

/** A service with a client, whose secrets can be rotated. */
async function given(ring: readonly Uint8Array[] = [OLD]) {
  const storage = createMemoryStorage();
  const mailer = createMemoryMailer();
  const first = givenService({ storage, mailer, secrets: createNodeSecrets(ring) });
  const { principal, clientId } = await givenClient(first);
  return {
    create: (fields: object, idempotencyKey = 'k', by = first) =>
      by.countersign.verifications.create(principal, { ...body, ...fields }, { idempotencyKey }),
    rotated: (next: readonly Uint8Array[]) =>
      givenService({ storage, mailer, secrets: createNodeSecrets(next), ids: { next: () => 'unused' } }),
    fingerprintOf: async (idempotencyKey = 'k') => {
      const record = await storage.verifications.findByIdempotencyKey(clientId, idempotencyKey);
      return record?.idempotencyFingerprint ?? expect.fail('no record');
    },
  };
}

it('of a request without an address: the SHA-256 of the request', async () => {
  const { create, fingerprintOf } = await given();
  await create({});
  expect(await fingerprintOf()).toBe(sha256('{"metadata":{},"subjectReference":"user_1","subjectType":"kyc"}'));
});

it('of a request with an address: cannot be computed without the secret, and differs for each key', async () => {
  const { create, fingerprintOf } = await given();
  const other = await given([NEW]);
  await create({ notify });
  await create({ notify, subjectReference: 'user_2' }, 'l');
  await other.create({ notify });

  const fingerprint = await fingerprintOf();
  expect(new Set([fingerprint, await fingerprintOf('l'), await other.fingerprintOf()]).size).toBe(3);
  const request =
    '{"metadata":{},"notify":{"email":"ada@example.org"},"subjectReference":"user_1","subjectType":"kyc"}';
  for (const guess of [request, notify.email, JSON.stringify(notify)])
    expect(fingerprint).not.toContain(sha256(guess));
});

it('the same request is replayed after a rotation of the secrets, until the old secret is removed', async () => {
  const { create, rotated } = await given();
  const { verification } = await create({ notify });
  const again = await create({ notify }, 'k', rotated([NEW, OLD]));
  expect(again).toMatchObject({ replayed: true, verification: { id: verification.id } });
  await expect(create({ notify }, 'k', rotated([NEW]))).rejects.toThrow(REUSED);
});

it.each<[what: string, first: object, second: object]>([
  ['another address', { notify }, { notify: { email: 'eve@example.org' } }],
  ['no address', { notify }, {}],
  ['an address that was not there', {}, { notify }],
  ['another field', { notify }, { notify, locale: 'de' }],
])('%s makes it another request', async (_, first, second) => {
  const { create } = await given();
  await create(first);
  await expect(create(second)).rejects.toThrow(REUSED);
});
