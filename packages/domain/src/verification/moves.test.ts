import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  actionNeeded,
  answered,
  CONTEXT,
  completed,
  completing,
  file,
  inState,
  LINK_CONTEXT,
  NOW,
  pending,
  submitted,
} from '../../test-support/verifications.ts';
import { isCountersignError } from '../errors.ts';
import { expire } from './expire-verifications.ts';
import { currentFlow, type StepKey, SUBJECT_TYPES, stepsOf } from './flow.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { currentStepOf, openStepsOf } from './progress.ts';
import { approve, askForAction, reject } from './reviewer-moves.ts';
import { saveDraft } from './save-draft.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import { submittedDataOf } from './verification.ts';

const withCode = (code: string) => expect.objectContaining({ code });

describe.each(SUBJECT_TYPES)('completing a %s', (type) => {
  it('moves currentStep by one with each step, up to the number of steps', () => {
    let verification = pending(type) as ReturnType<typeof answered>;
    expect(currentStepOf(verification)).toBe(0);
    for (const [index, step] of stepsOf(currentFlow(type)).entries()) {
      verification = answered(verification, step);
      expect(currentStepOf(verification)).toBe(index + 1);
    }
    expect(currentStepOf(submit(verification, NOW).next)).toBe(type === 'kyc' ? 6 : 7);
  });

  it('adds one to the version with each change', () => {
    const before = pending(type);
    const next = completing(before, 'consent', GOOD_ANSWERS[type].consent);
    expect([before.version, next.version]).toEqual([1, 2]);
  });

  it('cannot be submitted before the last step', () => {
    const steps = stepsOf(currentFlow(type)).slice(0, -1);
    const almost = steps.reduce(answered, pending(type) as ReturnType<typeof answered>);
    expect(() => submit(almost, NOW)).toThrow(withCode('STEPS_INCOMPLETE'));
  });
});

describe('a step', () => {
  it('an answer to a step that is not open is refused', () => {
    const attempt = () => completeStep(pending(), { step: 'person', input: GOOD_ANSWERS.kyc.person }, CONTEXT);
    expect(attempt).toThrow(withCode('STEP_OUT_OF_TURN'));
  });

  it.each(['business', 'toString', '__proto__', ''])('%j of another flow or of none is refused', (step) => {
    expect(() => completeStep(pending(), { step, input: {} }, CONTEXT)).toThrow(withCode('INVALID_PARAMETERS'));
  });

  it('may be repeated before submitting; the first answers are dropped', () => {
    const answers = { ...GOOD_ANSWERS.kyc.person, firstName: 'Ono' };
    const next = completing(completed(), 'person', answers);
    expect(submittedDataOf(next)).toMatchObject({ person: { firstName: 'Ono' } });
    expect(next.earlierAnswers).toEqual([]);
    expect(currentStepOf(next)).toBe(6);
  });

  it('an answer with a file of another step, of another kind or unknown is refused', () => {
    const atSelfie = (['consent', 'document', 'person'] as const).reduce(
      answered,
      pending() as ReturnType<typeof answered>,
    );
    const attempt = () => completeStep(atSelfie, { step: 'selfie', input: { fileId: 'document_front' } }, CONTEXT);
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMETERS',
        data: { issues: [expect.objectContaining({ path: 'fileId' })] },
      }),
    );
  });

  it('stamps the consent with the server’s time', () => {
    const next = completing(pending(), 'consent', GOOD_ANSWERS.kyc.consent);
    expect(submittedDataOf(next)).toMatchObject({ consent: { acceptedAt: NOW.toISOString() } });
  });
});

describe('files', () => {
  it('files are accepted up to twenty', () => {
    let verification = answered(pending(), 'consent');
    for (let count = 0; count < 20; count += 1) {
      verification = attachFile(verification, file('document', 'document_front', `file-${count}`)).next;
    }
    const another = () => attachFile(verification, file('document', 'document_front', 'one too many'));
    expect(another).toThrow(withCode('FILE_LIMIT_REACHED'));
  });

  it('must belong to their step, which must be open', () => {
    const atDocument = answered(pending(), 'consent');
    expect(() => attachFile(atDocument, file('document', 'selfie'))).toThrow(withCode('INVALID_PARAMETERS'));
    expect(() => attachFile(atDocument, file('selfie', 'selfie'))).toThrow(withCode('STEP_OUT_OF_TURN'));
  });
});

describe('asking for action', () => {
  const flagged: StepKey[] = ['selfie', 'person'];
  const asked = actionNeeded(flagged);

  it('drops currentStep to before the first flagged step', () => {
    expect(currentStepOf(asked)).toBe(2);
  });

  it('keeps the link and moves its end', () => {
    const later = { ...LINK_CONTEXT, now: new Date('2026-03-20T10:00:00.000Z') };
    const items = [{ step: 'selfie', reasonCode: 'selfie_unclear' }];
    const { link } = askForAction(submitted(), { items }, later).next;
    expect(link).toEqual({ version: 1, expiresAt: new Date('2026-04-19T10:00:00.000Z') });
  });

  it('lists the items in the order of the flow', () => {
    expect(asked).toMatchObject({
      request: { items: [{ step: 'person' }, { step: 'selfie' }], message: 'Once more, please' },
    });
  });

  it('reopens only the flagged steps', () => {
    const redo = () => completeStep(asked, { step: 'consent', input: GOOD_ANSWERS.kyc.consent }, CONTEXT);
    expect(redo).toThrow(withCode('STEP_OUT_OF_TURN'));
  });

  it('keeps the earlier answers of a redone step once, whatever is corrected later', () => {
    const first = completing(asked, 'person', { ...GOOD_ANSWERS.kyc.person, firstName: 'A' });
    const second = completing(first, 'person', { ...GOOD_ANSWERS.kyc.person, firstName: 'B' });
    expect(second.earlierAnswers).toEqual([
      {
        step: 'person',
        answers: GOOD_ANSWERS.kyc.person,
        completedAt: NOW.toISOString(),
        version: 6,
        replacedAt: NOW.toISOString(),
      },
    ]);
    expect(submittedDataOf(second)).toMatchObject({ person: { firstName: 'B' } });
  });

  it('asking for action is answered by a new submission once all flagged steps are redone', () => {
    const half = answered(asked, 'person');
    expect(currentStepOf(half)).toBe(3);
    expect(() => submit(half, NOW)).toThrow(withCode('STEPS_INCOMPLETE'));
    expect(submit(answered(half, 'selfie'), NOW).next.status).toBe('submitted');
  });

  it.each([
    ['no item', { items: [] }],
    ['a step of another flow', { items: [{ step: 'business', reasonCode: 'other', note: 'x' }] }],
    ['a suspicion of fraud', { items: [{ step: 'person', reasonCode: 'suspected_fraud' }] }],
    ['withdrawn', { items: [{ step: 'person', reasonCode: 'withdrawn' }] }],
    ['other without a note', { items: [{ step: 'person', reasonCode: 'other' }] }],
    ['an unknown field', { items: [{ step: 'person', reasonCode: 'data_mismatch' }], fine: true }],
  ])('asking for action with %s is refused', (_what, input) => {
    expect(() => askForAction(submitted(), input, LINK_CONTEXT)).toThrow(withCode('INVALID_PARAMETERS'));
  });
});

it('issues of a decision have codes', () => {
  const codesOf = (decide: () => unknown) => {
    try {
      decide();
    } catch (error) {
      if (isCountersignError(error)) return error.data?.issues?.map(({ path, code }) => `${path} ${code}`);
    }
    return [];
  };
  const items = [
    { step: 'business', reasonCode: 'data_mismatch' },
    { step: 'person', reasonCode: 'other' },
  ];
  expect(codesOf(() => askForAction(submitted(), { items }, LINK_CONTEXT))).toEqual([
    'items.0.step not_a_step',
    'items.1.note note_needed',
  ]);
  expect(codesOf(() => reject(submitted(), { reasonCodes: ['other'] }, NOW))).toEqual(['message note_needed']);
});

describe('a decision', () => {
  it('a decision to approve sets resolvedAt and is final', () => {
    const { next, event } = approve(submitted(), NOW);
    expect(next).toMatchObject({
      status: 'approved',
      resolvedAt: NOW,
      decision: { outcome: 'approved', reasonCodes: [] },
    });
    expect(event.type).toBe('verification.approved');
  });

  it('a decision to reject carries its reasons', () => {
    const { next } = reject(submitted(), { reasonCodes: ['data_mismatch', 'suspected_fraud'] }, NOW);
    expect(next).toMatchObject({
      status: 'rejected',
      resolvedAt: NOW,
      decision: { outcome: 'rejected', reasonCodes: ['data_mismatch', 'suspected_fraud'], message: null },
    });
  });

  it.each([
    ['no reason', { reasonCodes: [] }],
    ['other without a text', { reasonCodes: ['other'] }],
    ['withdrawn, which the service alone gives', { reasonCodes: ['withdrawn'] }],
    ['an unknown reason', { reasonCodes: ['mood'] }],
    ['a reason twice', { reasonCodes: ['data_mismatch', 'data_mismatch'] }],
  ])('a decision to reject with %s is refused', (_what, input) => {
    expect(() => reject(submitted(), input, NOW)).toThrow(withCode('INVALID_PARAMETERS'));
  });

  it('a decision to withdraw ends as rejected, with the reason withdrawn', () => {
    const { next } = withdraw(inState('action_needed'), NOW);
    expect(next).toMatchObject({ status: 'rejected', resolvedAt: NOW, decision: { reasonCodes: ['withdrawn'] } });
  });

  it.each(['pending', 'action_needed'] as const)(
    'a decision to expire when %s ends as rejected, with the reason expired',
    (status) => {
      const before = inState(status);
      const { next, event } = expire(before, NOW);
      const decision = {
        outcome: 'rejected',
        reasonCodes: ['expired'],
        message: null,
        decidedAt: NOW.toISOString(),
      };
      expect(next).toMatchObject({ status: 'rejected', resolvedAt: NOW, version: before.version + 1, decision });
      expect(event).toEqual({ type: 'verification.expired', data: { reasonCodes: ['expired'] } });
    },
  );
});

describe('files at the decision', () => {
  const completed = completing(
    attachFile(actionNeeded(['document']), file('document', 'document_front', 'better')).next,
    'document',
    { ...GOOD_ANSWERS.kyc.document, frontFileId: 'better' },
  );
  const redone = attachFile(completed, file('document', 'document_front', 'unused')).next;
  const idsOf = ({ files }: { files: readonly { id: string }[] }) => files.map(({ id }) => id);

  it.each([
    ['approved', approve(submit(redone, NOW).next, NOW).next],
    ['rejected', reject(submit(redone, NOW).next, { reasonCodes: ['data_mismatch'] }, NOW).next],
    ['withdrawn', withdraw(redone, NOW).next],
    ['expired', expire(redone, NOW).next],
  ])(
    'files at the decision that were replaced stay, and those that no answer ever named are removed, when it is %s',
    (_how, verification) => {
      const named = ['document_front', 'document_back', 'selfie', 'proof_of_address', 'better'];
      expect(idsOf(verification)).toEqual(named);
    },
  );

  it('stay without a name in any answer, when it is withdrawn on hold', () => {
    const held = { ...redone, heldAt: NOW, heldUntil: null };
    expect(idsOf(withdraw(held, NOW).next)).toEqual(idsOf(redone));
    const { next } = withdraw({ ...held, heldUntil: NOW }, NOW);
    expect(idsOf(next)).not.toContain('unused');
  });
});

describe('drafts', () => {
  const part = { step: 'person', fields: ['firstName'], input: { firstName: 'Ada' } };
  const drafted = saveDraft(answered(answered(pending(), 'consent'), 'document'), part, CONTEXT).next;

  it('end when their step is completed', () => {
    expect(drafted.drafts).toEqual({ person: { firstName: 'Ada' } });
    expect(answered(drafted, 'person').drafts).toEqual({});
  });

  it('end with the submission and with a withdrawal', () => {
    const corrected = saveDraft(completed(), part, CONTEXT).next;
    expect(submit(corrected, NOW).next.drafts).toEqual({});
    expect(withdraw(corrected, NOW).next.drafts).toEqual({});
  });

  it('stay when a verification on hold is withdrawn', () => {
    const held = { ...drafted, heldAt: NOW };
    expect(withdraw(held, NOW).next.drafts).toEqual({ person: { firstName: 'Ada' } });
  });

  it('drafts are no answers', () => {
    expect(submittedDataOf(drafted)).not.toHaveProperty('person');
    expect(currentStepOf(drafted)).toBe(2);
  });
});

it('openStepsOf: the steps up to the first incomplete one; after a request, only the requested ones', () => {
  expect(openStepsOf(pending())).toEqual(['consent']);
  expect(openStepsOf(answered(pending(), 'consent'))).toEqual(['consent', 'document']);
  expect(openStepsOf(submitted())).toEqual([]);
  const asked = actionNeeded(['person', 'selfie']);
  expect(openStepsOf(asked)).toEqual(['person']);
  expect(openStepsOf(answered(asked, 'person'))).toEqual(['person', 'selfie']);
});

it('renewLink: a higher version and a new expiry, the same status', () => {
  const later = new Date('2026-04-15T00:00:00.000Z');
  const { next } = renewLink(pending(), { now: later, linkLifetimeDays: 7 });
  expect(next.link).toEqual({ version: 2, expiresAt: new Date('2026-04-22T00:00:00.000Z') });
  expect(next.status).toBe('pending');
});
