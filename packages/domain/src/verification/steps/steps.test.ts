import { describe, expect, it } from 'vitest';
import { FILES_NEEDED, GOOD_ANSWERS } from '../../../test-support/answers.ts';
import { CONTEXT, file } from '../../../test-support/verifications.ts';
import { isCountersignError } from '../../errors.ts';
import { currentFlow, type StepKey, SUBJECT_TYPES, type SubjectType, stepOf, stepsOf } from '../flow.ts';

/** The paths of what is wrong with the answers; empty when they are good. */
function wrongPaths(type: SubjectType, step: StepKey, input: unknown): string[] {
  const files = (FILES_NEEDED[step] ?? []).map((kind) => file(step, kind));
  try {
    stepOf(currentFlow(type), step)?.accept(input, { ...CONTEXT, files });
    return [];
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return (error.data?.issues ?? []).map(({ path }) => path);
  }
}

/** The good answers with one place changed; `undefined` takes it away. */
function changed(type: SubjectType, step: StepKey, path: string, value: unknown): unknown {
  const answers = JSON.parse(JSON.stringify(GOOD_ANSWERS[type][step])) as Record<string, unknown>;
  const parts = path.split('.');
  const last = parts.pop() as string;
  const parent = parts.reduce((at, part) => at[part] as Record<string, unknown>, answers);
  parent[last] = value;
  return answers;
}

const everyStep = SUBJECT_TYPES.flatMap((type) => stepsOf(currentFlow(type)).map((step) => [type, step] as const));

describe('the steps of DESIGN section 8', () => {
  it('the steps of DESIGN section 8 are six for KYC and seven for KYB', () => {
    expect(stepsOf(currentFlow('kyc'))).toEqual([
      'consent',
      'document',
      'person',
      'selfie',
      'address',
      'attestation',
    ]);
    const kyb = ['consent', 'business', 'addresses', 'ownership', 'documents', 'representative', 'attestation'];
    expect(stepsOf(currentFlow('kyb'))).toEqual(kyb);
  });

  it.each(everyStep)('%s %s accepts valid answers and refuses an unknown field', (type, step) => {
    expect(wrongPaths(type, step, GOOD_ANSWERS[type][step])).toEqual([]);
    expect(wrongPaths(type, step, { ...GOOD_ANSWERS[type][step], extra: 1 })).toEqual(['extra']);
  });

  it.each(everyStep)('%s %s reads valid answers that are stored, and no others', (type, step) => {
    const stored = stepOf(currentFlow(type), step)?.storedSchema;
    expect(stored?.safeParse(GOOD_ANSWERS[type][step])).toMatchObject({ success: true });
    expect(stored?.safeParse('text')).toMatchObject({ success: false });
  });

  it.each(everyStep)('%s %s refuses anything but an object', (type, step) => {
    for (const input of [undefined, null, 'text', 1, []]) expect(wrongPaths(type, step, input)).not.toEqual([]);
  });
});

describe('one wrong field is named by its path', () => {
  const tooLong = 'x'.repeat(101);
  it.each<[SubjectType, StepKey, string, unknown]>([
    ['kyc', 'consent', 'accepted', false],
    ['kyc', 'consent', 'version', ''],
    ['kyc', 'consent', 'locale', 'not a tag'],
    ['kyc', 'person', 'firstName', ''],
    ['kyc', 'person', 'firstName', '   '],
    ['kyc', 'person', 'firstName', tooLong],
    ['kyc', 'person', 'firstName', 'NUL \u0000'],
    ['kyc', 'person', 'lastName', undefined],
    ['kyc', 'person', 'dateOfBirth', '2026-03-02'],
    ['kyc', 'person', 'dateOfBirth', '1990-02-30'],
    ['kyc', 'person', 'dateOfBirth', '2008-03-02'],
    ['kyc', 'person', 'placeOfBirth.country', 'XX'],
    ['kyc', 'person', 'nationalities', []],
    ['kyc', 'person', 'nationalities.1', 'pl'],
    ['kyc', 'person', 'email', 'nobody'],
    ['kyc', 'person', 'phone', '0151 123'],
    ['kyc', 'address', 'line1', undefined],
    ['kyc', 'address', 'country', 'Germany'],
    ['kyc', 'address', 'proofFileId', 'unknown file'],
    ['kyc', 'document', 'type', 'library_card'],
    ['kyc', 'document', 'expiresOn', '2026-02-28'],
    ['kyc', 'document', 'backFileId', undefined],
    ['kyc', 'document', 'frontFileId', 'document_back'],
    ['kyc', 'selfie', 'fileId', undefined],
    ['kyc', 'attestation', 'accepted', 'yes'],
    ['kyb', 'consent', 'representative.email', 'x'],
    ['kyb', 'business', 'legalName', ''],
    ['kyb', 'business', 'tradingNames', 'none'],
    ['kyb', 'business', 'incorporatedOn', '2026-03-01'],
    ['kyb', 'business', 'lei', '529900T8BM49AURSDO56'],
    ['kyb', 'business', 'website', 'javascript:alert(1)'],
    ['kyb', 'addresses', 'registered.city', undefined],
    ['kyb', 'ownership', 'directors', []],
    ['kyb', 'ownership', 'directors.0.dateOfBirth', '2030-01-01'],
    ['kyb', 'ownership', 'beneficialOwners', []],
    ['kyb', 'ownership', 'beneficialOwners.0.ownershipPercent', 0],
    ['kyb', 'ownership', 'beneficialOwners.0.ownershipPercent', 100.5],
    ['kyb', 'ownership', 'noBeneficialOwner', true],
    ['kyb', 'documents', 'registrationExtractFileId', 'selfie'],
    ['kyb', 'representative', 'document.number', ''],
    ['kyb', 'representative', 'document.expiresOn', '2020-01-01'],
    ['kyb', 'representative', 'selfieFileId', 'document_front'],
  ])('%s %s: %s = %j', (type, step, path, value) => {
    expect(wrongPaths(type, step, changed(type, step, path, value))).toContain(path);
  });
});

describe('rules at their edges', () => {
  it('a person comes of age on the birthday itself', () => {
    expect(wrongPaths('kyc', 'person', changed('kyc', 'person', 'dateOfBirth', '2008-03-01'))).toEqual([]);
  });

  it('a document is valid on its last day', () => {
    expect(wrongPaths('kyc', 'document', changed('kyc', 'document', 'expiresOn', '2026-03-01'))).toEqual([]);
  });

  it('a passport needs no back', () => {
    const { backFileId: _, ...passport } = { ...GOOD_ANSWERS.kyc.document, type: 'passport', backFileId: null };
    expect(wrongPaths('kyc', 'document', passport)).toEqual([]);
  });

  it('a name of 100 characters beyond the BMP fits', () => {
    expect(wrongPaths('kyc', 'person', changed('kyc', 'person', 'firstName', '𠮷'.repeat(100)))).toEqual([]);
  });

  const shares = (...percents: number[]) => {
    const owner = { firstName: 'A', lastName: 'B', dateOfBirth: '1980-01-01', nationality: 'DE', country: 'DE' };
    const owners = percents.map((ownershipPercent) => ({
      ...owner,
      ownershipPercent,
      controlType: 'direct_shares',
    }));
    return changed('kyb', 'ownership', 'beneficialOwners', owners);
  };

  it('direct shares may add up to 100, decimals included, and not to more', () => {
    expect(wrongPaths('kyb', 'ownership', shares(33.3, 33.3, 33.4))).toEqual([]);
    expect(wrongPaths('kyb', 'ownership', shares(60, 50))).toEqual(['beneficialOwners']);
  });

  it('the senior managers are required without a beneficial owner', () => {
    const { directors } = GOOD_ANSWERS.kyb.ownership as { directors: unknown[] };
    expect(
      wrongPaths('kyb', 'ownership', { directors, noBeneficialOwner: true, seniorManagers: directors }),
    ).toEqual([]);
    expect(wrongPaths('kyb', 'ownership', { directors, noBeneficialOwner: true })).toEqual(['seniorManagers']);
    expect(wrongPaths('kyb', 'ownership', { directors })).toEqual(['beneficialOwners']);
  });
});
