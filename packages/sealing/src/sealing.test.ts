import { type Countersign, type CountersignPorts, createCountersign } from '@countersign/domain';
import type { CoreStorage, Sealing } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { expect, it } from 'vitest';
import { createKeyRing } from './key-ring.ts';
import { createSealedStorage } from './sealed-storage.ts';
import { createSealing } from './sealing.ts';

const keys = createKeyRing([Buffer.alloc(32, 1)]);
const settings = { publicBaseUrl: 'https://verify.example' };

/** The ports of a service whose storage and evidence store a test can look into. */
function givenPorts() {
  const clock = createFixedClock();
  return {
    storage: createMemoryStorage(),
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids: createCountingIds(),
    secrets: createCountingSecrets(),
    evidence: { store: createMemoryEvidenceStore(), intake: createTrustingIntake() },
  };
}

/** Creates a client and a verification whose subject has given consent. */
async function givenConsent(countersign: Countersign) {
  const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
  const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(value);
  const created = { subjectType: 'kyc', subjectReference: 'user_1' };
  const { verification } = await countersign.verifications.create(principal, created);
  const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) ?? '');
  await answerStep(countersign, access, 'consent');
  return { client, principal, verification, access };
}

it('createCountersign: with `sealing`, answers and files are encrypted in the ports that it was given', async () => {
  const ports = givenPorts();
  const countersign = createCountersign({ ...ports, sealing: createSealing({ keys }) }, settings);
  const { client, principal, verification, access } = await givenConsent(countersign);
  const content = Buffer.from('\xff\xd8\xff a picture of a passport', 'latin1');
  const target = { step: 'document', kind: 'document_front' } as const;
  const { file } = await countersign.subject.uploadFile(access, target, chunksOf(content));

  const stored = await ports.storage.verifications.find(client.id, verification.id);
  expect(JSON.stringify([stored?.answers, stored?.reviewData])).not.toMatch(/2026-01|document_front/);
  const place = { clientId: client.id, verificationId: verification.id, fileId: file.id };
  expect(Buffer.from((await ports.evidence.store.get(place)) ?? []).includes('passport')).toBe(false);

  const { submittedData } = await countersign.verifications.get(principal, verification.id);
  expect(submittedData).toMatchObject({ consent: { version: '2026-01' } });
  const read = await countersign.subject.readFile(access, file.id);
  expect(Buffer.from(read.content)).toEqual(content);
});

it('an upload that arrives during an erasure is refused, and leaves neither a file nor a data key', async () => {
  const ports = givenPorts();
  const countersign = createCountersign({ ...ports, sealing: createSealing({ keys }) }, settings);
  const { client, principal, verification, access } = await givenConsent(countersign);
  async function* slowly() {
    yield Buffer.from('\xff\xd8\xff a picture', 'latin1');
    await countersign.verifications.eraseData(principal, verification.id, { withdraw: true });
  }
  const target = { step: 'document', kind: 'document_front' } as const;
  await expect(countersign.subject.uploadFile(access, target, slowly())).rejects.toMatchObject({
    code: 'LINK_EXPIRED',
  });
  expect(await ports.storage.dataKeys.find(client.id, verification.id)).toBeNull();
  expect(await ports.evidence.store.filesOf({ clientId: client.id, verificationId: verification.id })).toEqual([]);
  expect(await countersign.verifyAudit()).toMatchObject({ outcome: 'intact' });
});

it.each([undefined, null, {}, 'None'])(
  'createCountersign: with %j for `sealing` refuses to start and names the port',
  (sealing) => {
    const ports: object = { ...givenPorts(), sealing };
    expect(() => createCountersign(ports as CountersignPorts, settings)).toThrow('The port `sealing` is missing');
  },
);

const sealing = createSealing({ keys });
/** A sealing of an adopter, which replaces operations of the port that it wraps. */
const spreading: Sealing = {
  ...sealing,
  sealReadings: (inner) => ({ ...inner }),
  sealIndexes: (inner) => ({ ...inner }),
  sealWebhooks: (inner) => ({ ...inner }),
};

it.each<[string, (storage: CoreStorage) => Pick<CountersignPorts, 'storage' | 'sealing'>]>([
  ['createSealing', (storage) => ({ storage, sealing })],
  ['a sealing that spreads', (storage) => ({ storage, sealing: spreading })],
  ['createSealedStorage', (storage) => ({ storage: createSealedStorage(storage, { keys }), sealing: 'none' })],
])('a core-only service with %s creates, reads and expires verifications, sealed', async (_, sealedOf) => {
  const given = givenPorts();
  const { clients, apiKeys, verifications, dataKeys, audit, ping, close } = given.storage;
  const core: CoreStorage = { clients, apiKeys, verifications, dataKeys, audit, ping, close };
  const faults: unknown[] = [];
  const countersign = createCountersign(
    { ...given, ...sealedOf(core), onFault: (fault) => void faults.push(fault) },
    { ...settings, withoutErasure: true },
  );
  expect([...countersign.parts]).toEqual([]);
  const { client, principal, verification } = await givenConsent(countersign);
  expect(JSON.stringify((await verifications.find(client.id, verification.id))?.answers)).not.toContain('2026-01');
  expect((await countersign.verifications.get(principal, verification.id)).submittedData).toMatchObject({
    consent: { version: '2026-01' },
  });
  given.clock.advance(100 * 24 * 60 * 60 * 1000);
  expect(await countersign.expiry.expire()).toEqual({ expired: 1, isDone: true });
  expect(faults).toEqual([]);
});

it('createSealing: refuses a storage that is sealed already', () => {
  const ports = givenPorts();
  const storage = createSealedStorage(ports.storage, { keys });
  const build = () => createCountersign({ ...ports, storage, sealing: createSealing({ keys }) }, settings);
  expect(build).toThrow('The storage is sealed already');
});

it('createSealing: refuses to seal a port twice', () => {
  const { verifications, readings, indexes, webhooks, dataKeys } = createMemoryStorage();
  const { sealVerifications, sealReadings, sealIndexes, sealWebhooks } = createSealing({ keys });
  const refusal = 'The storage is sealed already. Pass the storage as its factory returned it.';

  const sealed = {
    verifications: sealVerifications(verifications, dataKeys),
    readings: sealReadings(readings, dataKeys),
    indexes: sealIndexes(indexes),
    webhooks: sealWebhooks(webhooks),
  };

  expect(() => sealVerifications(sealed.verifications, dataKeys)).toThrow(refusal);
  expect(() => sealReadings(sealed.readings, dataKeys)).toThrow(refusal);
  expect(() => sealIndexes(sealed.indexes)).toThrow(refusal);
  expect(() => sealWebhooks(sealed.webhooks)).toThrow(refusal);
});

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
