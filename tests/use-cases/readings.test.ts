import { setImmediate as nextIteration } from 'node:timers/promises';
import type {
  DocumentReader,
  DocumentReading,
  OfferedPage,
  Principal,
  StoredReading,
  SubjectAccess,
} from '@countersign/domain';
import { VerificationFault } from '@countersign/domain';
import { eraseVerificationData } from '@countersign/domain/actions';
import type { EvidenceKind } from '@countersign/domain/evidence';
import type { StepKey } from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService, givenTestTwin, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const READ: DocumentReading = {
  outcome: 'read',
  readerVersion: '1',
  fields: {
    documentNumber: { value: 'C01X00T47', sure: true },
    dateOfBirth: { value: '1990-12-09', sure: true },
    lastName: { value: 'LOVELACE', sure: false },
  },
  type: 'passport',
  issuer: 'DE',
  digitsFit: true,
};
const PASSPORT = { type: 'passport', issuingCountry: 'DE', number: 'C01X00T47', expiresOn: '2099-12-31' };

type Read = DocumentReader['read'];
let storage: Storage;
let read: ReturnType<typeof vi.fn<Read>>;
let service: Service;
let clientId: string;
let principal: Principal;
let id: string;
let access: SubjectAccess;

beforeEach(() => given());

async function given(memory: Storage = createMemoryStorage(), isOn = true): Promise<void> {
  storage = memory;
  read = vi.fn<Read>(async () => READ);
  const reader: DocumentReader = { read: (request) => read(request) };
  service = givenService({ storage, ...(isOn && { reader }) });
  const client = await givenClient(service);
  ({ clientId, principal } = client);
  await create(principal);
}

async function create(owner: Principal): Promise<void> {
  const { verifications, subject } = service.countersign;
  const body = { subjectType: 'kyc', subjectReference: 'user_1' };
  const { verification } = await verifications.create(owner, body);
  id = verification.id;
  ({ access } = await subject.open(verification.verificationUrl.split('/').at(-1) ?? ''));
  await answerStep(service.countersign, access, 'consent');
}

async function take(step: StepKey, kind: EvidenceKind): Promise<string> {
  const upload = (async function* () {
    yield newJpeg();
  })();
  return (await service.countersign.subject.uploadFile(access, { step, kind }, upload)).file.id;
}

const stored = () => storage.readings.find({ clientId, verificationId: id });
const verification = () => service.countersign.subject.read(access);
const readingsOf = async (): Promise<readonly StoredReading[]> =>
  service.countersign.readings.of(await verification());
/** Waits until the readings that began are stored or dropped. */
const settled = () => vi.waitFor(async () => expect(await readingsOf()).not.toEqual([]));

/** Makes a reader that says when it is asked, and returns its reading when `answer` is called. */
function givenSlowReader(): { readonly asked: Promise<void>; answer(): void } {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<DocumentReading>();
  read = vi.fn<Read>(() => {
    asked.resolve();
    return answer.promise;
  });
  return { asked: asked.promise, answer: () => answer.resolve(READ) };
}

async function erase(): Promise<void> {
  const operator = service.countersign.as({ kind: 'command_line' });
  await operator.run(eraseVerificationData, { verificationId: id, withdraw: true });
}

async function withdrawn(frontFileId: string): Promise<void> {
  await service.countersign.subject.completeStep(access, 'document', { ...PASSPORT, frontFileId });
  await service.countersign.verifications.withdraw(principal, id);
}

async function decided(frontFileId: string): Promise<void> {
  await submitted(frontFileId);
  await reviewAs(service.countersign).approve({ verificationId: id, version: (await verification()).version });
}

/** Answers everything and submits, with a new picture unless one is given. */
async function submitted(picture?: string): Promise<void> {
  const { subject } = service.countersign;
  const frontFileId = picture ?? (await take('document', 'document_front'));
  await subject.completeStep(access, 'document', { ...PASSPORT, frontFileId });
  for (const step of ['person', 'selfie', 'address', 'attestation'] as const) {
    await answerStep(service.countersign, access, step);
  }
  await subject.submit(access);
}

describe('an uploaded picture of a document', () => {
  it('a picture is read in the background, with what the subject chose, and without any id', async () => {
    const { subject } = service.countersign;
    const part = { fields: ['type', 'issuingCountry'], input: { type: 'id_card', issuingCountry: 'AT' } };
    await subject.saveDraft(access, { step: 'document', ...part });
    const before = (await verification()).version;
    const fileId = await take('document', 'document_front');
    await settled();

    const [reading] = await readingsOf();
    const { sha256 } = (await verification()).files[0] ?? {};
    expect(reading).toMatchObject({ ...READ, fileId, sha256, isOffered: true, attempts: 1 });
    const content = expect.any(Uint8Array) as Uint8Array;
    expect(read.mock.calls).toEqual([
      [{ content, contentType: 'image/jpeg', documentType: 'id_card', issuer: 'AT' }],
    ]);
    // The upload alone raised the version: no form gets a conflict.
    expect((await verification()).version).toBe(before + 1);
  });

  it('files of other kinds are not read', async () => {
    await take('document', 'document_front');
    await settled();
    const { subject } = service.countersign;
    const [file] = (await verification()).files;
    await subject.completeStep(access, 'document', { ...PASSPORT, frontFileId: file?.id });
    await answerStep(service.countersign, access, 'person');
    await take('selfie', 'selfie');
    await take('address', 'proof_of_address').catch(() => undefined);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('a reader that rejects is reported once, and the upload goes on', async () => {
    read = vi.fn<Read>(() => Promise.reject(new Error('the reader died')));
    await take('document', 'document_front');
    await settled();
    expect((await readingsOf())[0]).toMatchObject({ outcome: 'failed', fields: {} });
    expect(service.faults).toEqual([new Error('the reader died')]);
  });

  it('what an untrusted reader returns beyond the rules is not stored', async () => {
    const fields = { documentNumber: { value: '<script>\u0000', sure: true } };
    read = vi.fn<Read>(async () => ({ ...READ, fields, mrz: 'P<D<<LOVELACE' }) as DocumentReading);
    await take('document', 'document_front');
    await settled();
    const text = JSON.stringify(await stored());
    expect(text).not.toContain('script');
    expect(text).not.toContain('P<D');
  });

  it('a reading is stored at the version that the verification has then', async () => {
    const slow = givenSlowReader();
    await take('document', 'document_front');
    await slow.asked;
    await service.countersign.subject.saveDraft(access, {
      step: 'document',
      fields: ['type'],
      input: { type: 'passport' },
    });
    slow.answer();
    await settled();
    expect(await readingsOf()).toHaveLength(1);
  });

  it('four pictures of a verification wait for the reader; further ones are not tried, and read later', async () => {
    const slow = givenSlowReader();
    const taken: string[] = [];
    for (let n = 1; n <= 6; n += 1) taken.push(await take('document', 'document_front'));
    const outcomes = async () => (await readingsOf()).map(({ outcome, attempts }) => [outcome, attempts]);
    await vi.waitFor(async () =>
      expect(await outcomes()).toEqual([
        ['off', 0],
        ['off', 0],
      ]),
    );
    expect(read).toHaveBeenCalledTimes(4);
    const own = { id, access };
    await create((await givenClient(service)).principal);
    await take('document', 'document_front');
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(5));

    ({ id, access } = own);
    slow.answer();
    await vi.waitFor(async () => expect(await readingsOf()).toHaveLength(6));
    await submitted(taken.at(-1));
    expect(await outcomes()).toEqual([['off', 0]]);
    await reviewAs(service.countersign).open(id);
    await vi.waitFor(async () => expect(await outcomes()).toEqual([['read', 1]]));
    expect(service.faults).toEqual([]);
  });

  it('a change while a reading is stored lets it be stored again', async () => {
    const memory = createMemoryStorage();
    const saves: number[] = [];
    const save: Storage['readings']['save'] = async (reading, version) => {
      saves.push(version);
      return saves.length > 1 && memory.readings.save(reading, version);
    };
    await given({ ...memory, readings: { ...memory.readings, save } });
    await take('document', 'document_front');
    await settled();
    expect(saves).toHaveLength(2);
  });

  it('a reading that loses five races with changes is dropped', async () => {
    const memory = createMemoryStorage();
    let saves = 0;
    const save = async () => ++saves > 5;
    await given({ ...memory, readings: { ...memory.readings, save } });
    await take('document', 'document_front');
    await service.countersign.readings.settled();
    expect(saves).toBe(5);
  });

  it('a reading that cannot be stored or found is reported, and rejects nothing', async () => {
    const memory = createMemoryStorage();
    const [save, find] = [vi.fn<Storage['readings']['save']>(), vi.fn<Storage['readings']['find']>()];
    await given({ ...memory, readings: { ...memory.readings, save, find } });
    const { readings } = service.countersign;
    expect(await readingsOf()).toEqual([]);
    expect(find).not.toHaveBeenCalled();
    const faults = [new Error('no save'), new Error('no find')] as const;
    save.mockRejectedValue(faults[0]);
    await take('document', 'document_front');
    await readings.settled();
    find.mockRejectedValue(faults[1]);
    await readings.readAgain(await verification());
    expect(service.faults).toEqual(faults);
  });

  it('a picture of a client that is missing is not read', async () => {
    await take('document', 'document_front');
    await settled();
    const before = await verification();
    const [file] = before.files;
    if (file === undefined) throw new Error('no file');
    await service.countersign.readings.readUpload({ ...before, clientId: 'gone' }, file, newJpeg());
    expect(service.faults).toEqual([new Error('The client gone is missing')]);
  });

  it('a picture that is being read is not read a second time', async () => {
    const slow = givenSlowReader();
    const frontFileId = await take('document', 'document_front');
    await slow.asked;
    await submitted(frontFileId);
    const again = service.countersign.readings.readAgain(await verification());
    await nextIteration();
    slow.answer();
    await again;
    expect(read).toHaveBeenCalledTimes(1);
    expect(await readingsOf()).toHaveLength(1);
  });

  it.each([
    ['an erased verification', () => erase()],
    ['a withdrawn verification', (fileId: string) => withdrawn(fileId)],
    ['a decided verification', (fileId: string) => decided(fileId)],
    ['a file that was replaced', () => submitted()],
    ['a verification that is gone', async () => vi.spyOn(storage.verifications, 'find').mockResolvedValue(null)],
  ])('a reading of %s is dropped', async (_what, change) => {
    const fileId = await take('document', 'document_front');
    await settled();
    await storage.readings.remove(await stored());
    const slow = givenSlowReader();
    const before = await verification();
    const [file] = before.files;
    if (file === undefined) throw new Error('no file');
    const reading = service.countersign.readings.readUpload(before, file, newJpeg());
    await slow.asked;
    read = vi.fn<Read>(async () => READ);
    await change(fileId);
    slow.answer();
    await reading;
    expect((await stored()).map((one) => one.fileId)).not.toContain(fileId);
    expect(service.faults).toEqual([]);
  });
});

describe('readings go with their file', () => {
  it('a replaced picture takes its reading along', async () => {
    const replaced = await take('document', 'document_front');
    await settled();
    await submitted();
    await vi.waitFor(async () => expect(await stored()).toHaveLength(1));
    expect((await stored()).map(({ fileId }) => fileId)).not.toContain(replaced);
  });

  it('the erasure removes them', async () => {
    await take('document', 'document_front');
    await settled();
    await erase();
    expect(await stored()).toEqual([]);
  });

  it('a content that no verification names is tidied up with its reading', async () => {
    const lost = { clientId, verificationId: id, fileId: 'lost' };
    await service.evidence.store.put(lost, newJpeg());
    const { version } = await verification();
    await storage.readings.save({ ...lost, readerVersion: '1', readAt: new Date(0), data: {} }, version);
    service.clock.set('2026-03-01T12:00:00.000Z');
    expect(await service.countersign.evidence.tidy()).toEqual({ deleted: 1, foreign: 0 });
    expect(await stored()).toEqual([]);
  });
});

describe('opening a verification', () => {
  it('reads pictures again whose reading failed, once, and warns of what differs', async () => {
    read = vi.fn<Read>(() => Promise.reject(new Error('busy')));
    await submitted();
    await settled();
    const { readings } = service.countersign;
    await readings.readAgain(await verification());
    await readings.readAgain(await verification());
    expect(read).toHaveBeenCalledTimes(2);
    expect((await readingsOf())[0]).toMatchObject({ outcome: 'failed', attempts: 2 });
  });

  it('a picture is tried twice at most; not being tried costs no attempt', async () => {
    const outcomes = ['off', 'failed', 'off', 'failed'] as const;
    let asked = 0;
    read = vi.fn<Read>(async () => ({ outcome: outcomes[asked++] ?? 'read', readerVersion: '1', fields: {} }));
    await submitted();
    await settled();
    const { readings } = service.countersign;
    const attempts = async () => (await readingsOf()).map((reading) => reading.attempts);
    const counted = [await attempts()];
    for (let opened = 0; opened < 4; opened += 1) {
      await readings.readAgain(await verification());
      counted.push(await attempts());
    }
    expect(counted).toEqual([[0], [1], [1], [2], [2]]);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('a reviewer who opens it does not wait for the reading, and sees it the next time', async () => {
    read = vi.fn<Read>(async () => ({ outcome: 'failed', readerVersion: '1', fields: {} }));
    await submitted();
    await settled();
    const slow = givenSlowReader();
    const reviewer = reviewAs(service.countersign);
    expect((await reviewer.open(id)).readings).toMatchObject([{ outcome: 'failed', attempts: 1 }]);
    await slow.asked;
    slow.answer();
    await vi.waitFor(async () => {
      expect((await reviewer.open(id)).readings).toMatchObject([{ outcome: 'read', attempts: 2 }]);
    });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('opening a decided verification reads no picture', async () => {
    read = vi.fn<Read>(async () => ({ outcome: 'failed', readerVersion: '1', fields: {} }));
    await submitted();
    await settled();
    const reviewer = reviewAs(service.countersign);
    await reviewer.approve({ verificationId: id, version: (await verification()).version });
    expect((await reviewer.open(id)).readings).toMatchObject([{ outcome: 'failed', attempts: 1 }]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads pictures that are unread, and not those that were read', async () => {
    const slow = givenSlowReader();
    await submitted();
    await slow.asked;
    read = vi.fn<Read>(async () => READ);
    slow.answer();
    await settled();
    const { readings } = service.countersign;
    await storage.readings.remove(await stored());
    await readings.readAgain(await verification());
    expect(await readingsOf()).toHaveLength(1);
    await readings.readAgain(await verification());
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads the picture whose reading failed, and not the other side that was read', async () => {
    const frontFileId = await take('document', 'document_front');
    await settled();
    read = vi.fn<Read>(async () => ({ outcome: 'failed', readerVersion: '1', fields: {} }));
    const backFileId = await take('document', 'document_back');
    const { readings, subject } = service.countersign;
    await readings.settled();
    await subject.completeStep(access, 'document', { ...PASSPORT, type: 'id_card', frontFileId, backFileId });
    read = vi.fn<Read>(async () => READ);
    await readings.readAgain(await verification());
    expect(read.mock.calls).toMatchObject([[{ content: expect.any(Uint8Array) }]]);
    expect((await readingsOf()).map(({ outcome }) => outcome)).toEqual(['read', 'read']);
  });

  /** Whether the details of the verification can be read while its readings cannot. */
  async function detailsDespite(fault: Error): Promise<object> {
    const memory = createMemoryStorage();
    let find = memory.readings.find;
    await given({ ...memory, readings: { ...memory.readings, find: (place) => find(place) } });
    await submitted();
    await service.countersign.warnings.settled();
    find = () => Promise.reject(fault);
    return service.countersign.verifications.details(principal, id);
  }

  it('warnings.settled: waits for a reading that began, and for the warnings that it calls for', async () => {
    const slow = givenSlowReader();
    const front = await take('document', 'document_front');
    await submitted(front);
    const isSettled = vi.fn<() => void>();
    const settled = service.countersign.warnings.settled().then(isSettled);
    await nextIteration();
    expect(isSettled).not.toHaveBeenCalled();
    slow.answer();
    await settled;
    const record = await storage.verifications.find(clientId, id);
    expect(JSON.stringify(record?.warnings)).toContain('reading_edited');
  });

  it('a damaged reading is reported and left out', async () => {
    const fault = new VerificationFault('damaged', { verificationId: id });
    expect(await detailsDespite(fault)).not.toHaveProperty('origins');
    expect(service.faults).toEqual([fault]);
  });

  it('a database that does not answer is no empty answer', async () => {
    const fault = new Error('down');
    await expect(detailsDespite(fault)).rejects.toBe(fault);
    expect(service.faults).toEqual([]);
  });

  it('shows the readings and the warnings to the reviewer', async () => {
    await submitted();
    await settled();
    const opened = await reviewAs(service.countersign).open(id);
    expect(opened.readings).toHaveLength(1);
    expect(opened.warnings).toContainEqual({
      code: 'reading_edited',
      step: 'person',
      path: 'dateOfBirth',
      detail: '1990-12-09',
    });
  });
});

describe('what a client gets', () => {
  it('details name where answers come from, and nothing before a document is read', async () => {
    read = vi.fn<Read>(async () => ({ outcome: 'nothing', readerVersion: '1', fields: {} }));
    const { verifications } = service.countersign;
    await submitted();
    await settled();
    expect(await verifications.details(principal, id)).not.toHaveProperty('origins');

    const [reading] = await stored();
    if (reading === undefined) throw new Error('no reading');
    const data = { ...reading.data, ...READ } as unknown as typeof reading.data;
    const { version } = await verification();
    await storage.readings.save({ ...reading, data }, version);
    const { origins } = await verifications.details(principal, id);
    expect(origins).toEqual({
      document: { number: { origin: 'read' } },
      person: { lastName: { origin: 'read' }, dateOfBirth: { origin: 'edited', read: '1990-12-09' } },
    });
  });

  it('readings of a client that keeps them for reviewers are not offered', async () => {
    const settings = {
      placeOfBirth: false,
      proofOfAddress: false,
      readingIsAdvice: true,
      familyNameIndex: false,
      warningsInDetails: false,
    };
    await service.countersign.flowSettings.change(clientId, settings);
    await take('document', 'document_front');
    await settled();
    expect((await readingsOf())[0]).toMatchObject({ isOffered: false });
  });

  it('readings are not offered once the client keeps them for reviewers', async () => {
    const { flowSettings, readings, subject } = service.countersign;
    const frontFileId = await take('document', 'document_front');
    await settled();
    await subject.saveDraft(access, { step: 'document', fields: ['frontFileId'], input: { frontFileId } });
    const offers = async () =>
      readings.offersFor(await verification(), [{ step: 'document', fields: [{ path: 'number' }] }]);
    expect((await offers())?.values.get('number')).toEqual({ value: 'C01X00T47', isSure: true });
    await flowSettings.change(clientId, {
      placeOfBirth: false,
      proofOfAddress: false,
      readingIsAdvice: true,
      familyNameIndex: false,
      warningsInDetails: false,
    });
    expect(await offers()).toBeNull();
  });
});

describe('what a screen is filled in with', () => {
  const DOCUMENT = { step: 'document', fields: [{ path: 'type' }, { path: 'number' }] } as const;
  const PERSON = { step: 'person', fields: [{ path: 'firstName' }, { path: 'lastName' }] } as const;

  it('offersFor: a screen awaits the reading of its document, and then has the values of its own fields', async () => {
    const offers = async (...pages: readonly OfferedPage[]) =>
      service.countersign.readings.offersFor(await verification(), pages);
    expect(await offers(DOCUMENT)).toBeNull();
    const slow = givenSlowReader();
    const frontFileId = await take('document', 'document_front');
    const draft = { step: 'document', fields: ['frontFileId'], input: { frontFileId } };
    await service.countersign.subject.saveDraft(access, draft);
    expect(await offers(DOCUMENT)).toEqual({ state: 'awaited', values: new Map() });
    slow.answer();
    await settled();
    const { state, values } = (await offers(PERSON, DOCUMENT)) ?? {};
    expect([state, ...(values ?? [])]).toEqual([
      'read',
      ['lastName', { value: 'Lovelace', isSure: false }],
      ['number', { value: 'C01X00T47', isSure: true }],
    ]);
    expect(await offers(PERSON)).toBeNull();
  });
});

describe("somebody else's document", () => {
  it('a document of somebody else is warned of, and blocks nothing', async () => {
    const others = {
      issuingCountry: { value: 'PL', sure: true },
      documentNumber: { value: 'K77X00T47', sure: true },
      dateOfBirth: { value: '1964-08-12', sure: true },
      nationality: { value: 'PL', sure: true },
      lastName: { value: 'MUSTERMANN', sure: false },
      firstName: { value: 'ERIKA', sure: false },
    };
    read = vi.fn<Read>(async () => ({ ...READ, fields: others, type: 'id_card', issuer: 'PL' }));
    await submitted();
    await settled();
    const reviewer = reviewAs(service.countersign);
    const { warnings } = await reviewer.open(id);
    expect(warnings.map(({ code, path, detail }) => [code, path, detail])).toEqual(
      expect.arrayContaining([
        ['reading_type_differs', 'type', 'id_card'],
        ['reading_state_differs', 'issuingCountry', 'PL'],
        ['reading_edited', 'number', 'K77X00T47'],
        ['reading_edited', 'firstName', 'ERIKA'],
        ['reading_edited', 'lastName', 'MUSTERMANN'],
        ['reading_edited', 'dateOfBirth', '1964-08-12'],
        ['reading_edited', 'nationalities', 'PL'],
      ]),
    );
    const { version } = await verification();
    await reviewer.approve({ verificationId: id, version });
    expect((await verification()).status).toBe('approved');
  });
});

describe('a redo', () => {
  const OTHER_NUMBER = { ...READ.fields, documentNumber: { value: 'K77X00T47', sure: true } };

  /** A reviewer asks for a step again, and the subject opens the link. */
  async function asked(step: StepKey): Promise<void> {
    const { subject, verifications } = service.countersign;
    const { version } = await verification();
    const items = [{ step, reasonCode: 'data_mismatch' as const }];
    await reviewAs(service.countersign).askForAction({ verificationId: id, version }, { items });
    const { verificationUrl } = await verifications.get(principal, id);
    ({ access } = await subject.open(verificationUrl.split('/').at(-1) ?? ''));
  }

  /** Takes another picture, which shows another document. */
  async function retaken(): Promise<string> {
    read = vi.fn<Read>(async () => ({ ...READ, fields: OTHER_NUMBER }));
    const frontFileId = await take('document', 'document_front');
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2));
    return frontFileId;
  }

  async function numberOffered(): Promise<unknown> {
    const pages = [{ step: 'document', fields: [{ path: 'number' }] }] as const;
    return (await service.countersign.readings.offersFor(await verification(), pages))?.values.get('number');
  }

  const originsNow = async () => (await service.countersign.verifications.details(principal, id)).origins;

  it('a redo offers what the earlier picture says, and then what the one says that replaces it', async () => {
    await submitted();
    await settled();
    await asked('document');
    expect(await numberOffered()).toEqual({ value: 'C01X00T47', isSure: true });
    const frontFileId = await retaken();
    const draft = { step: 'document', fields: ['frontFileId'], input: { frontFileId } };
    await service.countersign.subject.saveDraft(access, draft);
    expect(await numberOffered()).toEqual({ value: 'K77X00T47', isSure: true });
  });

  it('origins after a redo with another picture compare with that one; earlier answers count as typed', async () => {
    const { subject } = service.countersign;
    await submitted();
    await settled();
    await asked('document');
    service.clock.advance(1);
    const frontFileId = await retaken();
    await subject.completeStep(access, 'document', { ...PASSPORT, number: 'K77X00T47', frontFileId });
    await subject.submit(access);
    expect(await originsNow()).toEqual({
      document: { number: { origin: 'read' } },
      person: { lastName: { origin: 'typed' }, dateOfBirth: { origin: 'typed' } },
    });
  });

  it('origins after a redo of answers alone compare with the earlier picture', async () => {
    const { subject } = service.countersign;
    await submitted();
    await settled();
    const { answers } = (await verification()).steps.person ?? {};
    await asked('person');
    await subject.completeStep(access, 'person', { ...answers, dateOfBirth: '1990-12-09' });
    await subject.submit(access);
    expect(await originsNow()).toEqual({
      document: { number: { origin: 'read' } },
      person: { lastName: { origin: 'read' }, dateOfBirth: { origin: 'read' } },
    });
  });
});

describe('without a reader', () => {
  it('nothing is read, and no page waits for a reading', async () => {
    await given(createMemoryStorage(), false);
    await submitted();
    const { readings } = service.countersign;
    await readings.readAgain(await verification());
    expect(await stored()).toEqual([]);
    const pages = [{ step: 'document', fields: [] }] as const;
    expect(await readings.offersFor(await verification(), pages)).toBeNull();
  });

  it('nothing is read in test mode either', async () => {
    await given(createMemoryStorage(), false);
    const twin = await givenTestTwin(service);
    clientId = twin.clientId;
    await create(twin.principal);
    await take('document', 'document_front');
    await service.countersign.readings.readAgain(await verification());
    expect(await stored()).toEqual([]);
  });
});

describe('test mode', () => {
  it('test mode has fixed readings, and does not ask the reader', async () => {
    const twin = await givenTestTwin(service);
    clientId = twin.clientId;
    await create(twin.principal);
    await take('document', 'document_front');
    await settled();
    expect((await readingsOf())[0]).toMatchObject({ outcome: 'read', readerVersion: 'test' });
    expect(read).not.toHaveBeenCalled();
  });
});
