import { describe, expect, it } from 'vitest';
import { CONTEXT, file, NOW, submitted } from '../../../test-support/verifications.ts';
import { SAMPLE_PICTURE } from '../../evidence/sample-picture.ts';
import type { StepKey, SubjectType } from '../flow.ts';
import { reject } from '../reviewer-moves.ts';
import { indexTermsOf } from '../submitted-terms.ts';
import type { Verification } from '../verification.ts';
import { matchWarnings } from './match-warnings.ts';
import { kindOfWarning } from './review-warning.ts';

type Changes = { readonly [K in StepKey]?: object };

interface Given {
  readonly type?: SubjectType;
  readonly reference?: string | undefined;
  readonly answers?: Changes;
  /** What tells the contents of its files from those of other cases. */
  readonly files?: string;
}

const SUBMITTED = { kyc: submitted('kyc'), kyb: submitted('kyb') };
const NO_CONTACT = { email: undefined, phone: undefined };

/** A submitted case with files of its own, and without a contact of its person unless it is given. */
function aCase(id: string, { type = 'kyc', reference = `user_${id}`, answers = {}, files = id }: Given = {}) {
  const verification = SUBMITTED[type];
  const steps = Object.fromEntries(
    Object.entries(verification.steps).map(([step, completed]) => [
      step,
      { ...completed, answers: { ...completed.answers, ...NO_CONTACT, ...answers[step as StepKey] } },
    ]),
  );
  const own = verification.files.map((one) => {
    const { sha256 } = file(one.step as StepKey, one.kind, `${files} ${one.kind}`);
    return { ...one, sha256 };
  });
  return { ...verification, id, subjectReference: reference, steps, files: own } as Verification;
}

const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1980-12-10', nationalities: ['DE'] };
const grace = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationalities: ['DE'] };
const passport = { type: 'passport', issuingCountry: 'DE', number: 'L01X00T47', expiresOn: '2031-08-01' };
const card = { type: 'id_card', issuingCountry: 'DE', number: 'T22000129', expiresOn: '2030-05-01' };

/** What the case is warned of: code, place, and the other cases. */
const found = (verification: Verification, ...others: Verification[]): string[] =>
  matchWarnings(verification, { ...CONTEXT, others }).map(({ code, step, path, others: named = [] }) =>
    [code, `${step}.${path}`, ...named.map(({ verificationId }) => verificationId)].join(' '),
  );

const fraud = (other: Verification): Verification =>
  other.status === 'submitted' ? reject(other, { reasonCodes: ['suspected_fraud'] }, NOW).next : other;

describe('a case is warned of', () => {
  const own = aCase('own', { answers: { person: ada, document: passport } });

  it.each<[string, Verification, string[]]>([
    ['nothing beside a stranger', aCase('b', { answers: { person: grace, document: card } }), []],
    [
      'a document of another person',
      aCase('b', { answers: { person: grace, document: { ...passport, number: 'l01x-00T47' } } }),
      ['used_by_another_person document.number b'],
    ],
    [
      'a person with another document under another reference',
      aCase('b', { answers: { person: ada, document: card } }),
      ['person_with_another_document person.lastName b'],
    ],
    [
      'a person whose other document has expired, as known alone',
      aCase('b', { answers: { person: ada, document: { ...card, expiresOn: '2026-02-01' } } }),
      ['person_in_other_case person.lastName b'],
    ],
    [
      'a person whose other document is about to expire, as known alone',
      aCase('b', { answers: { person: ada, document: { ...card, expiresOn: '2026-05-30' } } }),
      ['person_in_other_case person.lastName b'],
    ],
    [
      'a person whose other document never expires',
      aCase('b', { answers: { person: ada, document: { ...card, expiresOn: undefined } } }),
      ['person_with_another_document person.lastName b'],
    ],
    [
      'a person whose other document has no number, as known alone',
      aCase('b', { answers: { person: ada, document: { ...card, number: undefined } } }),
      ['person_in_other_case person.lastName b'],
    ],
    [
      'a document of a namesake who was born on another day',
      aCase('b', { answers: { person: { ...ada, dateOfBirth: '1981-12-10' }, document: passport } }),
      ['used_by_another_person document.number b'],
    ],
    [
      'a person with the same document under another reference, as known alone',
      aCase('b', { answers: { person: ada, document: passport } }),
      ['person_in_other_case person.lastName b'],
    ],
    [
      'an earlier verification under the same reference',
      aCase('b', { reference: 'user_own', answers: { person: ada, document: card } }),
      ['earlier_verification person.lastName b'],
    ],
    [
      'the same file in another case',
      aCase('b', { files: 'own', answers: { person: grace, document: card } }),
      ['file_in_other_case document.frontFileId b'],
    ],
    [
      'the same file in an earlier case of the reference',
      aCase('b', { files: 'own', reference: 'user_own', answers: { person: ada, document: passport } }),
      ['file_in_earlier_case document.frontFileId b', 'earlier_verification person.lastName b'],
    ],
    [
      'fraud with the same document',
      fraud(aCase('b', { answers: { person: grace, document: passport } })),
      ['rejected_for_fraud document.number b', 'used_by_another_person document.number b'],
    ],
    [
      'fraud of the same person',
      fraud(aCase('b', { answers: { person: ada, document: { ...card, expiresOn: '2026-01-01' } } })),
      ['rejected_for_fraud person.lastName b', 'person_in_other_case person.lastName b'],
    ],
    [
      'fraud under the same reference',
      fraud(aCase('b', { reference: 'user_own', answers: { person: grace, document: card } })),
      ['rejected_for_fraud person.lastName b', 'earlier_verification person.lastName b'],
    ],
  ])('%s', (_what, other, warnings) => {
    expect(found(own, other)).toEqual(warnings);
  });

  it('nothing beside the same document if a holder or a date of birth is unknown', () => {
    const dateless = aCase('b', { answers: { person: { ...ada, dateOfBirth: undefined }, document: passport } });
    const { document } = aCase('c', { answers: { document: passport } }).steps;
    for (const other of [dateless, { ...aCase('c'), steps: { document } } as Verification])
      expect([found(own, other), found(other, own)]).toEqual([[], []]);
  });

  it('a national number of another person', () => {
    const number = { nationalIdNumber: '123 456' };
    const other = aCase('b', { answers: { person: { ...grace, ...number }, document: card } });
    const named = aCase('a', { answers: { person: { ...ada, ...number }, document: passport } });
    expect(found(named, other)).toEqual(['used_by_another_person person.nationalIdNumber b']);
  });

  it('a contact that another person gave, as known alone, and not again beside the person', () => {
    const contact = { email: 'family@example.org' };
    const other = aCase('b', { answers: { person: { ...grace, ...contact }, document: card } });
    const same = aCase('c', { answers: { person: { ...ada, ...contact }, document: passport } });
    const own = aCase('a', { answers: { person: { ...ada, email: 'Family@Example.org' }, document: passport } });
    expect(found(own, other)).toEqual(['contact_in_other_case person.email b']);
    expect(found(own, fraud(other))).toEqual(['contact_in_other_case person.email b']);
    expect(found(own, same)).toEqual(['person_in_other_case person.lastName c']);
    const phone = '+493023125000';
    const caller = aCase('d', { answers: { person: { ...grace, phone }, document: card } });
    const called = aCase('a', { answers: { person: { ...ada, phone }, document: passport } });
    expect(found(called, caller)).toEqual(['contact_in_other_case person.phone d']);
  });

  it('a file at the field that names it, not at a text like its id or a file that is gone', () => {
    const person = { ...ada, firstName: 'selfie' };
    const own = aCase('a', { answers: { person, document: { ...passport, frontFileId: 'gone' } } });
    const other = aCase('b', { files: 'a', answers: { person: grace, document: card } });
    const selfie = other.files.filter(({ kind }) => kind === 'selfie');
    expect(found(own, { ...other, files: selfie })).toEqual(['file_in_other_case selfie.fileId b']);
  });

  it('all cases of one kind in one line, in their order', () => {
    const others = ['b', 'c'].map((id) => aCase(id, { answers: { person: grace, document: passport } }));
    expect(found(own, ...others)).toEqual(['used_by_another_person document.number b c']);
  });

  it('the sample picture of test mode in no other case', () => {
    const sample = (id: string): Verification => {
      const verification = aCase(id, {
        answers: { person: id === 'a' ? ada : grace, document: id === 'a' ? passport : card },
      });
      return {
        ...verification,
        files: verification.files.map((one) => ({ ...one, sha256: SAMPLE_PICTURE.sha256 })),
      };
    };
    expect(found(sample('a'), sample('b'))).toEqual([]);
  });

  it('a representative of another business, as a person in another case', () => {
    const business = (id: string) => aCase(id, { type: 'kyb' });
    expect(found(business('a'), business('b'))).toEqual([
      'person_in_other_case consent.representative.lastName b',
    ]);
  });
});

describe('lawful cases', () => {
  const COUNT = 500;

  /** A repeatable sequence of numbers below a bound. */
  function sequence(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
  }

  const GIVEN = [
    'Anna',
    'Ben',
    'Clara',
    'David',
    'Emma',
    'Felix',
    'Greta',
    'Hugo',
    'Ida',
    'Jonas',
    'Klara',
    'Leo',
  ];
  const FAMILY = [
    'Müller',
    'Schmidt',
    'Weber',
    'Fischer',
    'Wagner',
    'Becker',
    'Hoffmann',
    'Koch',
    'Richter',
    'Wolf',
  ];

  /**
   * Cases of one client as they come in: most are strangers, and a tenth each are renewals with a new document, families who share
   * a contact, namesakes born on other days, and people whom an agent applies for.
   */
  function generated(): Verification[] {
    const next = sequence(7);
    const cases: Verification[] = [];
    for (let index = 0; index < COUNT; index += 1) {
      const id = `case-${index}`;
      const person = {
        firstName: GIVEN[next(GIVEN.length)],
        lastName: FAMILY[next(FAMILY.length)],
        dateOfBirth: `${1940 + next(60)}-${String(1 + next(12)).padStart(2, '0')}-${String(1 + next(28)).padStart(2, '0')}`,
        nationalities: ['DE'],
        email: `person-${index}@example.org`,
      };
      const document = { ...passport, number: `L${String(index).padStart(8, '0')}` };
      const earlier = cases[next(Math.max(1, cases.length))];
      const before = earlier?.steps.person?.answers ?? person;
      const kind = index === 0 ? 9 : index % 10;
      const answers: Record<number, object> = {
        // A renewal: the same person and reference, another document.
        0: { ...before },
        // A family: the same name and contact, another person.
        1: { ...person, lastName: before.lastName, email: before.email },
        // A namesake, born on another day.
        2: { ...person, firstName: before.firstName, lastName: before.lastName },
        // An agent, whose address all its customers give.
        3: { ...person, email: 'agent@example.org' },
      };
      const reference = kind === 0 ? earlier?.subjectReference : undefined;
      cases.push(aCase(id, { reference, answers: { person: answers[kind] ?? person, document } }));
    }
    return cases;
  }

  it(`${COUNT} cases with renewals, families, namesakes and agents: at most 2 % ask to be looked at, and none is critical`, () => {
    const cases = generated();
    const terms = cases.map(
      (each) => new Set(indexTermsOf(each).map(({ purpose, text }) => `${purpose} ${text}`)),
    );
    const severities = cases.map((verification, index) => {
      const own = [...(terms[index] ?? [])];
      const isAlike = (other: Verification, place: number) =>
        other.subjectReference === verification.subjectReference || own.some((term) => terms[place]?.has(term));
      // All of them, before and after: the service compares with some of these, which can only warn of less.
      const others = cases.filter((other, place) => place !== index && isAlike(other, place));
      return matchWarnings(verification, { ...CONTEXT, others }).map(({ code }) => kindOfWarning(code).severity);
    });
    expect(severities.filter((each) => each.includes('critical'))).toEqual([]);
    expect(severities.filter((each) => each.includes('warning')).length).toBeLessThanOrEqual(COUNT * 0.02);
    // The lawful likenesses are seen.
    expect(severities.filter((each) => each.includes('info')).length).toBeGreaterThan(COUNT * 0.2);
  });
});
