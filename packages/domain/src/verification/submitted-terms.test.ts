import { expect, test } from 'vitest';
import { submitted } from '../../test-support/verifications.ts';
import { allTermsOf, indexTermsOf } from './submitted-terms.ts';

test('indexTermsOf: verifications are compared by none of the terms for search', () => {
  const terms = allTermsOf(submitted());
  const forSearch = terms.filter(({ isForSearch }) => isForSearch === true);
  const compared = indexTermsOf(submitted());
  expect(forSearch.map(({ purpose }) => purpose)).toEqual(
    expect.arrayContaining(['document_number', 'family_name']),
  );
  expect(compared).toEqual(terms.filter((term) => !forSearch.includes(term)));
  expect(compared.length).toBeGreaterThan(0);
});

test('allTermsOf: answers to a step that the flow lacks have no terms', () => {
  const verification = submitted();
  const { business } = submitted('kyb').steps;
  const more = { ...verification, steps: { ...verification.steps, ...(business && { business }) } };
  expect(allTermsOf(more)).toEqual(allTermsOf(verification));
});
