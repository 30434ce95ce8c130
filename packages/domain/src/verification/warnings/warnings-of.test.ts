import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../../test-support/answers.ts';
import { CONTEXT, file, NOW, submitted } from '../../../test-support/verifications.ts';
import type { EvidenceFile } from '../../evidence/evidence-file.ts';
import { SAMPLE_PICTURE } from '../../evidence/sample-picture.ts';
import type { JsonObject } from '../../input/json.ts';
import type { StepKey, SubjectType } from '../flow.ts';
import type { Verification } from '../verification.ts';
import type { NumberCheck, NumberChecks } from './review-warning.ts';
import { warningsOf } from './warnings-of.ts';

/** A submitted verification with some answers changed, whatever the rules of its steps would say. */
function given(type: SubjectType, changes: { readonly [K in StepKey]?: object }): Verification {
  const verification = submitted(type);
  const steps = Object.fromEntries(
    Object.entries(verification.steps).map(([step, completed]) => [
      step,
      { ...completed, answers: { ...completed.answers, ...changes[step as StepKey] } },
    ]),
  );
  return { ...verification, steps };
}

/** The same, after the step was redone. */
function redone(verification: Verification, step: StepKey, earlier: JsonObject): Verification {
  const answers = { ...GOOD_ANSWERS[verification.type][step], ...earlier };
  const at = NOW.toISOString();
  return { ...verification, earlierAnswers: [{ step, answers, completedAt: at, version: 2, replacedAt: at }] };
}

const found = (verification: Verification, numberChecks?: NumberChecks): string[] =>
  warningsOf(verification, { ...CONTEXT, numberChecks }).map(({ code, step, path, detail }) =>
    [code, `${step}.${path}`, detail].filter(Boolean).join(' '),
  );

/** Knows every number by its country: `fits`, `does_not_fit`, else unknown. */
function knowing(results: Readonly<Record<string, NumberCheck>>): NumberChecks {
  const check = (country: string): NumberCheck => results[country] ?? 'unknown';
  return { nationalId: check, taxId: check, vatNumber: check, registrationNumber: check };
}

const director = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };
const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1980-12-10', nationality: 'DE' };
const company = {
  directors: [ada],
  beneficialOwners: [{ ...director, ownershipPercent: 50, controlType: 'other', country: 'DE' }],
};
const passport = { type: 'passport', issuingCountry: 'PL' };

describe('no warning', () => {
  it('about a person with consistent answers', () => {
    expect(found(given('kyc', { document: passport }))).toEqual([]);
  });

  it('about a business with consistent answers', () => {
    expect(found(given('kyb', { ownership: company }))).toEqual([]);
  });

  it('about a verification without answers', () => {
    expect(found({ ...submitted('kyb'), steps: {} })).toEqual([]);
  });
});

describe('answers that lack what a warning needs are skipped:', () => {
  /** A submitted verification with these answers alone. */
  function only(type: SubjectType, answers: { readonly [K in StepKey]?: JsonObject }): Verification {
    const at = NOW.toISOString();
    const steps = Object.entries(answers).map(([step, given]) => [step, { answers: given, completedAt: at }]);
    return { ...submitted(type), steps: Object.fromEntries(steps) };
  }
  /** Every number fits nowhere; a check without a country or a number is a fault. */
  const strict = (country: string, number: string): NumberCheck => {
    if (typeof country !== 'string' || typeof number !== 'string') throw new Error('nothing to check');
    return 'does_not_fit';
  };
  const doesNotFit = { nationalId: strict, taxId: strict, vatNumber: strict, registrationNumber: strict };
  const namesOf = ({ firstName, lastName }: typeof ada) => ({ firstName, lastName });

  it.each<[string, Verification]>([
    ['a person without answers', only('kyc', { person: {} })],
    ['a person without nationalities', only('kyc', { person: { nationalIdNumber: '1' }, document: {} })],
    ['a business without a country', only('kyb', { business: { taxId: '1' } })],
    ['a consent without a representative', only('kyb', { consent: {} })],
    ['a representative without a name', only('kyb', { consent: { representative: { lastName: 'Hopper' } } })],
    ['a representative without a document', only('kyb', { representative: {} })],
    ['an ownership without people', only('kyb', { ownership: {}, consent: {} })],
    ['people without names', only('kyb', { ownership: { directors: [{}, {}] }, consent: {} })],
    ['a name of another kind', only('kyc', { person: { firstName: { first: 'Ada' }, lastName: 'Ono' } })],
    [
      'people of another kind',
      only('kyb', { ownership: { directors: 'Ada', seniorManagers: ['Ada'] }, consent: {} }),
    ],
    ['a business without numbers', only('kyb', { business: { countryOfIncorporation: 'DE' } })],
    ['a person without a number', only('kyc', { person: { nationalities: ['DE'] } })],
    [
      'a document whose holder is unknown',
      only('kyb', { ownership: company, representative: { document: passport } }),
    ],
    ['a named representative without an ownership', only('kyb', { consent: { representative: namesOf(ada) } })],
    [
      'a representative without a name beside named owners',
      only('kyb', { consent: { representative: { firstName: 'Grace' } }, ownership: company }),
    ],
    ['a person without a name, who had one', redone(only('kyc', { person: {} }), 'person', {})],
    [
      'a person without a date of birth, who had one',
      redone(only('kyc', { person: namesOf(ada) }), 'person', namesOf(ada)),
    ],
    ['a person who had no name', redone(given('kyc', { document: passport }), 'person', { lastName: null })],
    ['an earlier document with names', redone(given('kyc', { document: passport }), 'document', namesOf(ada))],
    ['a date of another kind', only('kyc', { person: { dateOfBirth: ['0090-02-28'] } })],
    ['a date that is the first day of its field', only('kyc', { person: { dateOfBirth: '1900-01-01' } })],
    ['a step of another flow', only('kyc', { business: { countryOfIncorporation: 'DE' } })],
    ['a file that is gone', given('kyc', { document: passport, selfie: { fileId: 'gone' } })],
    ['a document that expires today', given('kyc', { document: { ...passport, expiresOn: '2026-03-01' } })],
    ['an earlier person without a name', redone(only('kyc', { document: {} }), 'person', { firstName: null })],
  ])('%s', (_what, verification) => {
    expect(found(verification, doesNotFit)).toEqual([]);
  });

  it('numbers that fit', () => {
    const fits = knowing({ DE: 'fits' });
    expect(found(given('kyb', { ownership: company }), fits)).toEqual([]);
    expect(found(only('kyc', { person: { nationalIdNumber: '1', nationalities: ['DE'] } }), fits)).toEqual([]);
  });

  it('numbers, if nothing checks them', () => {
    const numbers = { nationalIdNumber: '1', nationalities: ['DE'] };
    expect(found(only('kyc', { person: numbers }))).toEqual([]);
    expect(found(only('kyb', { business: { countryOfIncorporation: 'DE', taxId: '1' } }))).toEqual([]);
  });

  it('the nationality of a person without a name is compared with the document', () => {
    expect(found(only('kyc', { person: { nationalities: ['DE'] }, document: passport }))).toEqual([
      'country_mismatch document.issuingCountry DE',
    ]);
  });

  it('the age of a person without a name is checked', () => {
    expect(found(only('kyc', { person: { dateOfBirth: '2010-01-01' } }))).toEqual([
      'under_age person.dateOfBirth',
    ]);
  });
});

describe('ages and dates', () => {
  it('a person under age', () => {
    expect(found(given('kyc', { document: passport, person: { dateOfBirth: '2008-03-02' } }))).toEqual([
      'under_age person.dateOfBirth',
    ]);
  });

  it('a director under age', () => {
    const young = { ...director, dateOfBirth: '2010-01-01' };
    expect(
      found(given('kyb', { ownership: { ...company, directors: [ada, young], beneficialOwners: [] } })),
    ).toEqual(['under_age ownership.directors.1.dateOfBirth']);
  });

  it('dates that were accepted before their field had a first day', () => {
    const person = { dateOfBirth: '0090-02-28' };
    expect(found(given('kyc', { document: passport, person }))).toEqual(['date_too_early person.dateOfBirth']);
    const early = { ...ada, dateOfBirth: '0080-12-10' };
    const business = { incorporatedOn: '0098-04-01' };
    expect(found(given('kyb', { business, ownership: { ...company, directors: [early] } }))).toEqual([
      'date_too_early business.incorporatedOn',
      'date_too_early ownership.directors.0.dateOfBirth',
    ]);
  });

  it('a document that expired after the submission', () => {
    const verification = given('kyc', { document: passport });
    const later = { ...CONTEXT, now: new Date('2031-06-01T00:00:00.000Z') };
    expect(warningsOf(verification, later)).toMatchObject([{ code: 'document_expired', path: 'expiresOn' }]);
  });

  it('one person with two dates of birth', () => {
    const owners = [{ ...company.beneficialOwners[0], firstName: 'ADA', lastName: 'Lovelace' }];
    expect(found(given('kyb', { ownership: { ...company, beneficialOwners: owners } }))).toEqual([
      'date_mismatch ownership.beneficialOwners.0.dateOfBirth 1980-12-10',
    ]);
  });

  it('another date of birth than before', () => {
    const verification = redone(given('kyc', { document: passport }), 'person', { dateOfBirth: '1991-02-28' });
    expect(found(verification)).toEqual(['date_mismatch person.dateOfBirth 1991-02-28']);
  });

  it('another date of birth of a director than before, unless a namesake had it', () => {
    const verification = given('kyb', { ownership: company });
    const other = { ...ada, dateOfBirth: '1981-12-10' };
    expect(found(redone(verification, 'ownership', { directors: [other] }))).toEqual([
      'date_mismatch ownership.directors.0.dateOfBirth 1981-12-10',
    ]);
    expect(found(redone(verification, 'ownership', { directors: [other, ada] }))).toEqual([]);
  });
});

describe('names', () => {
  it('another name than before', () => {
    const verification = redone(given('kyc', { document: passport }), 'person', { lastName: 'Ono' });
    expect(found(verification)).toEqual(['name_mismatch person.lastName 小町 Ono']);
    const oneName = given('kyc', { document: passport, person: { firstName: undefined } });
    expect(found(redone(oneName, 'person', {}))).toEqual([
      expect.stringMatching(/^name_mismatch person\.lastName /),
    ]);
  });

  it('another name than before is named once, however often it was given, and beside another date', () => {
    const changed = { lastName: 'Ono', dateOfBirth: '1990-01-01' };
    const verification = redone(given('kyc', { document: passport }), 'person', changed);
    const [earlier] = verification.earlierAnswers;
    const twice = earlier === undefined ? [] : [earlier, earlier];
    expect(found({ ...verification, earlierAnswers: twice }).sort()).toEqual([
      'date_mismatch person.dateOfBirth 1990-01-01',
      'name_mismatch person.lastName 小町 Ono',
    ]);
  });

  it.each(["o'brien-łukasz", "O'BRIEN ŁUKASZ", "O'Brién-Łukasz", " O'Brien - Łukasz "])(
    'the same name in another spelling: %s',
    (lastName) => {
      expect(found(redone(given('kyc', { document: passport }), 'person', { lastName }))).toEqual([]);
    },
  );

  it('a representative whom the business does not name', () => {
    expect(found(given('kyb', {}))).toEqual(['name_mismatch consent.representative']);
  });

  it('no warning about a representative who is a senior manager', () => {
    const ownership = {
      directors: [director],
      beneficialOwners: [],
      noBeneficialOwner: true,
      seniorManagers: [ada],
    };
    expect(found(given('kyb', { ownership }))).toEqual([]);
  });

  it('another representative than before', () => {
    const representative = { firstName: 'Alan', lastName: 'Turing', role: 'CEO', email: 'a@example.org' };
    expect(found(redone(given('kyb', { ownership: company }), 'consent', { representative }))).toEqual([
      'name_mismatch consent.representative.firstName Alan Turing',
    ]);
  });
});

describe('countries of documents', () => {
  it('a passport of another country than the nationalities', () => {
    expect(found(given('kyc', { document: { type: 'passport', issuingCountry: 'DE' } }))).toEqual([
      'country_mismatch document.issuingCountry PL, JP',
    ]);
  });

  it.each(['driving_licence', 'residence_permit'])('a %s does not prove a nationality', (type) => {
    expect(found(given('kyc', { document: { type, issuingCountry: 'DE' } }))).toEqual([]);
  });

  it('a representative’s passport of another country than the nationality that the business names', () => {
    const foreign = { ...company, directors: [{ ...ada, nationality: 'GB' }] };
    expect(found(given('kyb', { ownership: foreign }))).toEqual([
      'country_mismatch representative.document.issuingCountry GB',
    ]);
  });
});

describe('numbers', () => {
  const withNumber = given('kyc', { document: passport, person: { nationalIdNumber: '44051401358' } });

  it.each<[string, Readonly<Record<string, NumberCheck>>, string[]]>([
    ['fit one nationality', { PL: 'does_not_fit', JP: 'fits' }, []],
    ['fit none', { PL: 'does_not_fit' }, ['national_id_does_not_fit person.nationalIdNumber PL']],
    ['are unknown everywhere', {}, []],
  ])('numbers of a person that %s', (_what, results, warnings) => {
    expect(found(withNumber, knowing(results))).toEqual(warnings);
  });

  it('numbers of a person are compared with the document’s country too', () => {
    const permit = given('kyc', {
      document: { type: 'residence_permit', issuingCountry: 'SE' },
      person: { nationalIdNumber: '1' },
    });
    expect(found(permit, knowing({ PL: 'does_not_fit', SE: 'fits' }))).toEqual([]);
  });

  it('numbers of a business', () => {
    const business = { taxId: '1', vatNumber: '2', registrationNumber: '3', lei: '529900T8BM49AURSDO56' };
    expect(found(given('kyb', { ownership: company, business }), knowing({ DE: 'does_not_fit' }))).toEqual([
      'registration_number_does_not_fit business.registrationNumber DE',
      'tax_id_does_not_fit business.taxId DE',
      'vat_number_does_not_fit business.vatNumber DE',
      'lei_does_not_fit business.lei',
    ]);
  });
});

describe('files', () => {
  const verification = given('kyc', { document: passport });
  const changed = (kind: EvidenceFile['kind'], change: Partial<EvidenceFile>): Verification => ({
    ...verification,
    files: verification.files.map((each) => (each.kind === kind ? { ...each, ...change } : each)),
  });
  const { sha256 } = file('document', 'document_front');

  it('the same content in two places is named in both', () => {
    expect(found(changed('selfie', { sha256 }))).toEqual([
      'same_file document.frontFileId selfie',
      'same_file selfie.fileId document_front',
    ]);
  });

  it('no warning about the same content in a replaced file, or of the sample picture of test mode', () => {
    const replaced = { ...file('selfie', 'selfie', 'replaced'), sha256 };
    expect(found({ ...verification, files: [...verification.files, replaced] })).toEqual([]);
    const earlierSample = 'b380c171aecb9d9b1ead05993ad1231e9613894f67e083f9a6f76b4d5219a87e';
    for (const sample of [SAMPLE_PICTURE.sha256, earlierSample]) {
      const files = verification.files.map((each) => ({ ...each, sha256: sample }));
      expect(found({ ...verification, files }), sample).toEqual([]);
    }
  });

  it('a file that a redo kept', () => {
    expect(found(changed('selfie', { isUnchanged: true }))).toEqual(['file_unchanged selfie.fileId']);
  });
});

it('pictures that are hard to read and named by answers', () => {
  const verification = given('kyc', { document: passport });
  const files = verification.files.map(
    (picture): EvidenceFile => ({ ...picture, warnings: picture.kind === 'selfie' ? ['blur', 'glare'] : [] }),
  );
  const replaced: EvidenceFile = { ...file('selfie', 'selfie', 'replaced'), warnings: ['blur'] };
  expect(found({ ...verification, files: [...files, replaced] })).toEqual([
    'picture_blurred selfie.fileId',
    'picture_glare selfie.fileId',
  ]);
});
