import { expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import { CONTEXT, completed, completing } from '../../test-support/verifications.ts';
import { fieldsToRedo } from './fields-to-redo.ts';
import type { StepKey, SubjectType } from './flow.ts';

const pathsOf = (type: SubjectType, step: StepKey, asks = CONTEXT.asks): string[] =>
  fieldsToRedo(completed(type), step, asks).map(({ path }) => path);

it.each<[SubjectType, StepKey, readonly string[]]>([
  ['kyc', 'document', ['type', 'issuingCountry', 'frontFileId', 'backFileId', 'number', 'expiresOn']],
  ['kyb', 'addresses', ['registered', 'operating']],
  ['kyb', 'ownership', ['directors', 'beneficialOwners']],
])(
  'a reviewer may ask for each field of %s %s that the answers call for, without statements',
  (type, step, paths) => {
    expect(pathsOf(type, step)).toEqual(paths);
  },
);

it.each<[string, SubjectType, StepKey]>([
  ['has one field, which is the whole step', 'kyc', 'selfie'],
  ['has one field beside statements and values of the page', 'kyb', 'consent'],
  ['has only statements and values of the page', 'kyc', 'consent'],
  ['belongs to another flow', 'kyc', 'business'],
])('a step has no field to ask for alone if it %s', (_, type, step) => {
  expect(pathsOf(type, step)).toEqual([]);
});

it('a reviewer cannot ask for the back of a passport', () => {
  const { backFileId: _, ...card } = GOOD_ANSWERS.kyc.document as Record<string, string>;
  const withPassport = completing(completed(), 'document', { ...card, type: 'passport' });
  const paths = fieldsToRedo(withPassport, 'document', CONTEXT.asks).map(({ path }) => path);
  expect(paths).toEqual(['type', 'issuingCountry', 'frontFileId', 'number', 'expiresOn']);
});
