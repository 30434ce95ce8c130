import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  actionNeeded,
  answered,
  CONTEXT,
  completed,
  file,
  inFlow,
  pending,
} from '../../test-support/verifications.ts';
import { answerScreen } from './answer-screen.ts';
import { answersSoFar } from './answers-so-far.ts';
import type { StepKey } from './flow.ts';
import { saveDraft } from './save-draft.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';

/** Flow version 1: each page is a screen. */
const begun = inFlow(pending(), 1);

const after = (...steps: StepKey[]) => steps.reduce<Verification>(answered, begun);

const answer = (verification: Verification, screen: string, input: unknown) =>
  answerScreen(verification, { screen, input }, CONTEXT);

const eventsOf = ({ transition }: ReturnType<typeof answer>) =>
  transition !== null && 'length' in transition ? transition.map(({ event }) => event) : [];

const nextOf = ({ transition }: ReturnType<typeof answer>) =>
  transition !== null && 'length' in transition ? transition.at(-1)?.next : transition?.next;

describe('answerScreen: a page of flow version 1', () => {
  const NAME = { firstName: 'Ada', lastName: 'Lovelace' };

  it('of a page before the last: is a draft, and no page is to correct', () => {
    const { transition, screenToCorrect } = answer(after('consent', 'document'), 'name', NAME);
    expect(transition).toMatchObject({ event: null, next: { drafts: { person: NAME }, steps: {} } });
    expect(screenToCorrect).toBeNull();
  });

  it('of a completed step: refuses a page that other answers require', () => {
    const withoutBack = () => answer(after('consent', 'document'), 'document-back', {});
    expect(withoutBack).toThrow(refusal('backFileId'));
  });

  it('of a completed step: completes it again at any page', () => {
    const before = after('consent', 'document', 'person');
    const answered = answer(before, 'name', NAME);
    expect(eventsOf(answered)).toEqual([{ type: 'verification.step_completed', data: { step: 'person' } }]);
    expect(nextOf(answered)?.steps.person?.answers).toMatchObject({ ...NAME, email: 'komachi@example.org' });
    expect(answered.screenToCorrect).toBeNull();
  });

  it('of a step that a reviewer asked for: is a draft before the last page', () => {
    const { transition } = answer(inFlow(actionNeeded(['person']), 1), 'name', NAME);
    expect(transition).toMatchObject({ event: null });
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
    const changed = answer(before, 'contact', { email: 'ada@example.org' });
    expect(changed.screenToCorrect).toBe('birth');
    expect(nextOf(changed)?.drafts).toMatchObject({ person: { email: 'ada@example.org' } });
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
    ['a screen that the flow lacks', 'screen', () => answer(atDocument, 'details', {})],
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
