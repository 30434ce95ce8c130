import {
  answersSoFar,
  BUILT_IN_FLOWS,
  defineStep,
  type Flow,
  pagesFor,
  placesOf,
  rowsOf,
  stepOf,
  stepsOf,
} from '@countersign/domain/flows';
import { answerStep } from '@countersign/test-support/service/answers';
import { newDigest } from '@countersign/test-support/service/new-files';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient, givenService } from '@countersign/test-support/service/service';
import { expect, it } from 'vitest';

/** The selfie step with one more optional text, one more choice and one more file. */
interface ExtendedSelfie {
  readonly fileId: string;
  readonly nickname?: string | undefined;
  readonly housing: 'owned' | 'rented';
  readonly leaseFileId?: string | undefined;
}

const extended = defineStep<ExtendedSelfie>({
  fields: {
    fileId: { kind: 'file', evidence: 'selfie' },
    nickname: { kind: 'text', max: 20, optional: true },
    housing: { kind: 'choice', of: ['owned', 'rented'] },
    leaseFileId: { kind: 'file', evidence: 'articles', when: { housing: ['rented'] } },
  },
  pages: { selfie: ['fileId'], housing: ['nickname', 'housing'], lease: ['leaseFileId'] },
});

const [KYC] = BUILT_IN_FLOWS.kyc as readonly [Flow];
const FLOW: Flow = { ...KYC, version: 2, steps: { ...KYC.steps, selfie: extended } };

it('fields added to a flow are asked, checked, stored, reviewed and read without other changes', async () => {
  const service = givenService({}, { flows: { ...BUILT_IN_FLOWS, kyc: [KYC, FLOW] } });
  const { countersign } = service;
  const { subject } = countersign;
  const { principal } = await givenClient(service);
  const body = { subjectType: 'kyc', subjectReference: 'user_1' };
  const { verification } = await countersign.verifications.create(principal, body);
  const { access } = await subject.open(verification.verificationUrl.split('/').at(-1) as string);
  const before = stepsOf(FLOW).slice(0, stepsOf(FLOW).indexOf('selfie'));
  for (const step of before) await answerStep(countersign, access, step);

  const upload = async (kind: 'selfie' | 'articles') => {
    const content = { contentType: 'image/jpeg', size: 1000, sha256: newDigest() } as const;
    return (await subject.attachFile(access, { step: 'selfie', kind, ...content })).file.id;
  };
  const answer = (screen: string, input: object) => subject.answerScreen(access, { screen, input });
  const fileId = await upload('selfie');
  await answer('selfie', { fileId });
  await expect(answer('housing', { housing: 'borrowed' })).rejects.toMatchObject({
    data: { issues: [{ path: 'housing', code: 'invalid' }] },
  });
  const drafted = (await answer('housing', { nickname: 'Ada', housing: 'rented' })).verification;
  const step = stepOf(drafted.flow, 'selfie');
  if (step === null) throw new Error('The flow has no selfie step');
  expect(pagesFor(step, answersSoFar(drafted, 'selfie')).map(({ slug }) => slug)).toEqual([
    'selfie',
    'housing',
    'lease',
  ]);
  expect(placesOf(step.fields).map(({ path }) => path)).toEqual(['fileId', 'leaseFileId']);
  const leaseFileId = await upload('articles');
  await answer('lease', { leaseFileId });
  const answers = { fileId, nickname: 'Ada', housing: 'rented', leaseFileId };

  for (const rest of stepsOf(FLOW).slice(before.length + 1)) await answerStep(countersign, access, rest);
  await subject.submit(access);
  const details = await countersign.verifications.details(principal, verification.id);
  expect(details.submittedData).toMatchObject({ selfie: answers });
  expect(details.documents.map(({ id }) => id)).toContain(leaseFileId);
  const { verification: reviewed } = await reviewAs(countersign).open(verification.id);
  const rows = rowsOf(step.fields, reviewed.steps.selfie?.answers ?? {});
  expect(rows.map(({ path, field, value }) => [path, field?.kind, value])).toEqual([
    ['fileId', 'file', fileId],
    ['nickname', 'text', 'Ada'],
    ['housing', 'choice', 'rented'],
    ['leaseFileId', 'file', leaseFileId],
  ]);
});
