import { CountersignError, createCountersign, faultBehind, type SubjectAccess } from '@countersign/domain';
import type { Evidence, EvidenceIntake, EvidencePlace, EvidenceStore } from '@countersign/domain/evidence';
import { BUILT_IN_FLOWS, currentFlow, type Flow, type Flows } from '@countersign/domain/flows';
import type { Sealing, VerificationRepository } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { dashboardOf } from '@countersign/test-support/installation/dashboard';
import { answerStep } from '@countersign/test-support/service/answers';
import { askAll } from '@countersign/test-support/service/flow-settings';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, outcomesOf, type Service } from '@countersign/test-support/service/service';
import { describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const MINUTE = 60_000;

const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
const PDF = new TextEncoder().encode('%PDF-1.7');

async function* upload(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function givenSubject(service: Pick<Service, 'countersign'>) {
  const client = await givenClient(service);
  await askAll(service.countersign, client.clientId);
  const body = { subjectType: 'kyc', subjectReference: 'user_1' };
  const { verification } = await service.countersign.verifications.create(client.principal, body);
  const { id, verificationUrl } = verification;
  const { access } = await service.countersign.subject.open(verificationUrl.split('/').at(-1) as string);
  return { id, access, client, verificationUrl };
}

const { consent, person, ...others } = currentFlow('kyc').steps;

/** The address before the pictures, so that the evidence store is still empty at the address. */
const FLOWS: Flows = {
  ...BUILT_IN_FLOWS,
  kyc: [
    { type: 'kyc', version: 1, steps: { consent, person, address: others.address, ...others } as Flow['steps'] },
  ],
};

/** At the step address, with the contents of the store. */
async function atAddress(ports: { evidence?: Evidence; storage?: Service['storage']; sealing?: Sealing } = {}) {
  const service = givenService(ports, { flows: FLOWS });
  const subject = await givenSubject(service);
  const { countersign } = service;
  for (const step of ['consent', 'person'] as const) await answerStep(countersign, subject.access, step);
  return { service, ...service, ...subject };
}

async function placesIn(store: EvidenceStore): Promise<EvidencePlace[]> {
  const places: EvidencePlace[] = [];
  for await (const place of store.listWrittenBefore(new Date(8.64e15))) places.push(place);
  return places;
}

const ALL_ENTRIES = {
  actorId: undefined,
  clientId: undefined,
  outcome: undefined,
  appendedFrom: undefined,
  appendedUntil: undefined,
  before: undefined,
  limit: 10,
};

const proof = { step: 'address', kind: 'proof_of_address' } as const;

describe('the subject’s view', () => {
  it('the subject’s view has the current state, and the link for another device', async () => {
    const { countersign, access, verificationUrl } = await atAddress();
    expect(await countersign.subject.read(access)).toMatchObject({ status: 'pending', drafts: {} });
    expect(await countersign.subject.linkOf(access)).toBe(verificationUrl);
  });

  it('the subject’s view is refused once the link has ended', async () => {
    const { service, countersign, access, client, id } = await atAddress();
    await dashboardOf(service, client.clientId).verifications.renewLink(id);
    const calls = (given: SubjectAccess) => [
      countersign.subject.read(given),
      countersign.subject.linkOf(given),
      countersign.subject.readFile(given, 'x'),
      countersign.subject.uploadFile(given, proof, upload(JPEG)),
      countersign.subject.saveDraft(given, { step: 'address', fields: ['city'], input: { city: 'X' } }),
    ];
    expect(await outcomesOf(calls(access))).toEqual({ LINK_INVALID: 5 });
  });
});

describe('a draft', () => {
  const part = {
    step: 'address',
    fields: ['line1', 'city'],
    input: { line1: 'Unter den Linden 1', city: 'Berlin' },
  };

  it('a draft is available on another device, and hidden from the client', async () => {
    const { countersign, access, client, id, verificationUrl } = await atAddress();
    await countersign.subject.saveDraft(access, part);
    const other = await countersign.subject.open(verificationUrl.split('/').at(-1) as string);
    expect(other.verification.drafts).toEqual({ address: part.input });
    const details = await countersign.verifications.details(client.principal, id);
    expect(details.currentStep).toBe(2);
    expect(JSON.stringify(details)).not.toContain('Unter den Linden');
  });

  it('a draft is stored with the answers, which are sealed, and writes no event', async () => {
    const { countersign, storage, access, id } = await atAddress();
    const before = await storage.verifications.findWithEventsForAnyClient(id, 100);
    await countersign.subject.saveDraft(access, part);
    const after = await storage.verifications.findWithEventsForAnyClient(id, 100);
    expect(after?.events).toEqual(before?.events);
    const { answers, ...rest } = after?.record ?? {};
    expect(JSON.stringify(answers)).toContain('Unter den Linden');
    expect(JSON.stringify(rest)).not.toContain('Unter den Linden');
  });

  it.each([
    ['a bad field', { ...part, input: { line1: '', city: 'Berlin' } }],
    ['no fields', { ...part, fields: [] }],
    ['too many fields', { ...part, fields: Array.from({ length: 51 }, () => 'city') }],
  ])('a draft with %s is refused, and nothing is stored', async (_what, bad) => {
    const { countersign, access } = await atAddress();
    await expect(countersign.subject.saveDraft(access, bad)).rejects.toThrow(withCode('INVALID_PARAMETERS'));
    expect((await countersign.subject.read(access)).drafts).toEqual({});
  });

  it('a draft of two parts that are saved at once has both', async () => {
    const { countersign, access } = await atAddress();
    const save = (field: string) =>
      countersign.subject.saveDraft(access, { step: 'address', fields: [field], input: { [field]: 'X' } });
    await Promise.all([save('line1'), save('city'), save('region')]);
    expect((await countersign.subject.read(access)).drafts).toEqual({
      address: { line1: 'X', city: 'X', region: 'X' },
    });
  });
});

describe('an upload', () => {
  it('an upload is checked, stored and attached', async () => {
    const { countersign, access, evidence, client, id } = await atAddress();
    const { file, verification } = await countersign.subject.uploadFile(access, proof, upload(PDF));
    expect(file).toMatchObject({ ...proof, contentType: 'application/pdf', size: PDF.length, warnings: [] });
    expect(verification.files).toEqual([file]);
    expect(await placesIn(evidence.store)).toEqual([
      { clientId: client.clientId, verificationId: id, fileId: file.id },
    ]);
    const whole = { file, content: PDF, contentType: 'application/pdf' };
    expect(await countersign.subject.readFile(access, file.id)).toEqual(whole);
    expect(await reviewAs(countersign).readFile(id, file.id)).toEqual(whole);
  });

  it.each<[what: string, code: string, target: { step: string; kind: string }]>([
    ['for a step that is not open', 'STEP_OUT_OF_TURN', { step: 'selfie', kind: 'selfie' }],
    ['of a kind that the step has no use for', 'INVALID_PARAMETERS', { step: 'address', kind: 'selfie' }],
    ['of no kind', 'INVALID_PARAMETERS', { step: 'address', kind: 'holiday' }],
  ])('%s is refused before a byte is read', async (_what, code, target) => {
    const { countersign, access, evidence } = await atAddress();
    let isRead = false;
    async function* watched() {
      isRead = true;
      yield JPEG;
    }
    const refused = countersign.subject.uploadFile(access, target as typeof proof, watched());
    await expect(refused).rejects.toThrow(withCode(code));
    expect(isRead).toBe(false);
    expect(await placesIn(evidence.store)).toEqual([]);
  });

  it.each([
    ['nothing', 'FILE_EMPTY', []],
    ['a script', 'FILE_TYPE_REFUSED', [new TextEncoder().encode('<svg>')]],
    ['11 MB', 'FILE_TOO_LARGE', [JPEG, new Uint8Array(11 * 1024 * 1024)]],
  ])('an upload of %s is refused, and nothing is stored', async (_what, code, chunks) => {
    const { countersign, access, evidence } = await atAddress();
    await expect(countersign.subject.uploadFile(access, proof, upload(...chunks))).rejects.toThrow(withCode(code));
    expect(await placesIn(evidence.store)).toEqual([]);
    expect((await countersign.subject.read(access)).files).toEqual([]);
  });

  it('an upload of a PDF is refused for a kind that must be a picture', async () => {
    const { countersign, access } = await atAddress();
    await answerStep(countersign, access, 'address');
    const front = { step: 'document', kind: 'document_front' } as const;
    await expect(countersign.subject.uploadFile(access, front, upload(PDF))).rejects.toThrow(
      withCode('FILE_TYPE_REFUSED'),
    );
  });

  it('an upload after the twentieth is refused, also of many at once, and leaves nothing behind', async () => {
    const { countersign, access, evidence } = await atAddress();
    for (let count = 0; count < 18; count += 1) await countersign.subject.uploadFile(access, proof, upload(JPEG));
    const calls = Array.from({ length: 5 }, () => countersign.subject.uploadFile(access, proof, upload(JPEG)));
    expect(await outcomesOf(calls)).toEqual({ ok: 2, FILE_LIMIT_REACHED: 3 });
    const named = (await countersign.subject.read(access)).files.map(({ id }) => id);
    expect((await placesIn(evidence.store)).map(({ fileId }) => fileId).sort()).toEqual(named.sort());
  });

  it('an upload whose link is renewed meanwhile leaves nothing behind', async () => {
    const { service, countersign, access, evidence, client, id } = await atAddress();
    async function* slow() {
      await dashboardOf(service, client.clientId).verifications.renewLink(id);
      yield JPEG;
    }
    await expect(countersign.subject.uploadFile(access, proof, slow())).rejects.toThrow(withCode('LINK_INVALID'));
    expect(await placesIn(evidence.store)).toEqual([]);
  });

  it('an upload that may have been attached before the database stopped answering is left for tidying', async () => {
    const memory = createMemoryStorage();
    let isSilent = false;
    const commit: VerificationRepository['commit'] = async (change) => {
      const outcome = await memory.verifications.commit(change);
      if (isSilent) throw new CountersignError('SERVICE_UNAVAILABLE', 'no answer');
      return outcome;
    };
    const storage = { ...memory, verifications: { ...memory.verifications, commit } };
    const { countersign, access, evidence } = await atAddress({ storage });
    isSilent = true;
    await expect(countersign.subject.uploadFile(access, proof, upload(JPEG))).rejects.toThrow(
      withCode('SERVICE_UNAVAILABLE'),
    );
    isSilent = false;
    const [file] = (await countersign.subject.read(access)).files;
    expect(await countersign.subject.readFile(access, file?.id ?? '')).toMatchObject({ content: JPEG });
    expect(await placesIn(evidence.store)).toHaveLength(1);
  });

  it('an upload without the port `evidence` rejects and names the port', async () => {
    const { clock, storage } = givenService();
    const ports = {
      storage,
      sealing: 'none' as const,
      clock,
      rateLimiter: createMemoryRateLimiter(clock),
      ids: createCountingIds(),
      secrets: createCountingSecrets(),
    };
    const countersign = createCountersign(ports, { publicBaseUrl: 'https://verify.example', flows: FLOWS });
    const { access } = await givenSubject({ countersign });
    await answerStep(countersign, access, 'consent');
    await answerStep(countersign, access, 'person');
    await expect(countersign.subject.uploadFile(access, proof, upload(JPEG))).rejects.toThrow(
      'port `evidence` is missing',
    );
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 0, foreign: 0 });
  });
});

describe('a file', () => {
  it('a file of a closed step, of another verification, or unknown is not found', async () => {
    const { countersign, access, service } = await atAddress();
    const { file } = await countersign.subject.uploadFile(access, proof, upload(JPEG));
    const body = { subjectType: 'kyc', subjectReference: 'user_2' };
    const { principal } = await givenClient(service);
    const { verification } = await countersign.verifications.create(principal, body);
    const other = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) as string);
    const calls = [
      countersign.subject.readFile(other.access, file.id),
      countersign.subject.readFile(access, 'unknown'),
      reviewAs(countersign).readFile(verification.id, file.id),
    ];
    expect(await outcomesOf(calls)).toEqual({ FILE_NOT_FOUND: 3 });

    for (const step of ['address', 'document', 'selfie', 'attestation'] as const) {
      await answerStep(countersign, access, step);
    }
    await countersign.subject.submit(access);
    await expect(countersign.subject.readFile(access, file.id)).rejects.toThrow(withCode('FILE_NOT_FOUND'));
  });

  it('a file whose content is missing is not found, with the fault behind it', async () => {
    const { countersign, access, evidence, client, id } = await atAddress();
    const { file } = await countersign.subject.uploadFile(access, proof, upload(JPEG));
    await evidence.store.delete({ clientId: client.clientId, verificationId: id, fileId: file.id });
    const error: unknown = await countersign.subject.readFile(access, file.id).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(faultBehind(error)).toMatchObject({ code: 'FILE_MISSING', verificationId: id, fileId: file.id });
  });
});

describe('thumbnails', () => {
  const THUMBNAIL = Uint8Array.of(0xff, 0xd8, 0xff, 0xe1);

  /** An intake that draws the same thumbnail of each file. */
  function drawing(): EvidenceIntake {
    const trusting = createTrustingIntake();
    return {
      async receive(...upload) {
        const thumbnail = { content: THUMBNAIL, sha256: 'a'.repeat(64) };
        return { ...(await trusting.receive(...upload)), thumbnail };
      },
    };
  }

  async function givenThumbnail(ports: { readonly sealing?: Sealing } = {}) {
    const store = createMemoryEvidenceStore();
    const given = await atAddress({ ...ports, evidence: { store, intake: drawing() } });
    const { file } = await given.countersign.subject.uploadFile(given.access, proof, upload(JPEG));
    return { ...given, file, store };
  }
  const idsIn = async (store: EvidenceStore) => (await placesIn(store)).map(({ fileId }) => fileId).sort();

  it('a thumbnail is stored with its file, and the subject reads it while the step is open', async () => {
    const { countersign, access, file, store } = await givenThumbnail();
    expect(file.thumbnail).toEqual({ size: 4, sha256: 'a'.repeat(64) });
    expect(await idsIn(store)).toEqual([file.id, `${file.id}-thumbnail`]);
    expect((await countersign.subject.readFile(access, file.id, 'thumbnail')).content).toEqual(THUMBNAIL);
    await expect(countersign.subject.readFile(access, `${file.id}-thumbnail`)).rejects.toThrow(
      withCode('FILE_NOT_FOUND'),
    );
  });

  it('a thumbnail is sealed like its file', async () => {
    const sealing = createSealing({ keys: createKeyRing([new Uint8Array(32).fill(1)]) });
    const { countersign, access, client, id, file, store } = await givenThumbnail({ sealing });
    const place = { clientId: client.clientId, verificationId: id, fileId: `${file.id}-thumbnail` };
    const stored = Buffer.from((await store.get(place)) ?? []);
    expect(stored.subarray(0, 7).toString('latin1')).toBe('csealed');
    expect(stored.includes(Buffer.from(THUMBNAIL))).toBe(false);
    const read = await countersign.subject.readFile(access, file.id, 'thumbnail');
    expect(Buffer.from(read.content)).toEqual(Buffer.from(THUMBNAIL));
  });

  it('a thumbnail is no file of the verification: not among its documents, not counted', async () => {
    const { countersign, access, client, id, file } = await givenThumbnail();
    await countersign.subject.completeStep(access, 'address', {
      line1: 'A',
      postalCode: '10117',
      city: 'B',
      country: 'DE',
      proofFileId: file.id,
    });
    const { documents } = await countersign.verifications.details(client.principal, id);
    expect(documents).toHaveLength(1);
    expect(JSON.stringify(documents)).not.toContain('thumbnail');
    expect((await countersign.subject.read(access)).files).toHaveLength(1);
  });

  it('a thumbnail of a file that is attached to nothing is deleted with it', async () => {
    const store = createMemoryEvidenceStore();
    const given = await atAddress({ evidence: { store, intake: drawing() } });
    const { countersign, access, client, id } = given;
    async function* late(): AsyncGenerator<Uint8Array> {
      yield JPEG;
      await dashboardOf(given, client.clientId).verifications.renewLink(id);
    }
    await expect(countersign.subject.uploadFile(access, proof, late())).rejects.toThrow(withCode('LINK_INVALID'));
    expect(await placesIn(store)).toEqual([]);
  });

  it('a thumbnail is deleted with its file when the verification is resolved', async () => {
    const given = await givenThumbnail();
    await dashboardOf(given, given.client.clientId).verifications.withdraw(given.id);
    expect(await placesIn(given.store)).toEqual([]);
  });

  it('tidying keeps a thumbnail whose file is used, and deletes what a killed process left of another', async () => {
    const { countersign, clock, client, id, file, store } = await givenThumbnail();
    for (const fileId of ['left', 'left-thumbnail']) {
      await store.put({ clientId: client.clientId, verificationId: id, fileId }, JPEG);
    }
    clock.set('2100-01-01T00:00:00.000Z');
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 2, foreign: 0 });
    expect(await idsIn(store)).toEqual([file.id, `${file.id}-thumbnail`]);
  });

  it('a thumbnail is read by reviewers, and the audit log says so', async () => {
    const given = await givenThumbnail();
    const { countersign, access, id, file } = given;
    await countersign.subject.completeStep(access, 'address', {
      line1: 'A',
      postalCode: '10117',
      city: 'B',
      country: 'DE',
      proofFileId: file.id,
    });
    const read = await reviewAs(countersign).readFile(id, file.id, { thumbnail: true });
    expect(read.content).toEqual(THUMBNAIL);
    const [entry] = await given.storage.audit.list({ ...ALL_ENTRIES, action: 'review.read_file' });
    expect(entry).toMatchObject({ targetId: id, detail: { fileId: file.id, thumbnail: true } });
  });
});

describe('unused contents', () => {
  const strayOf = ({ client, id }: Awaited<ReturnType<typeof atAddress>>) => ({
    clientId: client.clientId,
    verificationId: id,
    fileId: 'stray',
  });

  async function givenReplaced(store: EvidenceStore) {
    const given = await atAddress({ evidence: { store, intake: createTrustingIntake() } });
    const { file: first } = await given.countersign.subject.uploadFile(given.access, proof, upload(JPEG));
    const { file: second } = await given.countersign.subject.uploadFile(given.access, proof, upload(JPEG));
    const input = { line1: 'A', postalCode: '10117', city: 'B', country: 'DE', proofFileId: second.id };
    await given.countersign.subject.completeStep(given.access, 'address', input);
    const withdraw = () => dashboardOf(given, given.client.clientId).verifications.withdraw(given.id);
    return { ...given, first, second, withdraw };
  }

  it('unused contents are deleted when the verification is resolved', async () => {
    const store = createMemoryEvidenceStore();
    const { withdraw, second } = await givenReplaced(store);
    expect(await placesIn(store)).toHaveLength(2);
    await withdraw();
    expect(await placesIn(store)).toMatchObject([{ fileId: second.id }]);
  });

  it('unused contents whose deletion fails are reported, and deleted by tidying', async () => {
    const store = createMemoryEvidenceStore();
    let isBroken = true;
    const breaking: EvidenceStore = {
      ...store,
      delete: (place) => (isBroken ? Promise.reject(new Error('disk')) : store.delete(place)),
    };
    const { withdraw, countersign, clock, faults, second } = await givenReplaced(breaking);
    await expect(withdraw()).resolves.toMatchObject({ status: 'rejected' });
    expect(faults).toHaveLength(1);
    clock.set('2100-01-01T00:00:00.000Z');
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 0, foreign: 0 });
    expect(faults).toHaveLength(2);
    isBroken = false;
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 1, foreign: 0 });
    expect(await placesIn(store)).toMatchObject([{ fileId: second.id }]);
  });

  it('unused contents are tidied once they are an hour old; all others stay', async () => {
    const given = await atAddress();
    const { countersign, evidence, clock, access } = given;
    const { file } = await countersign.subject.uploadFile(access, proof, upload(JPEG));
    await evidence.store.put(strayOf(given), JPEG);
    clock.advance(60 * MINUTE);
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 0, foreign: 0 });
    clock.advance(1);
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 1, foreign: 0 });
    expect(await placesIn(evidence.store)).toMatchObject([{ fileId: file.id }]);
  });

  it('unused contents of unknown verifications stay and are counted: it may be the wrong database', async () => {
    const { countersign, evidence, clock, faults } = await atAddress();
    for (const [verificationId, fileId] of [
      ['one', 'a'],
      ['one', 'b'],
      ['other', 'c'],
    ] as const) {
      await evidence.store.put({ clientId: 'another', verificationId, fileId }, JPEG);
    }
    clock.advance(120 * MINUTE);
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 0, foreign: 3 });
    expect(await placesIn(evidence.store)).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  it('stay while the database does not answer', async () => {
    const memory = createMemoryStorage();
    let isSilent = false;
    const find: VerificationRepository['find'] = async (...ids) => {
      if (isSilent) throw new CountersignError('SERVICE_UNAVAILABLE', 'no answer');
      return memory.verifications.find(...ids);
    };
    const storage = { ...memory, verifications: { ...memory.verifications, find } };
    const given = await atAddress({ storage });
    const { countersign, evidence, clock, faults } = given;
    await evidence.store.put(strayOf(given), JPEG);
    clock.advance(120 * MINUTE);
    isSilent = true;
    expect(await countersign.evidence.tidy()).toEqual({ deleted: 0, foreign: 0 });
    expect(faults).toHaveLength(1);
    expect(await placesIn(evidence.store)).toHaveLength(1);
  });
});
