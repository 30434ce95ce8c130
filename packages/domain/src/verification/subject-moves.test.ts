import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import { actionNeeded, answered, CONTEXT, completed, file, pending } from '../../test-support/verifications.ts';
import type { StepKey } from './flow.ts';
import { answerPage, answersSoFar, attachFile, completeStep, saveDraft, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';

const after = (...steps: StepKey[]) => steps.reduce<Verification>(answered, pending());

const answer = (verification: Verification, step: string, page: string, input: unknown) =>
  answerPage(verification, { step, page, input }, CONTEXT);

describe('answerPage', () => {
  const NAME = { firstName: 'Ada', lastName: 'Lovelace' };

  it('of a page before the last: is a draft, and no page is to correct', () => {
    const { transition, pageToCorrect } = answer(after('consent', 'document'), 'person', 'name', NAME);
    expect(transition).toMatchObject({ event: null, next: { drafts: { person: NAME }, steps: {} } });
    expect(pageToCorrect).toBeNull();
  });

  it('of a completed step: refuses a page that other answers require', () => {
    const withoutBack = () => answer(after('consent', 'document'), 'document', 'document-back', {});
    expect(withoutBack).toThrow(refusal('backFileId'));
  });

  it('of a completed step: completes it again at any page', () => {
    const before = after('consent', 'document', 'person');
    const { transition, pageToCorrect } = answer(before, 'person', 'name', NAME);
    expect(transition?.event).toEqual({ type: 'verification.step_completed', data: { step: 'person' } });
    expect(transition?.next.steps.person?.answers).toMatchObject({ ...NAME, email: 'komachi@example.org' });
    expect(pageToCorrect).toBeNull();
  });

  it('of a step that a reviewer asked for: is a draft before the last page', () => {
    const { transition } = answer(actionNeeded(['person']), 'person', 'name', NAME);
    expect(transition?.event).toBeNull();
  });
});

describe('a date of birth from before the field had a first day', () => {
  /** The person was born in the year 90. */
  const early = (verification: Verification): Verification => {
    const { person } = verification.steps;
    if (person === undefined) throw new Error('The step is not completed');
    const answers = { ...person.answers, dateOfBirth: '0090-02-28' };
    return { ...verification, steps: { ...verification.steps, person: { ...person, answers } } };
  };

  it('a date of birth from before the field had a first day does not stop the other steps and the submission', () => {
    const rest = ['selfie', 'address', 'attestation'] as const;
    const answeredToTheEnd = rest.reduce<Verification>(answered, early(after('consent', 'document', 'person')));
    expect(submit(answeredToTheEnd, CONTEXT.now).next.status).toBe('submitted');
  });

  it('leads to its page when the step is changed', () => {
    const before = early(after('consent', 'document', 'person'));
    const { transition, pageToCorrect } = answer(before, 'person', 'contact', { email: 'ada@example.org' });
    expect(pageToCorrect).toBe('birth');
    expect(transition?.next.drafts).toMatchObject({ person: { email: 'ada@example.org' } });
  });
});

const refusal = (path: string) =>
  expect.objectContaining({
    code: 'INVALID_PARAMETERS',
    data: { issues: [expect.objectContaining({ path })] },
  }) as Error;

describe('the issue of a refused move names', () => {
  const atDocument = after('consent');
  it.each([
    ['a step of another flow', 'step', () => completeStep(atDocument, { step: 'business', input: {} }, CONTEXT)],
    ['a page of another step', 'page', () => answer(atDocument, 'document', 'name', {})],
    [
      'a kind of file that the step does not take',
      'kind',
      () => attachFile(atDocument, file('document', 'selfie')),
    ],
  ])('%s', (_what, path, attempt) => {
    expect(attempt).toThrow(refusal(path));
  });
});

describe('a file of the right kind that was uploaded for another step', () => {
  const before = after('consent', 'document', 'person');
  const atSelfie = { ...before, files: [...before.files, file('document', 'selfie', 'other')] };
  const input = { fileId: 'other' };

  it('a file of the right kind that was uploaded for another step does not complete the step', () => {
    expect(() => completeStep(atSelfie, { step: 'selfie', input }, CONTEXT)).toThrow(refusal('fileId'));
  });

  it('a file of the right kind that was uploaded for another step is not saved as a draft', () => {
    const part = { step: 'selfie', fields: ['fileId'], input };
    expect(() => saveDraft(atSelfie, part, CONTEXT)).toThrow(refusal('fileId'));
  });
});

it('answersSoFar: a step of another flow has no answers', () => {
  expect(answersSoFar(completed(), 'business')).toEqual({});
  expect(answersSoFar(completed(), 'attestation')).toEqual(GOOD_ANSWERS.kyc.attestation);
});
