import type { SubjectAccess } from '@countersign/domain';
import { BUILT_IN_FLOWS, currentStepOf } from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { askAll } from '@countersign/test-support/service/flow-settings';
import { newDigest } from '@countersign/test-support/service/new-files';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

let service: Service;
let access: SubjectAccess;
let calls: { reads: number; commits: number };

/** Memory storage that counts what the subject's use cases read and commit. */
function countingStorage(): Storage {
  const storage = createMemoryStorage();
  const { verifications } = storage;
  return {
    ...storage,
    verifications: {
      ...verifications,
      findForAnyClient: (id) => {
        calls.reads += 1;
        return verifications.findForAnyClient(id);
      },
      commit: (change) => {
        calls.commits += 1;
        return verifications.commit(change);
      },
    },
  };
}

beforeEach(async () => {
  calls = { reads: 0, commits: 0 };
  // Flow version 1: each page is a screen of its own.
  const flows = { kyc: BUILT_IN_FLOWS.kyc.slice(0, 1), kyb: BUILT_IN_FLOWS.kyb.slice(0, 1) };
  service = givenService({ storage: countingStorage() }, { flows });
  const { principal } = await givenClient(service);
  const body = { subjectType: 'kyb', subjectReference: 'company_1' };
  const { verification } = await service.countersign.verifications.create(principal, body);
  const reference = verification.verificationUrl.split('/').at(-1) as string;
  access = (await service.countersign.subject.open(reference)).access;
});

const answerScreen = (screen: string, input: unknown) =>
  service.countersign.subject.answerScreen(access, { screen, input });

const CONSENT = { accepted: true, version: '2026-01', locale: 'en' };
const REPRESENTATIVE = { firstName: 'Ada', lastName: 'Lovelace', role: 'Director', email: 'ada@example.org' };

async function consented(): Promise<void> {
  await answerScreen('consent', CONSENT);
  await answerScreen('your-details', { representative: REPRESENTATIVE });
}

describe('answerScreen', () => {
  it('saves a screen as a draft until the last screen of the step completes it', async () => {
    const first = await answerScreen('consent', CONSENT);
    expect(first.verification).toMatchObject({ drafts: { consent: CONSENT }, steps: {} });
    const last = await answerScreen('your-details', { representative: REPRESENTATIVE });
    expect(last.verification).toMatchObject({
      drafts: {},
      steps: { consent: { answers: { ...CONSENT, representative: REPRESENTATIVE } } },
    });
    expect(last.screenToCorrect).toBe(null);
  });

  it('costs one read and one commit, also when it completes the step', async () => {
    for (const [page, input] of [
      ['consent', CONSENT],
      ['your-details', { representative: REPRESENTATIVE }],
    ] as const) {
      calls = { reads: 0, commits: 0 };
      await answerScreen(page, input);
      expect(calls).toEqual({ reads: 1, commits: 1 });
    }
  });

  it('of a completed step: completes it again, and equal answers commit nothing', async () => {
    await consented();
    const changed = await answerScreen('your-details', {
      representative: { ...REPRESENTATIVE, role: 'Owner' },
    });
    expect(changed.verification.steps.consent?.answers).toMatchObject({
      accepted: true,
      representative: { role: 'Owner' },
    });
    calls = { reads: 0, commits: 0 };
    await answerScreen('consent', CONSENT);
    expect(calls).toEqual({ reads: 1, commits: 0 });
  });

  it('names another page that is missing, and keeps this one as a draft', async () => {
    const { verification, screenToCorrect } = await answerScreen('your-details', {
      representative: REPRESENTATIVE,
    });
    expect(screenToCorrect).toBe('consent');
    expect(verification).toMatchObject({ steps: {}, drafts: { consent: { representative: REPRESENTATIVE } } });
  });

  it('refuses wrong values of this page and saves nothing', async () => {
    await answerScreen('consent', CONSENT);
    calls = { reads: 0, commits: 0 };
    await expect(
      answerScreen('your-details', { representative: { ...REPRESENTATIVE, email: 'x' } }),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'representative.email', code: 'not_an_email' }] },
    });
    expect(calls.commits).toBe(0);
  });

  it.each([
    ['a screen of another flow', 'name', 'INVALID_PARAMETERS'],
    ['a screen that is not open', 'business', 'STEP_OUT_OF_TURN'],
  ])('refuses %s', async (_, screen, code) => {
    await expect(answerScreen(screen, {})).rejects.toMatchObject({ code });
  });

  it('drops an answer that a later answer makes pointless: the managers of a business with owners', async () => {
    await consented();
    await answerStep(service.countersign, access, 'business');
    await answerStep(service.countersign, access, 'addresses');
    const person = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };
    await answerScreen('directors', { directors: [person] });
    await answerScreen('owners', { noBeneficialOwner: true });
    await answerScreen('managers', { seniorManagers: [person] });
    const owner = { ...person, country: 'US', ownershipPercent: 60, controlType: 'direct_shares' };
    const { verification } = await answerScreen('owners', { beneficialOwners: [owner] });
    expect(verification.steps.ownership?.answers).toEqual({ directors: [person], beneficialOwners: [owner] });
  });
});

describe('a screen on which two steps end', () => {
  const CARD = { type: 'id_card', issuingCountry: 'DE' };
  const DETAILS = {
    number: 'L01X00T47',
    expiresOn: '2099-12-31',
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth: '1990-12-10',
    placeOfBirth: { city: 'London', country: 'GB' },
    nationalities: ['GB'],
  };

  beforeEach(async () => {
    service = givenService({ storage: countingStorage() });
    const { clientId, principal } = await givenClient(service);
    await askAll(service.countersign, clientId);
    const body = { subjectType: 'kyc', subjectReference: 'user_1' };
    const { verification } = await service.countersign.verifications.create(principal, body);
    const { subject } = service.countersign;
    access = (await subject.open(verification.verificationUrl.split('/').at(-1) as string)).access;
    await answerScreen('consent', CONSENT);
    await answerScreen('document', CARD);
    for (const [kind, screen, path] of [
      ['document_front', 'document-front', 'frontFileId'],
      ['document_back', 'document-back', 'backFileId'],
    ] as const) {
      const content = { contentType: 'image/jpeg', size: 1000, sha256: newDigest() } as const;
      const { file } = await subject.attachFile(access, { step: 'document', kind, ...content });
      await answerScreen(screen, { [path]: file.id });
    }
    calls = { reads: 0, commits: 0 };
  });

  it('costs one read and one commit', async () => {
    const { verification } = await answerScreen('details', DETAILS);
    expect([currentStepOf(verification), verification.drafts]).toEqual([3, {}]);
    expect(calls).toEqual({ reads: 1, commits: 1 });
  });

  it('wrong in one part: the error comes after the other part was saved as a draft, in one commit', async () => {
    await expect(answerScreen('details', { ...DETAILS, lastName: '' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'lastName' }] },
    });
    expect(calls).toEqual({ reads: 1, commits: 1 });
    const { drafts, steps } = await service.countersign.subject.read(access);
    expect(drafts.document).toMatchObject({ number: 'L01X00T47' });
    expect(Object.keys(steps)).toEqual(['consent']);
  });

  it('wrong in both parts: one list of errors, and nothing is saved', async () => {
    await expect(answerScreen('details', { ...DETAILS, number: '', lastName: '' })).rejects.toMatchObject({
      data: { issues: [{ path: 'number' }, { path: 'lastName' }] },
    });
    expect(calls).toEqual({ reads: 1, commits: 0 });
  });

  it('two answers at once: the second one finds what the first one completed', async () => {
    const [one, other] = await Promise.all([answerScreen('details', DETAILS), answerScreen('details', DETAILS)]);
    expect(one.verification.version).toBe(other.verification.version);
  });
});
