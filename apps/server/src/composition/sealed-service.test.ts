// A subject answers each step, with pictures that are decoded and sealed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Countersign } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { pdf } from '@countersign/test-support/pages/pictures';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { defaultEvidence } from '../config/evidence-setting.ts';
import { createCore } from './core.ts';
import { createEvidence } from './evidence.ts';
import { sealingWith } from './sealing.ts';

const CANARY = 'Quisling-Undergrove';
const LETTER = pdf(`${CANARY}, Unter den Linden 1`);
const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

/** The secrets of the data keys that were opened, in order. */
let usedSecrets: string[];
beforeEach(() => {
  usedSecrets = [];
});

/** Opens the service as a server does, on a real file and a real folder. */
async function openService(...secretKeys: Buffer[]): Promise<Countersign> {
  const storage = await createSqliteStorage({ file: join(dataDir, 'countersign.db') });
  onTestFinished(() => storage.close());
  const evidence = await createEvidence({ evidence: defaultEvidence(dataDir), dataDir });
  return createCore({
    storage,
    sealing: sealingWith(secretKeys, (secret) => usedSecrets.push(secret)),
    rateLimiter: createMemoryRateLimiter(),
    secretKeys,
    evidence,
    settings: { publicBaseUrl: 'https://verify.example' },
  }).countersign;
}

/** Creates a verification whose subject has entered a name and uploaded a letter. */
async function givenSubject(service: Countersign): Promise<{ id: string; fileId: string }> {
  const { client } = await service.clients.create({ name: 'Acme', plan: 'standard' });
  const { value } = await service.apiKeys.issue(client.id, { permissions: ['*'] });
  const { verification } = await service.verifications.create(await service.authenticate(value), {
    subjectType: 'kyc',
    subjectReference: 'user_1',
  });
  const { access } = await service.subject.open(verification.verificationUrl.split('/').at(-1) ?? '');
  await answerStep(service, access, 'consent');
  await answerStep(service, access, 'document');
  await service.subject.completeStep(access, 'person', {
    firstName: 'Philippa',
    lastName: CANARY,
    dateOfBirth: '1990-02-28',
    placeOfBirth: { city: 'Bath', country: 'GB' },
    nationalities: ['GB'],
  });
  await answerStep(service, access, 'selfie');
  const { file } = await service.subject.uploadFile(
    access,
    { step: 'address', kind: 'proof_of_address' },
    (async function* () {
      yield LETTER;
    })(),
  );
  return { id: verification.id, fileId: file.id };
}

function everythingOnTheDisk(): string {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

test('sealing: answers and files of a subject are not on disk in clear, and a reviewer reads them', async () => {
  const service = await openService(OLD);
  const { id, fileId } = await givenSubject(service);

  const onTheDisk = everythingOnTheDisk();
  expect(onTheDisk).toContain('user_1');
  expect(onTheDisk).toContain('csealed');
  expect(onTheDisk).not.toMatch(/Quisling|Undergrove|Philippa|Unter den Linden/);

  const { verification } = await reviewAs(service).open(id);
  expect(verification.steps).toMatchObject({ person: { answers: { lastName: CANARY } } });
  const { content } = await reviewAs(service).readFile(id, fileId);
  expect(LETTER.equals(content)).toBe(true);
});

test('sealing: a server with a newer secret in front reads the data; one without the older secret does not', async () => {
  const { id, fileId } = await givenSubject(await openService(OLD));

  const both = await openService(NEW, OLD);
  expect((await reviewAs(both).open(id)).verification.steps).toMatchObject({
    person: { answers: { lastName: CANARY } },
  });

  const newest = await openService(NEW);
  await expect(reviewAs(newest).open(id)).rejects.toMatchObject({ cause: { code: 'UNKNOWN_KEY' } });
  await expect(reviewAs(newest).readFile(id, fileId)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: { code: 'UNKNOWN_KEY' },
  });
});

test('sealing: reports which secret opened a data key', async () => {
  const { id } = await givenSubject(await openService(OLD));
  expect(new Set(usedSecrets)).toEqual(new Set(['newest']));
  usedSecrets = [];
  await reviewAs(await openService(NEW, OLD)).open(id);
  expect(new Set(usedSecrets)).toEqual(new Set(['older']));
});
