import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import { CONTEXT, LINK_CONTEXT, pending, submitted } from '../../test-support/verifications.ts';
import { completeSteps, tryCompletingSteps } from './complete-steps.ts';
import { askForAction } from './reviewer-moves.ts';

describe('completeSteps', () => {
  it('completeSteps does not skip a step that a reviewer asked for', () => {
    const items = ['document', 'selfie', 'address'].map((step) => ({ step, reasonCode: 'data_mismatch' }));
    const { next } = askForAction(submitted(), { items }, LINK_CONTEXT);
    const answers = ['document', 'address'] as const;
    const attempt = () =>
      completeSteps(
        next,
        answers.map((step) => ({ step, input: GOOD_ANSWERS.kyc[step] })),
        CONTEXT,
      );
    expect(attempt).toThrow(expect.objectContaining({ code: 'STEP_OUT_OF_TURN' }));
  });

  it.each([
    ['at the redo, if a reviewer asked for the statement', ['accepted', 'representative.email'], true],
    ['as before, if a reviewer asked for other fields', ['representative.email'], false],
  ])('the consent was given %s', (_what, fields, isLater) => {
    const items = fields.map((field) => ({ step: 'consent', reasonCode: 'data_mismatch', field }));
    const { next } = askForAction(submitted('kyb'), { items }, LINK_CONTEXT);
    const later = new Date(CONTEXT.now.getTime() + 1);
    const before = next.steps.consent?.answers.acceptedAt;
    const made = completeSteps(next, [{ step: 'consent', input: GOOD_ANSWERS.kyb.consent }], {
      ...CONTEXT,
      now: later,
    });
    const acceptedAt = isLater ? later.toISOString() : before;
    expect(before).toBe(CONTEXT.now.toISOString());
    expect(made).toMatchObject([{ next: { steps: { consent: { answers: { acceptedAt } } } } }]);
  });
});

it('tryCompletingSteps throws a fault, and does not take it for a reason of the answers', () => {
  const fault = new Error('a fault');
  const input = {
    get accepted(): boolean {
      throw fault;
    },
  };
  expect(() => tryCompletingSteps(pending(), [{ step: 'consent', input }], CONTEXT)).toThrow(fault);
});
