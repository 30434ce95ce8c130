import type { SubjectAccess } from '@countersign/domain';
import { eraseVerificationData, holdVerification, releaseVerificationHold } from '@countersign/domain/actions';
import type { EvidenceKind, EvidenceStore } from '@countersign/domain/evidence';
import type { StepKey } from '@countersign/domain/flows';
import { createMemoryEvidenceStore, createTrustingIntake } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const DOCUMENT = { type: 'passport', issuingCountry: 'DE', number: 'C01X00T47', expiresOn: '2099-12-31' };
const FILES_MAX = 20;

let store: EvidenceStore;
let isBroken: boolean;
let service: Service;
let client: Awaited<ReturnType<typeof givenClient>>;
let id: string;
let access: SubjectAccess;

beforeEach(async () => {
  isBroken = false;
  const memory = createMemoryEvidenceStore();
  store = {
    ...memory,
    delete: (place) => (isBroken ? Promise.reject(new Error('disk')) : memory.delete(place)),
  };
  service = givenService({ evidence: { store, intake: createTrustingIntake() } });
  client = await givenClient(service);
  const body = { subjectType: 'kyc', subjectReference: 'user_1' };
  id = (await service.countersign.verifications.create(client.principal, body)).verification.id;
  access = await openLink();
});

async function openLink(): Promise<SubjectAccess> {
  const { verificationUrl } = await service.countersign.verifications.get(client.principal, id);
  return (await service.countersign.subject.open(verificationUrl.split('/').at(-1) as string)).access;
}

async function take(step: StepKey, kind: EvidenceKind): Promise<string> {
  const upload = (async function* () {
    yield newJpeg();
  })();
  return (await service.countersign.subject.uploadFile(access, { step, kind }, upload)).file.id;
}

async function takeDocument(): Promise<string> {
  const frontFileId = await take('document', 'document_front');
  await service.countersign.subject.completeStep(access, 'document', { ...DOCUMENT, frontFileId });
  return frontFileId;
}

async function contents(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { fileId } of store.listWrittenBefore(new Date(8.64e15))) ids.push(fileId);
  return ids.sort();
}

const named = async () => (await service.countersign.subject.read(access)).files.map((file) => file.id).sort();

/** Everything is answered, with as many pictures as a verification takes. */
async function givenRetaken(): Promise<{ front: string; selfie: string }> {
  const { countersign } = service;
  await answerStep(countersign, access, 'consent');
  const front = await takeDocument();
  await answerStep(countersign, access, 'person');
  let selfie = '';
  while ((await named()).length < FILES_MAX) selfie = await take('selfie', 'selfie');
  await countersign.subject.completeStep(access, 'selfie', { fileId: selfie });
  await answerStep(countersign, access, 'address');
  await answerStep(countersign, access, 'attestation');
  return { front, selfie };
}

/** Submitted, and the document requested again. */
async function askForDocument(): Promise<void> {
  const { version } = await service.countersign.subject.submit(access);
  const items = [{ step: 'document', reasonCode: 'document_glare' as const }];
  await reviewAs(service.countersign).askForAction({ verificationId: id, version }, { items });
  access = await openLink();
}

describe('replaced pictures', () => {
  it('replaced pictures are deleted by the submission', async () => {
    const { front, selfie } = await givenRetaken();
    expect(await contents()).toHaveLength(FILES_MAX);
    await service.countersign.subject.submit(access);
    expect(await named()).toEqual([front, selfie].sort());
    expect(await contents()).toEqual([front, selfie].sort());
  });

  it('stay if the submission is refused', async () => {
    const { countersign } = service;
    await answerStep(countersign, access, 'consent');
    const front = await takeDocument();
    const retaken = await take('document', 'document_front');
    await expect(countersign.subject.submit(access)).rejects.toMatchObject({ code: 'STEPS_INCOMPLETE' });
    expect(await contents()).toEqual([front, retaken].sort());
  });

  it('leave room for files that a reviewer asks for', async () => {
    const { front, selfie } = await givenRetaken();
    await askForDocument();
    const better = await takeDocument();
    await service.countersign.subject.submit(access);
    // The reviewer saw the first picture.
    expect(await contents()).toEqual([front, selfie, better].sort());
    expect(await reviewAs(service.countersign).readFile(id, front)).toMatchObject({
      content: expect.any(Uint8Array),
    });
  });

  it('replaced pictures of a redo are deleted by its submission, and the pictures it replaced stay beyond the decision', async () => {
    const { front, selfie } = await givenRetaken();
    await askForDocument();
    await takeDocument();
    const best = await takeDocument();
    const { version } = await service.countersign.subject.submit(access);
    expect(await contents()).toEqual([front, selfie, best].sort());
    await reviewAs(service.countersign).approve({ verificationId: id, version });
    expect(await contents()).toEqual([front, selfie, best].sort());
  });

  it('replaced pictures of a verification on hold stay when an erasure withdraws it, and it does not expire', async () => {
    await answerStep(service.countersign, access, 'consent');
    const first = await take('document', 'document_front');
    const retaken = await take('document', 'document_front');
    const operator = service.countersign.as({ kind: 'command_line' });
    await operator.run(holdVerification, { verificationId: id, reason: 'a court order' });
    service.clock.set('2100-01-01T00:00:00.000Z');
    expect(await service.countersign.expiry.expire()).toEqual({ expired: 0, isDone: true });
    await operator.run(eraseVerificationData, { verificationId: id, withdraw: true });
    expect((await service.countersign.verifications.get(client.principal, id)).status).toBe('rejected');
    expect(await contents()).toEqual([first, retaken].sort());
  });

  it('replaced pictures of a verification on hold stay after its submission, and leave room for files that a reviewer asks for', async () => {
    const { front, selfie } = await givenRetaken();
    const retaken = await contents();
    const operator = service.countersign.as({ kind: 'command_line' });
    await operator.run(holdVerification, { verificationId: id, reason: 'a court order' });
    await askForDocument();
    expect(await contents()).toEqual(retaken);

    const better = await takeDocument();
    const unused = retaken.find((fileId) => fileId !== front && fileId !== selfie) ?? expect.fail();
    const { countersign } = service;
    await expect(countersign.subject.readFile(access, unused)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    const { version } = await countersign.subject.submit(access);
    expect(await contents()).toEqual([...retaken, better].sort());
    const { documents } = await countersign.verifications.details(client.principal, id);
    expect(JSON.stringify(documents)).not.toContain('Hold');

    await operator.run(releaseVerificationHold, { verificationId: id });
    await reviewAs(countersign).approve({ verificationId: id, version: version + 1 });
    expect(await contents()).toEqual([front, selfie, better].sort());
  });

  it('replaced pictures that cannot be deleted are reported, delay nothing, and are deleted by tidying', async () => {
    const { front, selfie } = await givenRetaken();
    isBroken = true;
    await expect(service.countersign.subject.submit(access)).resolves.toMatchObject({ status: 'submitted' });
    expect(service.faults).toHaveLength(FILES_MAX - 2);
    isBroken = false;
    service.clock.set('2100-01-01T00:00:00.000Z');
    expect(await service.countersign.evidence.tidy()).toMatchObject({ deleted: FILES_MAX - 2 });
    expect(await contents()).toEqual([front, selfie].sort());
  });
});
