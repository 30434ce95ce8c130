import { describe, expect, it } from 'vitest';
import { FILES_NEEDED, GOOD_ANSWERS } from '../../../test-support/answers.ts';
import { CONTEXT, file } from '../../../test-support/verifications.ts';
import { type Issue, type IssueCode, isCountersignError } from '../../errors.ts';
import { currentFlow, type StepKey, type SubjectType, stepOf } from '../flow.ts';

/** What is wrong with the good answers once some fields are changed; undefined takes a field away. */
function issuesOf(type: SubjectType, step: StepKey, change: object): readonly Issue[] {
  const files = (FILES_NEEDED[step] ?? []).map((kind) => file(step, kind));
  try {
    stepOf(currentFlow(type), step)?.accept({ ...GOOD_ANSWERS[type][step], ...change }, { ...CONTEXT, files });
    return [];
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return error.data?.issues ?? [];
  }
}

const long = (length: number) => 'x'.repeat(length);
const [owner] = (GOOD_ANSWERS.kyb.ownership as { beneficialOwners: object[] }).beneficialOwners;

describe('each issue has a code and its bound', () => {
  it.each<[SubjectType, StepKey, change: object, path: string, code: IssueCode, limit?: number]>([
    ['kyc', 'consent', { accepted: false }, 'accepted', 'required'],
    ['kyc', 'consent', { locale: '?' }, 'locale', 'invalid'],
    ['kyc', 'person', { lastName: undefined }, 'lastName', 'required'],
    ['kyc', 'person', { placeOfBirth: undefined }, 'placeOfBirth', 'required'],
    ['kyc', 'person', { firstName: null }, 'firstName', 'required'],
    ['kyc', 'person', { firstName: '   ' }, 'firstName', 'required'],
    ['kyc', 'person', { firstName: long(101) }, 'firstName', 'too_long', 100],
    ['kyc', 'person', { firstName: 'a\u0000' }, 'firstName', 'not_plain_text'],
    ['kyc', 'person', { firstName: 1 }, 'firstName', 'invalid'],
    ['kyc', 'person', { nickname: 'A' }, 'nickname', 'unknown_field'],
    ['kyc', 'person', { dateOfBirth: '1990-02-30' }, 'dateOfBirth', 'not_a_date'],
    ['kyc', 'person', { dateOfBirth: '' }, 'dateOfBirth', 'required'],
    ['kyc', 'person', { dateOfBirth: '2030-01-01' }, 'dateOfBirth', 'not_in_the_past'],
    ['kyc', 'person', { dateOfBirth: '2008-03-02' }, 'dateOfBirth', 'too_young', 18],
    ['kyc', 'person', { dateOfBirth: '0090-12-10' }, 'dateOfBirth', 'too_early', 1900],
    ['kyc', 'person', { nationalities: [] }, 'nationalities', 'too_few', 1],
    ['kyc', 'person', { nationalities: Array(11).fill('DE') }, 'nationalities', 'too_many', 10],
    ['kyc', 'person', { nationalities: ['XX'] }, 'nationalities.0', 'not_a_country'],
    ['kyc', 'person', { email: 'nobody' }, 'email', 'not_an_email'],
    [
      'kyc',
      'person',
      { email: `${long(64)}@${long(60)}.${long(60)}.${long(60)}.${long(60)}.org` },
      'email',
      'too_long',
      254,
    ],
    ['kyc', 'person', { phone: '0151' }, 'phone', 'not_a_phone'],
    ['kyc', 'document', { type: 'library_card' }, 'type', 'invalid'],
    ['kyc', 'document', { type: undefined }, 'type', 'required'],
    ['kyc', 'document', { type: 'passport', expiresOn: undefined }, 'expiresOn', 'required'],
    ['kyc', 'document', { expiresOn: '2020-01-01' }, 'expiresOn', 'document_expired'],
    ['kyc', 'document', { backFileId: undefined }, 'backFileId', 'required'],
    ['kyc', 'document', { frontFileId: 'selfie' }, 'frontFileId', 'file_missing'],
    ['kyb', 'business', { incorporatedOn: '0090-04-01' }, 'incorporatedOn', 'too_early', 1600],
    [
      'kyb',
      'ownership',
      { directors: [{ ...owner, dateOfBirth: '1899-12-31' }] },
      'directors.0.dateOfBirth',
      'too_early',
      1900,
    ],
    ['kyb', 'business', { lei: 'x' }, 'lei', 'not_a_lei'],
    ['kyb', 'business', { website: 'example' }, 'website', 'not_a_url'],
    ['kyb', 'ownership', { beneficialOwners: [] }, 'beneficialOwners', 'owners_missing'],
    ['kyb', 'ownership', { noBeneficialOwner: true }, 'noBeneficialOwner', 'owners_contradicted'],
    ['kyb', 'ownership', { beneficialOwners: undefined, noBeneficialOwner: true }, 'seniorManagers', 'required'],
    [
      'kyb',
      'ownership',
      { beneficialOwners: [owner, { ...owner, ownershipPercent: 80 }] },
      'beneficialOwners',
      'shares_over_100',
    ],
    [
      'kyb',
      'ownership',
      { beneficialOwners: [{ ...owner, ownershipPercent: 101 }] },
      'beneficialOwners.0.ownershipPercent',
      'too_large',
      100,
    ],
    [
      'kyb',
      'ownership',
      { beneficialOwners: [{ ...owner, ownershipPercent: 0 }] },
      'beneficialOwners.0.ownershipPercent',
      'too_small',
      0,
    ],
  ])('%s %s %o: %s %s', (type, step, change, path, code, limit) => {
    const found = issuesOf(type, step, change).find((issue) => issue.path === path);
    expect(found).toMatchObject(limit === undefined ? { code } : { code, limit });
  });
});

it('all issues are reported together, also those of rules between valid fields', () => {
  const issues = issuesOf('kyc', 'person', { firstName: '', email: 'nobody', dateOfBirth: '2015-01-01' });
  expect(issues.map(({ path }) => path)).toEqual(['firstName', 'email', 'dateOfBirth']);
});

it('a rule does not report a field that is invalid already', () => {
  const issues = issuesOf('kyb', 'ownership', { beneficialOwners: 'nobody' });
  expect(issues.map(({ path, code }) => `${path} ${code}`)).toEqual(['beneficialOwners invalid']);
});
