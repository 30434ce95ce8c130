import type { SubjectAccess } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
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
  service = givenService({ storage: countingStorage() });
  const { principal } = await givenClient(service);
  const body = { subjectType: 'kyb', subjectReference: 'company_1' };
  const { verification } = await service.countersign.verifications.create(principal, body);
  const reference = verification.verificationUrl.split('/').at(-1) as string;
  access = (await service.countersign.subject.open(reference)).access;
});

const answerPage = (step: string, page: string, input: unknown) =>
  service.countersign.subject.answerPage(access, { step, page, input });

const CONSENT = { accepted: true, version: '2026-01', locale: 'en' };
const REPRESENTATIVE = { firstName: 'Ada', lastName: 'Lovelace', role: 'Director', email: 'ada@example.org' };

async function consented(): Promise<void> {
  await answerPage('consent', 'consent', CONSENT);
  await answerPage('consent', 'your-details', { representative: REPRESENTATIVE });
}

describe('answerPage', () => {
  it('saves a page as a draft until the last page of the step completes it', async () => {
    const first = await answerPage('consent', 'consent', CONSENT);
    expect(first.verification).toMatchObject({ drafts: { consent: CONSENT }, steps: {} });
    const last = await answerPage('consent', 'your-details', { representative: REPRESENTATIVE });
    expect(last.verification).toMatchObject({
      drafts: {},
      steps: { consent: { answers: { ...CONSENT, representative: REPRESENTATIVE } } },
    });
    expect(last.pageToCorrect).toBe(null);
  });

  it('costs one read and one commit, also when it completes the step', async () => {
    for (const [page, input] of [
      ['consent', CONSENT],
      ['your-details', { representative: REPRESENTATIVE }],
    ] as const) {
      calls = { reads: 0, commits: 0 };
      await answerPage('consent', page, input);
      expect(calls).toEqual({ reads: 1, commits: 1 });
    }
  });

  it('of a completed step: completes it again, and equal answers commit nothing', async () => {
    await consented();
    const changed = await answerPage('consent', 'your-details', {
      representative: { ...REPRESENTATIVE, role: 'Owner' },
    });
    expect(changed.verification.steps.consent?.answers).toMatchObject({
      accepted: true,
      representative: { role: 'Owner' },
    });
    calls = { reads: 0, commits: 0 };
    await answerPage('consent', 'consent', CONSENT);
    expect(calls).toEqual({ reads: 1, commits: 0 });
  });

  it('names another page that is missing, and keeps this one as a draft', async () => {
    const { verification, pageToCorrect } = await answerPage('consent', 'your-details', {
      representative: REPRESENTATIVE,
    });
    expect(pageToCorrect).toBe('consent');
    expect(verification).toMatchObject({ steps: {}, drafts: { consent: { representative: REPRESENTATIVE } } });
  });

  it('refuses wrong values of this page and saves nothing', async () => {
    await answerPage('consent', 'consent', CONSENT);
    calls = { reads: 0, commits: 0 };
    await expect(
      answerPage('consent', 'your-details', { representative: { ...REPRESENTATIVE, email: 'x' } }),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'representative.email', code: 'not_an_email' }] },
    });
    expect(calls.commits).toBe(0);
  });

  it.each([
    ['a page of another step', 'consent', 'business', 'INVALID_PARAMETERS'],
    ['a step of another flow', 'person', 'name', 'INVALID_PARAMETERS'],
    ['a step that is not open', 'business', 'business', 'STEP_OUT_OF_TURN'],
  ])('refuses %s', async (_, step, page, code) => {
    await expect(answerPage(step, page, {})).rejects.toMatchObject({ code });
  });

  it('drops an answer that a later answer makes pointless: the managers of a business with owners', async () => {
    await consented();
    await answerStep(service.countersign, access, 'kyb', 'business');
    await answerStep(service.countersign, access, 'kyb', 'addresses');
    const person = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };
    await answerPage('ownership', 'directors', { directors: [person] });
    await answerPage('ownership', 'owners', { noBeneficialOwner: true });
    await answerPage('ownership', 'managers', { seniorManagers: [person] });
    const owner = { ...person, country: 'US', ownershipPercent: 60, controlType: 'direct_shares' };
    const { verification } = await answerPage('ownership', 'owners', { beneficialOwners: [owner] });
    expect(verification.steps.ownership?.answers).toEqual({ directors: [person], beneficialOwners: [owner] });
  });
});
