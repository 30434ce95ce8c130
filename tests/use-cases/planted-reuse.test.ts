// Each rule of reuse on three storages, and documents of 30 cases.
import type { DocumentReading, Principal } from '@countersign/domain';
import { eraseVerificationData, releaseExport, withdrawVerification } from '@countersign/domain/actions';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { onEachStorage } from '@countersign/test-support/installation/given-storages';
import { answerStep } from '@countersign/test-support/service/answers';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { givenWorld, type PlantedCase, type World } from './given-cases.ts';

const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10', nationalities: ['DE'] };
const GRACE = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationalities: ['DE'] };
const DAY_MS = 24 * 60 * 60 * 1000;
const PASSPORT = { number: 'C01X00T47' };

interface Planted {
  readonly world: World;
  readonly principal: Principal;
}

/** Submits cases one after the other and returns their ids. */
async function submitAll({ world, principal }: Planted, ...cases: readonly PlantedCase[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of cases) ids.push((await world.submit(principal, one)).id);
  return ids;
}

/** The codes of both cases of a pair, the first one's first. */
async function pair(given: Planted, first: PlantedCase, second: PlantedCase) {
  const [one = '', two = ''] = await submitAll(given, first, second);
  return [await given.world.kept(given.principal, one), await given.world.kept(given.principal, two)];
}

async function seen({ service }: World, { clientId }: Principal, verificationId: string) {
  const record = await service.storage.verifications.find(clientId, verificationId);
  return { verificationId, version: record?.version ?? 0 };
}

async function reject({ world, principal }: Planted, id: string, reasonCode: 'suspected_fraud' | 'data_mismatch') {
  const { countersign } = world.service;
  const at = await seen(world, principal, id);
  await reviewAs(countersign).reject(at, { reasonCodes: [reasonCode] });
}

/** Erases a decided case, after the law no longer requires it. */
async function erase({ service }: World, verificationId: string): Promise<void> {
  const operator = service.countersign.as({ kind: 'command_line' });
  await operator.run(eraseVerificationData, { verificationId });
  service.clock.set('2050-01-01T00:00:00.000Z');
  await service.countersign.retention.run();
}

/** Asks for the document again and opens the link. */
async function askAgain({ world, principal }: Planted, id: string): Promise<void> {
  const items = [{ step: 'document', reasonCode: 'document_glare' as const }];
  await reviewAs(world.service.countersign).askForAction(await seen(world, principal, id), { items });
}

async function submitBusiness({ world, principal }: Planted, director: object): Promise<string> {
  const { countersign } = world.service;
  const body = { subjectType: 'kyb', subjectReference: `firm ${JSON.stringify(director)}` };
  const { verification } = await countersign.verifications.create(principal, body);
  const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) ?? '');
  for (const step of ['consent', 'business', 'addresses'] as const) await answerStep(countersign, access, step);
  const people = { directors: [director], noBeneficialOwner: true, seniorManagers: [director] };
  await countersign.subject.completeStep(access, 'ownership', people);
  for (const step of ['documents', 'representative', 'attestation'] as const)
    await answerStep(countersign, access, step);
  await countersign.subject.submit(access);
  return verification.id;
}

const READ: DocumentReading = {
  outcome: 'read',
  readerVersion: '1',
  fields: { documentNumber: { value: 'C01X00T47', sure: true } },
  type: 'passport',
  issuer: 'DE',
  digitsFit: true,
};

/** The codes of a case whose picture of the document shows something. */
async function readAs({ world, principal }: Planted, reading: DocumentReading) {
  world.reading = reading;
  const { id } = await world.submit(principal, { document: { number: 'D11111111' } });
  return world.kept(principal, id);
}

/** Rules of many cases. In memory alone: that every storage finds the same labels is tested by the contract kit. */
const MANY: Readonly<Record<string, (given: Planted) => Promise<void>>> = {
  'a rejection for fraud: 30 cases with the same document, submitted after it or before it, are warned of': async (
    given,
  ) => {
    const { world, principal } = given;
    const [fraud = '', before = ''] = await submitAll(
      given,
      ...['first', 'before'].map((first) => ({ person: ADA, document: PASSPORT, reference: first })),
    );
    const others = Array.from({ length: 14 }, () => ({ document: PASSPORT }));
    const waiting = [before, ...(await submitAll(given, ...others))];
    await reject(given, fraud, 'suspected_fraud');
    const later = await submitAll(given, ...others, { document: PASSPORT });
    const missed: string[] = [];
    for (const id of [...waiting, ...later])
      if (!(await world.kept(principal, id))?.includes('rejected_for_fraud')) missed.push(id);
    expect(missed).toEqual([]);
    const last = await reviewAs(world.service.countersign).open(later.at(-1) ?? '');
    const warning = last.warnings.find(({ code }) => code === 'rejected_for_fraud');
    expect(warning?.others?.map(({ verificationId }) => verificationId)).toEqual([fraud]);
  },

  'a rejection for fraud under the same reference, before 30 other verifications: warned of': async (given) => {
    const { world, principal } = given;
    const submit = async () => (await submitAll(given, { reference: 'again' }))[0] ?? '';
    await reject(given, await submit(), 'suspected_fraud');
    for (let n = 0; n < 30; n += 1) await reject(given, await submit(), 'data_mismatch');
    expect(await world.kept(principal, await submit())).toContain('rejected_for_fraud');
  },
};

/** Each rule with at least two cases. */
const RULES: Readonly<Record<string, (given: Planted) => Promise<void>>> = {
  'a file in two cases: both are warned of': async (given) => {
    const both = [['file_in_other_case'], ['file_in_other_case']];
    expect(await pair(given, { picture: 'shared' }, { picture: 'shared' })).toEqual(both);
    expect(await pair(given, { selfie: 'face' }, { selfie: 'face' })).toEqual(both);
  },

  'a file at two places of a case: refused': async ({ world, principal }) => {
    for (const picture of ['one', 'two'])
      await expect(world.submit(principal, { picture, selfie: picture })).rejects.toMatchObject({
        code: 'FILE_USED_ELSEWHERE',
      });
  },

  'a document number of another person: both are warned of': async (given) => {
    const document = { number: 'C01X00T47' };
    const both = [['used_by_another_person'], ['used_by_another_person']];
    expect(await pair(given, { person: ADA, document }, { person: GRACE, document })).toEqual(both);
    const [third = ''] = await submitAll(given, { document: { number: 'c01x-00t47' } });
    expect(await given.world.kept(given.principal, third)).toEqual(['used_by_another_person']);
  },

  'a national number of another person: both are warned of': async (given) => {
    for (const nationalIdNumber of ['65929970489', '02476291358']) {
      const one = { person: { nationalities: ['DE'], nationalIdNumber } };
      expect(await pair(given, one, one)).toEqual([
        expect.arrayContaining(['used_by_another_person']),
        expect.arrayContaining(['used_by_another_person']),
      ]);
    }
  },

  'a person with another document under another reference: both are warned of': async (given) => {
    for (const person of [ADA, GRACE])
      expect(await pair(given, { person }, { person })).toEqual([
        ['person_with_another_document'],
        ['person_with_another_document'],
      ]);
  },

  'a rejection for fraud: cases that wait then are warned of, and those that come later': async (given) => {
    const { world, principal } = given;
    const [fraud = '', waiting = ''] = await submitAll(
      given,
      { person: ADA, document: PASSPORT },
      { person: ADA, document: PASSPORT },
    );
    expect(await world.kept(principal, waiting)).toEqual(['person_in_other_case']);
    await reject(given, fraud, 'suspected_fraud');
    expect(await world.kept(principal, waiting)).toContain('rejected_for_fraud');
    const [later = '', stranger = ''] = await submitAll(given, { person: GRACE, document: PASSPORT }, {});
    expect(await world.kept(principal, later)).toContain('rejected_for_fraud');
    expect(await world.kept(principal, stranger)).toEqual([]);
    const severity = async (id: string) =>
      (await world.service.storage.verifications.find(principal.clientId, id))?.severity;
    expect([await severity(waiting), await severity(later), await severity(stranger)]).toEqual([
      'critical',
      'critical',
      null,
    ]);
  },

  'an earlier verification under the same reference: known': async (given) => {
    for (const person of [ADA, GRACE]) {
      const one = { reference: `renewed ${person.firstName}`, person };
      const [first = ''] = await submitAll(given, one);
      await reject(given, first, 'data_mismatch');
      const [second = ''] = await submitAll(given, one);
      expect(await given.world.kept(given.principal, second)).toEqual(['earlier_verification']);
    }
  },

  'a shared contact: known': async (given) => {
    for (const contact of [{ email: 'agent@example.org' }, { phone: '+49301234567' }]) {
      const [first = '', second = ''] = await submitAll(given, { person: contact }, { person: contact });
      expect(await given.world.kept(given.principal, second)).toContain('contact_in_other_case');
      const opened = await reviewAs(given.world.service.countersign).open(first);
      expect(opened.warnings.map(({ code }) => code)).toContain('contact_in_other_case');
    }
  },

  'a redo with the same file: warned of': async (given) => {
    const { world, principal } = given;
    const { subject } = world.service.countersign;
    for (const picture of ['one', 'two']) {
      const { id, access } = await world.submit(principal, { picture });
      expect(await world.kept(principal, id)).toEqual([]);
      const { answers } = (await subject.read(access)).steps.document ?? {};
      await askAgain(given, id);
      await expect(subject.completeStep(access, 'document', answers)).rejects.toMatchObject({
        code: 'FILE_UNCHANGED',
      });
      await subject.completeStep(access, 'document', answers);
      await subject.submit(access);
      expect(await world.kept(principal, id)).toEqual(['file_unchanged']);
    }
  },

  'a reading that contradicts the answers: warned of': async (given) => {
    expect(await readAs(given, READ)).toContain('reading_edited');
    expect(await readAs(given, { ...READ, fields: {}, digitsFit: false })).toContain('check_digits_wrong');
    expect(await readAs(given, { ...READ, fields: {}, type: 'id_card' })).toContain('reading_type_differs');
  },

  'an expired document: warned of once it is computed again': async (given) => {
    const { world, principal } = given;
    const document = { expiresOn: '2026-03-20' };
    const [opened = '', recomputed = ''] = await submitAll(given, { document }, { document });
    expect(await world.kept(principal, opened)).toEqual([]);
    world.service.clock.set('2026-03-21T10:00:00.000Z');
    await reviewAs(world.service.countersign).open(opened);
    expect(await world.kept(principal, opened)).toEqual(['document_expired']);
    expect(await world.service.countersign.warnings.recompute({ all: true })).toMatchObject({ changed: 1 });
    expect(await world.kept(principal, recomputed)).toEqual(['document_expired']);
  },

  'people under age in a business: warned of': async (given) => {
    for (const firstName of ['Tom', 'Ida']) {
      const child = { firstName, lastName: 'Jung', dateOfBirth: '2015-01-01', nationality: 'DE' };
      const id = await submitBusiness(given, child);
      expect(await given.world.kept(given.principal, id)).toContain('under_age');
    }
  },

  'two clients with the same people: nothing matches across': async ({ world, principal }) => {
    const other = await world.client();
    const one = { reference: 'user_x', person: { ...ADA, email: 'ada@example.org' }, document: PASSPORT };
    const planted = { ...one, picture: 'same picture', selfie: 'same selfie' };
    const { id } = await world.submit(principal, planted);
    await reject({ world, principal }, id, 'suspected_fraud');
    const { id: elsewhere } = await world.submit(other, planted);
    expect(await world.kept(other, elsewhere)).toEqual([]);
    expect((await reviewAs(world.service.countersign).open(elsewhere)).warnings).toEqual([]);
  },

  'an erased case: has no kept warnings, and no other case is warned of it': async (given) => {
    const { world, principal } = given;
    const planted = { person: ADA, document: PASSPORT, picture: 'same picture' };
    const [first = '', second = ''] = await submitAll(given, planted, { ...planted, person: GRACE });
    expect(await world.kept(principal, first)).toContain('used_by_another_person');
    await reject(given, first, 'data_mismatch');
    await erase(world, first);
    const stored = await world.service.storage.verifications.find(principal.clientId, first);
    expect(stored).toMatchObject({ warnings: null, severity: null });
    const opened = await reviewAs(world.service.countersign).open(second);
    expect(opened.warnings).toEqual([]);
    expect(await world.kept(principal, second)).toEqual([]);
  },
};

async function run(storage: Storage, rule: (given: Planted) => Promise<void>): Promise<void> {
  const world = givenWorld(storage);
  await rule({ world, principal: await world.client() });
  expect(world.service.faults).toEqual([]);
}

onEachStorage('planted reuse', (take) => {
  it.each(Object.entries(RULES))('%s', async (_, rule) => run(await take(), rule));
});

describe('planted reuse in memory only', () => {
  it.each(Object.entries(MANY))('%s', (_, rule) => run(createMemoryStorage(), rule));

  it('neither the details for the client nor the copy for the person has warnings or names another case', async () => {
    const world = givenWorld(createMemoryStorage());
    const { countersign } = world.service;
    const principal = await world.client();
    const planted = { person: ADA, document: PASSPORT, picture: 'same picture' };
    const [other = '', id = ''] = await submitAll({ world, principal }, planted, { ...planted, person: GRACE });
    await reject({ world, principal }, other, 'suspected_fraud');
    expect(await world.kept(principal, id)).toContain('rejected_for_fraud');

    const operator = countersign.as({ kind: 'command_line' });
    const { link, code } = await operator.run(releaseExport, { verificationId: id });
    const { data } = await countersign.exports.download({ link: link.split('/').at(-1) ?? '', code });
    const details = await countersign.verifications.details(principal, id);
    for (const given of [data, details]) {
      const text = JSON.stringify(given);
      expect(text).toContain('Hopper');
      expect(text).not.toContain(other);
      expect(text).not.toMatch(/fraud|another|other_case|Lovelace/);
    }
  });

  it.each([
    ['expires', 'expired'],
    ['is withdrawn', 'withdrawn'],
  ] as const)('a redo that %s is compared by its current answers until retention erases it', async (_, how) => {
    const storage = createMemoryStorage();
    const world = givenWorld(storage);
    const { countersign, clock } = world.service;
    const principal = await world.client();
    const { id, access } = await world.submit(principal, { document: PASSPORT });
    const { answers } = (await countersign.subject.read(access)).steps.document ?? {};
    await askAgain({ world, principal }, id);
    const front = { step: 'document', kind: 'document_front' } as const;
    const frontFileId = await world.upload(access, front, 'another picture');
    await countersign.subject.completeStep(access, 'document', { ...answers, number: 'D22222222', frontFileId });
    clock.advance(100 * DAY_MS);
    if (how === 'expired') expect(await countersign.expiry.expire()).toMatchObject({ expired: 1 });
    else await countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId: id });

    const [same = '', earlier = ''] = await submitAll(
      { world, principal },
      { document: { number: 'D22222222' } },
      { document: PASSPORT },
    );
    expect(await world.kept(principal, same)).toEqual(['used_by_another_person']);
    expect(await world.kept(principal, earlier)).toEqual([]);
    const labelled = async () =>
      (await storage.transfer.read('indexEntries', null, 10_000)).map(({ verificationId }) => verificationId);
    expect(await labelled()).toContain(id);
    clock.advance(100 * DAY_MS);
    await countersign.retention.run();
    const stored = await storage.verifications.find(principal.clientId, id);
    expect(stored?.erasedAt).not.toBeNull();
    expect(await labelled()).not.toContain(id);
  });

  it('an erased case has no labels', async () => {
    const storage = createMemoryStorage();
    const labels = () => storage.transfer.read('indexEntries', null, 10_000);
    const world = givenWorld(storage);
    const principal = await world.client();
    const { id } = await world.submit(principal);
    await reject({ world, principal }, id, 'data_mismatch');
    expect(await labels()).not.toEqual([]);
    await erase(world, id);
    expect(await labels()).toEqual([]);
  });

  it('a document of 30 cases: a further case reads 20 of them', async () => {
    const storage = createMemoryStorage();
    const { find } = storage.verifications;
    const read: string[] = [];
    const verifications: Storage['verifications'] = {
      ...storage.verifications,
      find: (clientId, id) => {
        read.push(id);
        return find(clientId, id);
      },
    };
    const world = givenWorld({ ...storage, verifications });
    const principal = await world.client();
    for (let n = 0; n < 30; n += 1) await world.submit(principal, { document: PASSPORT });
    await world.service.countersign.warnings.settled();
    const { id } = await world.submit(principal, { document: PASSPORT });
    await world.service.countersign.warnings.settled();
    read.length = 0;
    const opened = await reviewAs(world.service.countersign).open(id);
    expect(opened.warnings.find(({ code }) => code === 'used_by_another_person')?.others).toHaveLength(20);
    expect(read.filter((other) => other !== id)).toHaveLength(20);
  });
});
