// Names as machine-readable zones spell them.
// cspell:ignore KOMACHI OBRIEN LUKASZ ANNABE
import { describe, expect, it, test } from 'vitest';
import { aReading, values } from '../../../test-support/readings.ts';
import { NOW, pending, submitted } from '../../../test-support/verifications.ts';
import type { Verification } from '../verification.ts';
import { comparedAnswers, markedAnswers, markOf, originOf, originsOf } from './origins.ts';

const LATER = new Date(NOW.getTime() + 1);
const AT = NOW.toISOString();
const found = (value: string, given: object = {}) => ({
  value,
  sure: true,
  readAt: NOW,
  isOffered: true,
  ...given,
});

/** A submitted verification whose step has these answers; undefined ones are absent. */
function answering(
  step: 'person' | 'document',
  changed: Readonly<Record<string, string | undefined>>,
): Verification {
  const verification = submitted();
  const before = verification.steps[step];
  if (before === undefined) throw new Error(`The step ${step} is not completed`);
  const kept = Object.entries({ ...before.answers, ...changed }).filter(([, value]) => value !== undefined);
  return {
    ...verification,
    steps: { ...verification.steps, [step]: { ...before, answers: Object.fromEntries(kept) } },
  };
}

describe('originOf', () => {
  const number = { answer: 'L01X00T47', readAs: 'documentNumber' } as const;

  it.each([
    ['an equal value that was offered', number, found('L01X00T47<'), { origin: 'read' }],
    ['another value that was offered', number, found('L01X00T48'), { origin: 'edited', read: 'L01X00T48' }],
    ['a value without a reading', number, undefined, { origin: 'typed' }],
    ['a reading that came after the answer', number, found('L01X00T47', { readAt: LATER }), { origin: 'typed' }],
    ['a reading for reviewers alone', number, found('L01X00T48', { isOffered: false }), { origin: 'typed' }],
    [
      'one of several nationalities',
      { answer: ['PL', 'JP'], readAs: 'nationality' } as const,
      found('JP'),
      { origin: 'read' },
    ],
    [
      'a name in another script',
      { answer: '小町', readAs: 'firstName' } as const,
      found('KOMACHI', { sure: false }),
      { origin: 'typed' },
    ],
    [
      'an answer of another kind',
      { answer: { a: 1 }, readAs: 'documentNumber' } as const,
      found('X'),
      { origin: 'typed' },
    ],
  ])('%s', (_what, answer, read, origin) => {
    expect(originOf(answer, read, AT)).toEqual(origin);
  });
});

test('markOf: agrees, differs, or nothing to compare', () => {
  expect([markOf({ isSame: true }), markOf({ isSame: false }), markOf({ isSame: null }), markOf(null)]).toEqual([
    'read',
    'differs',
    'typed',
    'typed',
  ]);
});

describe('originsOf', () => {
  it('names the answers of each step for which something was read', () => {
    const front = aReading({ documentNumber: 'L01X00T47', issuingCountry: 'AT' });
    const back = aReading(
      { dateOfBirth: '1990-02-28', lastName: 'OBRIEN LUKASZ', firstName: 'KOMACHI', nationality: 'PL' },
      { fileId: 'document_back' },
    );
    expect(originsOf(submitted('kyc'), [back, front])).toEqual({
      document: { number: { origin: 'read' }, issuingCountry: { origin: 'edited', read: 'AT' } },
      person: {
        firstName: { origin: 'typed' },
        lastName: { origin: 'read' },
        dateOfBirth: { origin: 'read' },
        nationalities: { origin: 'read' },
      },
    });
  });

  it('compares a business representative’s document and name', () => {
    const read = aReading({ documentNumber: 'X1', lastName: 'LOVELACE', firstName: 'ADA AUGUSTA' });
    expect(originsOf(submitted('kyb'), [read])).toMatchObject({
      consent: { 'representative.firstName': { origin: 'read' }, 'representative.lastName': { origin: 'read' } },
      representative: { 'document.number': { origin: 'edited', read: 'X1' } },
    });
  });

  it.each([
    ['without readings', submitted('kyc'), []],
    ['of a picture that is not used', submitted('kyc'), [aReading({ documentNumber: 'X' }, { fileId: 'other' })]],
    ['of another content', submitted('kyc'), [aReading({ documentNumber: 'X' }, { sha256: 'f'.repeat(64) })]],
    ['without answers', pending(), [aReading({ documentNumber: 'X' })]],
    ['with an outcome alone', submitted('kyc'), [aReading({}, { outcome: 'nothing' })]],
  ])('origins are absent %s', (_what, verification, readings) => {
    expect(originsOf(verification, readings)).toBeUndefined();
  });
});

describe('several pictures of a document', () => {
  const compared = (...readings: Parameters<typeof comparedAnswers>[1]) =>
    comparedAnswers(submitted('kyc'), readings).map(({ readAs, read }) => [readAs, read.value, read.sure]);
  const unsure = { documentNumber: { value: 'A1', sure: false } };
  const back = (read: Parameters<typeof aReading>[0], given = {}) =>
    aReading(read, { fileId: 'document_back', ...given });

  it('a sure value wins over one that is not, in either order', () => {
    expect(compared(aReading({}, { fields: unsure }), back({ documentNumber: 'B2' }))).toEqual([
      ['documentNumber', 'B2', true],
    ]);
    expect(compared(aReading({ documentNumber: 'B2' }), back({}, { fields: unsure }))).toEqual([
      ['documentNumber', 'B2', true],
    ]);
  });

  it('two sure values that differ are not sure; two that agree are', () => {
    expect(compared(aReading({ documentNumber: 'A1' }), back({ documentNumber: 'B2' }))).toEqual([
      ['documentNumber', 'A1', false],
    ]);
    expect(compared(aReading({ documentNumber: 'A1' }), back({ documentNumber: 'A1' }))).toEqual([
      ['documentNumber', 'A1', true],
    ]);
  });
});

test('names that were read together decide whether one may be cut', () => {
  const fields = values({ lastName: 'OBRIEN LUK', firstName: 'KOMACHI MARIA ANN' });
  expect(comparedAnswers(submitted('kyc'), [aReading({}, { fields })])).toContainEqual(
    expect.objectContaining({ readAs: 'lastName', isSame: false }),
  );
  const long = values({ lastName: 'OBRIEN LUK', firstName: 'KOMACHI MARIA ANNABE' });
  expect(comparedAnswers(submitted('kyc'), [aReading({}, { fields: long })])).toContainEqual(
    expect.objectContaining({ readAs: 'lastName', isSame: true }),
  );
  const cut = aReading({ lastName: 'MUSTERMANN-OBRIEN LUKASZ', firstName: 'WILHELM' });
  expect(comparedAnswers(answering('person', { firstName: 'Wilhelmina' }), [cut])).toContainEqual(
    expect.objectContaining({ readAs: 'firstName', isSame: true }),
  );
});

test('comparedAnswers: a field without an answer is left out', () => {
  const read = aReading({ documentNumber: 'L01X00T47', expiresOn: '2031-05-31' });
  const compared = comparedAnswers(answering('document', { expiresOn: undefined }), [read]);
  expect(compared.map(({ path }) => path)).toEqual(['number']);
});

describe('markedAnswers', () => {
  it('marks every answer that a reading could have given, with what was read', () => {
    const read = aReading({ documentNumber: 'L01X00T47', expiresOn: '2031-01-01', lastName: 'OBRIEN LUKASZ' });
    const marks = markedAnswers(submitted('kyc'), [read]).map(({ path, mark, read: value }) => [
      path,
      mark,
      value,
    ]);
    expect(marks).toEqual([
      ['issuingCountry', 'typed', null],
      ['number', 'read', 'L01X00T47'],
      ['expiresOn', 'differs', '2031-01-01'],
      ['firstName', 'typed', null],
      ['lastName', 'read', 'OBRIEN LUKASZ'],
      ['dateOfBirth', 'typed', null],
      ['nationalities', 'typed', null],
    ]);
  });

  it('marks only what is answered, each answer by its own step', () => {
    const verification = submitted();
    const read = aReading({ documentNumber: 'L01X00T47' });
    const { document: step } = verification.flow.steps;
    const { document: first } = verification.steps;
    if (step === undefined || first === undefined) throw new Error('no document');
    const second = { ...first, answers: { number: 'L01X00T48' } };
    const twice = {
      ...verification,
      flow: { ...verification.flow, steps: { document: step, person: step, selfie: step } },
    };
    const marks = markedAnswers({ ...twice, steps: { document: first, person: second } }, [read]);
    expect(marks.filter(({ path }) => path !== 'issuingCountry' && path !== 'expiresOn')).toMatchObject([
      { step: 'document', path: 'number', mark: 'read' },
      { step: 'person', path: 'number', mark: 'differs' },
    ]);
  });

  it.each([
    ['without readings', []],
    ['if nothing was found', [aReading({}, { outcome: 'nothing' })]],
  ])('marks nothing %s', (_what, readings) => {
    expect(markedAnswers(submitted('kyc'), readings)).toEqual([]);
  });
});
