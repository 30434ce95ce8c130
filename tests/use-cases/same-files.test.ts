import type { SubjectAccess } from '@countersign/domain';
import type { EvidenceKind } from '@countersign/domain/evidence';
import type { StepKey } from '@countersign/domain/flows';
import { createMemoryEvidenceStore, createTrustingIntake } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const STEPS = ['consent', 'document', 'person', 'selfie', 'address', 'attestation'] as const;
const DOCUMENT = { type: 'passport', issuingCountry: 'DE', number: 'C01X00T47', expiresOn: '2099-12-31' };

let service: Service;
let client: Awaited<ReturnType<typeof givenClient>>;
let store: ReturnType<typeof createMemoryEvidenceStore>;
let id: string;
let access: SubjectAccess;

beforeEach(async () => {
  store = createMemoryEvidenceStore();
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

async function upload(step: StepKey, kind: EvidenceKind, content: Uint8Array): Promise<string> {
  const chunks = (async function* () {
    yield content;
  })();
  return (await service.countersign.subject.uploadFile(access, { step, kind }, chunks)).file.id;
}

async function stored(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { fileId } of store.listWrittenBefore(new Date(8.64e15))) ids.push(fileId);
  return ids.sort();
}

const read = () => service.countersign.subject.read(access);
const attached = async () => (await read()).files.map((file) => file.id).sort();
const complete = (step: StepKey, input: object) => service.countersign.subject.completeStep(access, step, input);
const before = async (step: StepKey) => {
  for (const each of STEPS.slice(0, STEPS.indexOf(step as 'selfie')))
    await answerStep(service.countersign, access, each);
};

/** Everything is answered, with these two files, and submitted; the reviewer asks for one step again. */
async function givenRequest(step: 'selfie' | 'document', face: Uint8Array): Promise<void> {
  await before('selfie');
  await complete('selfie', { fileId: await upload('selfie', 'selfie', face) });
  await answerStep(service.countersign, access, 'address');
  await answerStep(service.countersign, access, 'attestation');
  const { version } = await service.countersign.subject.submit(access);
  const items = [{ step, reasonCode: 'selfie_unclear' as const }];
  await reviewAs(service.countersign).askForAction({ verificationId: id, version }, { items });
  access = await openLink();
}

async function warnings(): Promise<string[]> {
  const found = await reviewAs(service.countersign).open(id);
  return found.warnings
    .filter(({ code }) => ['same_file', 'file_unchanged'].includes(code))
    .map(({ code, step, path, detail }) => [code, `${step}.${path}`, detail].join(' ').trim());
}

describe('the same file in two places', () => {
  it('is refused with the other place, and its content is not kept', async () => {
    await before('document');
    const picture = newJpeg();
    const frontFileId = await upload('document', 'document_front', picture);
    await complete('document', { ...DOCUMENT, frontFileId });
    await answerStep(service.countersign, access, 'person');
    for (const _ of ['first try', 'second try']) {
      await expect(upload('selfie', 'selfie', picture)).rejects.toMatchObject({
        code: 'FILE_USED_ELSEWHERE',
        data: { usedFor: { step: 'document', kind: 'document_front' } },
      });
    }
    expect(await stored()).toEqual([frontFileId]);
    expect(await attached()).toEqual([frontFileId]);
  });

  it('named by two devices at the same time: one is refused', async () => {
    await before('document');
    const picture = newJpeg();
    const frontFileId = await upload('document', 'document_front', picture);
    const backFileId = await upload('document', 'document_back', picture);
    const { subject } = service.countersign;
    await subject.saveDraft(access, { step: 'document', fields: ['type'], input: { type: 'id_card' } });
    const results = await Promise.allSettled([
      subject.saveDraft(access, { step: 'document', fields: ['frontFileId'], input: { frontFileId } }),
      subject.saveDraft(access, { step: 'document', fields: ['backFileId'], input: { backFileId } }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'FILE_USED_ELSEWHERE' },
    });
  });

  it('of an earlier version of the service is a warning for the reviewer', async () => {
    await before('attestation');
    await answerStep(service.countersign, access, 'attestation');
    await service.countersign.subject.submit(access);
    expect(await warnings()).toEqual([]);
    const record = await service.storage.verifications.findForAnyClient(id);
    if (record === null) throw new Error('The verification is gone');
    const { files } = record.reviewData as { files: object[] };
    const reviewData = {
      ...record.reviewData,
      files: files.map((file) => ({ ...file, sha256: 'ab'.repeat(32) })),
    };
    const changed = { ...record, version: record.version + 1, reviewData } as typeof record;
    await service.storage.verifications.commit({ record: changed, expectedVersion: record.version, events: [] });
    expect(await warnings()).toEqual([
      'same_file document.frontFileId selfie',
      'same_file selfie.fileId document_front',
    ]);
  });
});

describe('the unchanged file in a redo', () => {
  it('the unchanged file in a redo is refused once, then accepted with a warning for the reviewer that no client reads', async () => {
    const face = newJpeg();
    await givenRequest('selfie', face);
    const kept = await stored();
    await expect(upload('selfie', 'selfie', face)).rejects.toMatchObject({ code: 'FILE_UNCHANGED' });
    expect(await stored()).toEqual(kept);
    const fileId = await upload('selfie', 'selfie', face);
    await complete('selfie', { fileId });
    await service.countersign.subject.submit(access);
    expect(await warnings()).toEqual(['file_unchanged selfie.fileId']);
    const { documents } = await service.countersign.verifications.details(client.principal, id);
    expect(documents.find((each) => each.id === fileId)).not.toHaveProperty('isUnchanged');
  });

  it('the unchanged file in redos from two devices at the same time: one is refused', async () => {
    const face = newJpeg();
    await givenRequest('selfie', face);
    const results = await Promise.allSettled([1, 2].map(() => upload('selfie', 'selfie', face)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('the unchanged file in a redo that is kept without an upload is refused once, too', async () => {
    await givenRequest('selfie', newJpeg());
    const fileId = (await read()).steps.selfie?.answers.fileId;
    const keep = () => service.countersign.subject.answerScreen(access, { screen: 'selfie', input: { fileId } });
    await expect(keep()).rejects.toMatchObject({ code: 'FILE_UNCHANGED' });
    expect((await keep()).verification).toMatchObject({ awaiting: [] });
    await service.countersign.subject.submit(access);
    expect(await warnings()).toEqual(['file_unchanged selfie.fileId']);
  });

  it('beside a new one needs no second try and no warning', async () => {
    await givenRequest('selfie', newJpeg());
    await complete('selfie', { fileId: await upload('selfie', 'selfie', newJpeg()) });
    await service.countersign.subject.submit(access);
    expect(await warnings()).toEqual([]);
  });
});
