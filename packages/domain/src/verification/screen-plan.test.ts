import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import { answered, CONTEXT, inState, LINK_CONTEXT, pending, submitted } from '../../test-support/verifications.ts';
import type { JsonObject } from '../input/json.ts';
import type { StepKey } from './flow.ts';
import { askForAction } from './reviewer-moves.ts';
import { endOfStep, openScreensOf, plannedScreens } from './screen-plan.ts';
import type { Verification } from './verification.ts';

const { asks } = CONTEXT;
const document = GOOD_ANSWERS.kyc.document as JsonObject;
const drafting = (verification: Verification, drafts: Verification['drafts']): Verification => ({
  ...verification,
  drafts,
});

describe('plannedScreens', () => {
  it('a passport has no screen for its back, and each screen lists its parts', () => {
    const passport = drafting(answered(pending(), 'consent'), { document: { ...document, type: 'passport' } });
    expect(
      plannedScreens(passport, asks).map(({ slug, parts }) => [slug, parts.map((part) => part.slug)]),
    ).toEqual([
      ['consent', ['consent']],
      ['document', ['document']],
      ['document-front', ['document-front']],
      ['details', ['document-details', 'person']],
      ['selfie', ['selfie']],
      ['address', ['address']],
      ['proof-of-address', ['proof-of-address']],
      ['check', ['check']],
    ]);
  });
});

describe('openScreensOf', () => {
  it.each(['submitted', 'approved', 'rejected'] as const)('a %s verification has no open screen', (status) => {
    expect(openScreensOf(inState(status), asks)).toEqual([]);
  });
});

describe('endOfStep', () => {
  const endAt = (verification: Verification, screen: string, step: StepKey = 'document') =>
    endOfStep(verification, { step, screen }, asks);

  it('a first answer ends the step on its last screen alone, also if that one was answered before', () => {
    const whole = drafting(answered(pending(), 'consent'), { document });
    expect(endAt(whole, 'document-back')).toEqual({ ends: false });
    expect(endAt(whole, 'details')).toEqual({ ends: true });
  });

  describe('the end of a step that is asked by field', () => {
    const asked = (...fields: (readonly [StepKey, string])[]) => {
      const items = fields.map(([step, field]) => ({ step, field, reasonCode: 'data_mismatch' }));
      return askForAction(submitted(), { items }, LINK_CONTEXT).next;
    };
    const front = { document: { frontFileId: 'new' } };

    it('a screen of the step that is still to answer keeps the step open, and is named on the last one', () => {
      const both = asked(['document', 'frontFileId'], ['document', 'number']);
      expect(endAt(drafting(both, front), 'document-front')).toEqual({ ends: false });
      const details = { document: { number: 'X1', expiresOn: '2099-01-01' } };
      expect(endAt(drafting(both, details), 'details')).toEqual({ ends: false, before: 'document-front' });
    });

    it('a screen of another step that is still to answer does not keep the step open', () => {
      const both = asked(['document', 'frontFileId'], ['person', 'lastName']);
      expect(endAt(drafting(both, front), 'document-front')).toEqual({ ends: true });
    });

    it('the screen that is answered now is not still to answer, whatever was saved of it', () => {
      expect(endAt(asked(['document', 'frontFileId']), 'document-front')).toEqual({ ends: true });
    });
  });
});
