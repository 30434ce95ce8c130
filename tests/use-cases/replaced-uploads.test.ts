import type { SubjectAccess } from '@countersign/domain';
import { holdVerification, setRetentionPolicy } from '@countersign/domain/actions';
import type { EvidenceStore } from '@countersign/domain/evidence';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryEvidenceStore, createTrustingIntake } from '@countersign/memory';
import { onEachStorage } from '@countersign/test-support/installation/given-storages';
import { answerStep } from '@countersign/test-support/service/answers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { expect, it } from 'vitest';

const DOCUMENT = { type: 'passport', issuingCountry: 'DE', number: 'C01X00T47', expiresOn: '2099-12-31' };

/** The redo is on 2026-03-01, and the period of 30 days ends with 2026-03-31. */
const BEFORE_END = '2026-03-31T23:59:59.999Z';
const AFTER_END = '2026-04-01T00:00:00.000Z';

interface Given {
  readonly service: Service;
  readonly store: EvidenceStore;
  readonly clientId: string;
  readonly id: string;
  readonly version: number;
  readonly replaced: string;
  readonly current: string;
}

/** A submitted verification whose document was taken again in a redo. */
async function givenRedone(storage: Storage): Promise<Given> {
  const store = createMemoryEvidenceStore();
  const service = givenService({ storage, evidence: { store, intake: createTrustingIntake() } });
  const { countersign } = service;
  const { principal } = await givenClient(service);
  const body = { subjectType: 'kyc', subjectReference: 'user_1' };
  const { id } = (await countersign.verifications.create(principal, body)).verification;
  const open = async (): Promise<SubjectAccess> => {
    const { verificationUrl } = await countersign.verifications.get(principal, id);
    return (await countersign.subject.open(verificationUrl.split('/').at(-1) ?? '')).access;
  };
  const takeDocument = async (access: SubjectAccess): Promise<string> => {
    const upload = (async function* () {
      yield newJpeg();
    })();
    const target = { step: 'document', kind: 'document_front' } as const;
    const { file } = await countersign.subject.uploadFile(access, target, upload);
    await countersign.subject.completeStep(access, 'document', { ...DOCUMENT, frontFileId: file.id });
    return file.id;
  };

  const access = await open();
  await answerStep(countersign, access, 'consent');
  const replaced = await takeDocument(access);
  for (const step of ['person', 'selfie', 'address', 'attestation'] as const)
    await answerStep(countersign, access, step);
  const { version } = await countersign.subject.submit(access);
  const items = [{ step: 'document', reasonCode: 'document_glare' as const }];
  await reviewAs(countersign).askForAction({ verificationId: id, version }, { items });
  const again = await open();
  const current = await takeDocument(again);
  const submitted = await countersign.subject.submit(again);
  // The reviewer who asked for the redo has the claim again.
  const seen = { verificationId: id, version: submitted.version };
  const released = await reviewAs(countersign).release(seen);
  return { service, store, clientId: principal.clientId, id, version: released.version, replaced, current };
}

/** Which of the two pictures the store has, and the record names. */
async function picturesOf({ service, store, clientId, id, replaced, current }: Given): Promise<string[]> {
  const record = await service.storage.verifications.find(clientId, id);
  const files = JSON.stringify(record?.reviewData.files ?? []);
  const stored = new Set<string>();
  for await (const { fileId } of store.listWrittenBefore(new Date(8.64e15))) stored.add(fileId);
  const names = { replaced, current };
  return Object.entries(names).flatMap(([name, fileId]) => {
    const isNamed = files.includes(`"id":"${fileId}"`);
    expect(isNamed, name).toBe(stored.has(fileId));
    return isNamed ? [name] : [];
  });
}

async function runAt({ service }: Given, at: string): Promise<void> {
  service.clock.set(at);
  await service.countersign.retention.run();
  expect(service.faults).toEqual([]);
}

const CASES: Readonly<Record<string, (storage: Storage) => Promise<void>>> = {
  'of an open verification are deleted at the end of the period': async (storage) => {
    const given = await givenRedone(storage);
    await runAt(given, '2026-03-01T12:00:00Z');
    expect(await picturesOf(given)).toEqual(['replaced', 'current']);
    // Looked at once a day.
    for (let day = 2; day <= 31; day += 1) await runAt(given, `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`);
    await runAt(given, BEFORE_END);
    expect(await picturesOf(given)).toEqual(['replaced', 'current']);
    const { version } = (await storage.verifications.findForAnyClient(given.id)) ?? {};
    expect(version, 'looking changes no version').toBe(given.version);

    await runAt(given, AFTER_END);

    expect(await picturesOf(given)).toEqual(['current']);
    expect(await storage.retention.uploadsDue({ now: new Date('2100-01-01'), limit: 10 })).toEqual([]);
    expect(await reviewAs(given.service.countersign).readFile(given.id, given.current)).toMatchObject({
      content: expect.any(Uint8Array),
    });
  },

  'stay beyond the decision until the end of the period': async (storage) => {
    const given = await givenRedone(storage);
    await reviewAs(given.service.countersign).approve({ verificationId: given.id, version: given.version });
    expect(await picturesOf(given)).toEqual(['replaced', 'current']);

    await runAt(given, AFTER_END);

    expect(await picturesOf(given)).toEqual(['current']);
  },

  'stay while a reviewer has claimed the verification, and go within a day after the decision': async (
    storage,
  ) => {
    const given = await givenRedone(storage);
    const review = reviewAs(given.service.countersign);
    const { version } = await review.claim({ verificationId: given.id, version: given.version });

    await runAt(given, AFTER_END);

    expect(await picturesOf(given)).toEqual(['replaced', 'current']);
    await review.approve({ verificationId: given.id, version });
    await runAt(given, '2026-04-02T00:00:00.000Z');
    expect(await picturesOf(given)).toEqual(['current']);
  },

  'stay during a hold': async (storage) => {
    const given = await givenRedone(storage);
    const operator = given.service.countersign.as({ kind: 'command_line' });
    const reason = 'an order of a court';
    await operator.run(holdVerification, { verificationId: given.id, reason, until: '2026-04-03T00:00:00Z' });

    await runAt(given, AFTER_END);
    expect(await picturesOf(given)).toEqual(['replaced', 'current']);
    await runAt(given, '2026-04-05T00:00:00Z');
    expect(await picturesOf(given)).toEqual(['current']);
  },

  'go within a day after a shorter policy': async (storage) => {
    const given = await givenRedone(storage);
    await runAt(given, '2026-03-02T12:00:00Z');
    const operator = given.service.countersign.as({ kind: 'command_line' });
    const input = { clientId: given.clientId, ...POLICY, replacedUploads: 'P1D' };
    await operator.run(setRetentionPolicy, input);

    await runAt(given, '2026-03-03T12:00:00Z');

    expect(await picturesOf(given)).toEqual(['current']);
  },

  'are deleted once by two jobs at the same time': async (storage) => {
    const given = await givenRedone(storage);
    given.service.clock.set(AFTER_END);

    await Promise.all([given.service.countersign.retention.run(), given.service.countersign.retention.run()]);

    expect(await picturesOf(given)).toEqual(['current']);
    const record = await storage.verifications.findForAnyClient(given.id);
    expect(record?.version).toBe(given.version + 1);
  },
};

const POLICY = { approvedAfterEnd: 'P5Y', approvedLongest: 'P10Y', rejected: 'P5Y', unfinished: 'P90D' };

onEachStorage('replaced uploads', (take) => {
  it.each(Object.entries(CASES))('%s', async (_, run) => run(await take()));
});
