import { expect, test } from 'vitest';
import { CONTEXT } from '../../../test-support/verifications.ts';
import { isCountersignError } from '../../errors.ts';
import { isLei, KYB_STEPS } from './kyb.ts';
import { KYC_STEPS } from './kyc.ts';
import { isOfAge } from './minimum-age.ts';
import { KYB_STEPS_1, KYC_STEPS_1 } from './version-1.ts';

const director = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };
const owning = (ownershipPercent: number, controlType: string) => ({
  ...director,
  ownershipPercent,
  controlType,
  country: 'DE',
});

function issuesOf(input: object): string[] {
  try {
    KYB_STEPS_1.ownership.accept({ directors: [director], ...input }, { ...CONTEXT, files: [] });
    return [];
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    return (error.data?.issues ?? []).map(({ path, message }) => `${path} ${message}`);
  }
}

test.each([
  [[owning(60, 'direct_shares'), owning(40, 'direct_shares')], []],
  [[owning(60, 'direct_shares'), owning(50, 'voting_rights')], []],
  [
    [owning(60, 'direct_shares'), owning(50.5, 'direct_shares')],
    ['beneficialOwners has direct shares of 110.5 %; together they must be at most 100'],
  ],
])('only direct shares add up: %j', (beneficialOwners, issues) => {
  expect(issuesOf({ beneficialOwners })).toEqual(issues);
});

test('a person that is no object is the only issue', () => {
  expect(issuesOf({ directors: ['Grace'], beneficialOwners: ['Grace', owning(60, 'direct_shares')] })).toEqual([
    'directors.0 must be an object',
    'beneficialOwners.0 must be an object',
  ]);
});

test.each([
  ['2008-03-01', true],
  ['2008-03-02', false],
])('isOfAge: born on %s, at midnight', (dateOfBirth, expected) => {
  expect(isOfAge(dateOfBirth, { now: new Date('2026-03-01T00:00:00.000Z'), minimumAge: 18 })).toBe(expected);
});

test.each([
  ['529900T8BM49AURSDO55', true],
  ['529900T8BM49AURSDO56', false],
  ['529900t8bm49aursdo55', false],
  ['1', false],
  ['', false],
])('isLei: %j', (text, expected) => {
  expect(isLei(text)).toBe(expected);
});

test('addresses: from flow version 2 on, the country decides whether the postal code is required', () => {
  const address = { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' };
  const context = { ...CONTEXT, files: [] };
  expect(KYC_STEPS_1.address.accept(address, context)).toEqual(address);
  expect(() => KYC_STEPS.address.accept(address, context)).toThrow('postalCode is required in addresses of DE');
  expect(KYB_STEPS_1.addresses.accept({ registered: address }, context)).toEqual({ registered: address });
  const registered = { ...address, postalCode: ' 101 15 ' };
  expect(() => KYB_STEPS.addresses.accept({ registered, operating: address }, context)).toThrow(
    'operating.postalCode is required in addresses of DE',
  );
  expect(KYB_STEPS.addresses.accept({ registered }, context)).toEqual({
    registered: { ...address, postalCode: '101 15' },
  });
});
