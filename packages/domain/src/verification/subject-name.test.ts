import { expect, it } from 'vitest';
import { completed, pending } from '../../test-support/verifications.ts';
import { subjectNameOf } from './subject-name.ts';

it.each([
  ['a person', completed('kyc'), "小町 O'Brien-Łukasz"],
  ['a business, not that of its representative', completed('kyb'), 'Müller & Söhne GmbH'],
  ['a person who has not answered', pending('kyc'), null],
  ['a business that has not answered', pending('kyb'), null],
])('subjectNameOf returns the name of %s', (_what, verification, name) => {
  expect(subjectNameOf(verification)).toBe(name);
});
