import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  actionNeeded,
  CONTEXT,
  completing,
  LINK_CONTEXT,
  NOW,
  submitted,
} from '../../test-support/verifications.ts';
import type { ActionItem } from './decision.ts';
import { type StepKey, stepOf } from './flow.ts';
import { askedFields, askedPages, isAskedByField, itemsOf, reviewedAnswers } from './redo.ts';
import { askForAction } from './reviewer-moves.ts';
import { submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';

type Asked = readonly (readonly [step: StepKey, field?: string])[];

function asking(items: Asked, of: Verification = submitted()): Verification {
  const asked = items.map(([step, field]) => ({ step, reasonCode: 'data_mismatch', field }));
  return askForAction(of, { items: asked }, LINK_CONTEXT).next;
}

const person = (city: string) => ({ ...GOOD_ANSWERS.kyc.person, placeOfBirth: { city, country: 'PL' } });

describe('what a reviewer asks for in a step', () => {
  const fieldOf = ({ field }: ActionItem) => field;

  it.each<[what: string, items: Asked, fields: readonly (string | undefined)[], isByField: boolean]>([
    ['two fields', [['person', 'firstName'], ['person', 'lastName'], ['selfie']], ['firstName', 'lastName'], true],
    ['a field and the whole step', [['person', 'firstName'], ['person']], ['firstName', undefined], false],
    ['the whole step', [['person']], [undefined], false],
    ['nothing, but another step', [['selfie']], [], false],
  ])('a reviewer asks for %s', (_, items, fields, isByField) => {
    const verification = asking(items);
    expect(itemsOf(verification, 'person').map(fieldOf)).toEqual(fields);
    expect(askedFields(verification, 'person')).toEqual(fields.filter((field) => field !== undefined));
    expect(isAskedByField(verification, 'person')).toBe(isByField);
  });

  it('a verification that waits for no redo has no items', () => {
    expect(itemsOf(submitted(), 'person')).toEqual([]);
    expect(reviewedAnswers(submitted(), 'person')).toBeUndefined();
  });
});

describe('reviewedAnswers', () => {
  it('reviewedAnswers: returns the answers before the redo, also after it', () => {
    const asked = asking([['person'], ['address']]);
    const before = asked.steps.person?.answers;
    expect(reviewedAnswers(asked, 'person')).toEqual(before);
    const redone = completing(asked, 'person', person('Gdynia'));
    const both = completing(redone, 'address', { ...asked.steps.address?.answers, city: 'Bonn' });
    expect(both.steps.person?.answers).toEqual(person('Gdynia'));
    expect(reviewedAnswers(redone, 'person')).toEqual(before);
    expect(reviewedAnswers(both, 'person')).toEqual(before);
  });

  it('reviewedAnswers: has none of a step that only an earlier request asked for', () => {
    const redone = completing(asking([['person']]), 'person', person('Gdynia'));
    const again = asking([['address']], submit(redone, NOW).next);
    expect(reviewedAnswers(again, 'person')).toBeUndefined();
    expect(reviewedAnswers(again, 'address')).toEqual(again.steps.address?.answers);
  });

  it('reviewedAnswers: has none if the answers are not stored', () => {
    const asked = actionNeeded(['person']);
    expect(reviewedAnswers({ ...asked, steps: {} }, 'person')).toBeUndefined();
    expect(reviewedAnswers({ ...asked, awaiting: [] } as Verification, 'person')).toBeUndefined();
  });
});

describe('askedPages', () => {
  const asked = (verification: Verification, key: StepKey) => {
    const pages = stepOf(verification.flow, key)?.pages ?? [];
    const answers = verification.steps[key]?.answers ?? {};
    return askedPages(verification, key, { pages, answers, asks: CONTEXT.asks }).map(({ slug }) => slug);
  };
  const ALL = ['document', 'document-front', 'document-back', 'document-details'];

  it.each<[what: string, verification: Verification, pages: readonly string[]]>([
    ['all pages without a request', submitted(), ALL],
    ['all pages for the whole step', asking([['document']]), ALL],
    ['all pages for the whole step beside a field', asking([['document', 'number'], ['document']]), ALL],
    ['the page of a field', asking([['document', 'number']]), ['document-details']],
    ['no page of a step that is not asked for', asking([['selfie']]), []],
  ])('askedPages: lists %s', (_, verification, pages) => {
    expect(asked(verification, 'document')).toEqual(pages);
  });
});
