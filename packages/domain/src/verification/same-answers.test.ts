import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  actionNeeded,
  answered,
  CONTEXT,
  completed,
  completing,
  file,
  pending,
} from '../../test-support/verifications.ts';
import { isStepCompleted } from './progress.ts';
import { saveDraft } from './save-draft.ts';
import { attachFile, completeStep } from './subject-moves.ts';
import type { Verification } from './verification.ts';

const LATER = { ...CONTEXT, now: new Date('2026-03-02T10:00:00.000Z') };
const { person, consent, document } = GOOD_ANSWERS.kyc;

const again = (verification: Verification, step: string, input: unknown) =>
  completeStep(verification, { step, input }, LATER);

/** With a first name drafted for the step that asks for it. */
const drafted = (verification: Verification, step: 'person' | 'selfie' = 'person') =>
  step === 'person'
    ? saveDraft(verification, { step, fields: ['firstName'], input: { firstName: 'Ada' } }, CONTEXT).next
    : saveDraft(verification, { step, fields: ['fileId'], input: { fileId: 'selfie' } }, CONTEXT).next;

// Each "Continue" on a revisited page once wrote an event.
describe('a step that is answered again with equal answers', () => {
  it('changes nothing', () => {
    expect(again(completed(), 'person', person)).toBeNull();
  });

  it('changes nothing if keys come in another order', () => {
    const turned = Object.fromEntries(Object.entries(person ?? {}).reverse());
    expect(Object.keys(turned)).not.toEqual(Object.keys(person ?? {}));
    expect(again(completed(), 'person', turned)).toBeNull();
  });

  it('keeps the first acceptedAt', () => {
    const verification = completed();
    expect(again(verification, 'consent', consent)).toBeNull();
    expect(verification.steps.consent?.answers).toMatchObject({ acceptedAt: CONTEXT.now.toISOString() });
  });

  it('ends its draft without an event', () => {
    const before = drafted(completed());
    const transition = again(before, 'person', person);
    expect(transition).toEqual({
      next: { ...before, version: before.version + 1, drafts: {} },
      event: null,
    });
  });

  it('keeps the draft of another step', () => {
    expect(again(drafted(completed(), 'selfie'), 'person', person)).toBeNull();
  });

  it('a step that is answered again with equal answers is refused like first answers', () => {
    const expired = { ...CONTEXT, now: new Date('2040-01-01T00:00:00.000Z') };
    const attempt = () => completeStep(completed(), { step: 'document', input: document }, expired);
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETERS' }));
  });
});

describe('a step that is answered again with other answers', () => {
  it.each([
    ['another value', { ...person, firstName: 'Ada' }],
    ['one field fewer', { ...person, phone: undefined }],
    ['another order in a list', { ...person, nationalities: ['JP', 'PL'] }],
  ])('as with %s, is a change and an event', (_what, input) => {
    const before = completed();
    const transition = again(before, 'person', input);
    expect(transition?.event).toMatchObject({ type: 'verification.step_completed' });
    expect(transition?.next.version).toBe(before.version + 1);
  });

  it('as with another version of the consent, gets a new acceptedAt', () => {
    const transition = again(completed(), 'consent', { ...consent, version: '2026-02' });
    expect(transition?.next.steps.consent?.answers).toMatchObject({ acceptedAt: LATER.now.toISOString() });
  });

  it('as with another file of the same kind, is a change', () => {
    const before = attachFile(completed(), file('selfie', 'selfie', 'another')).next;
    expect(again(before, 'selfie', { fileId: 'another' })?.event).not.toBeNull();
    expect(again(before, 'selfie', { fileId: 'selfie' })).toBeNull();
  });
});

describe('after a request for action', () => {
  it('a step that is answered with equal answers counts as redone', () => {
    const asked = actionNeeded(['person']);
    const transition = again(asked, 'person', person);
    expect(transition?.event).toMatchObject({ type: 'verification.step_completed', data: { step: 'person' } });
    expect(transition?.next).toMatchObject({ version: asked.version + 1, awaiting: [] });
    expect(transition?.next.earlierAnswers).toMatchObject([{ step: 'person', answers: person }]);
  });

  it('a redone step answered again with equal answers changes nothing', () => {
    const redone = completing(actionNeeded(['person', 'selfie']), 'person', person);
    expect(isStepCompleted(redone, 'person')).toBe(true);
    expect(again(redone, 'person', person)).toBeNull();
    expect(again(drafted(redone), 'person', person)).toMatchObject({ event: null, next: { drafts: {} } });
  });
});

it('the first answers are a change, whatever the draft', () => {
  const before = drafted(answered(answered(pending(), 'consent'), 'document'));
  const transition = again(before, 'person', person);
  expect(transition).toMatchObject({ event: { type: 'verification.step_completed' }, next: { drafts: {} } });
});
