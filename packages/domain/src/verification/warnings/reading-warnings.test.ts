// Names as machine-readable zones spell them.
// cspell:ignore OBRIEN LUKASZ KOMACHI
import { describe, expect, it } from 'vitest';
import { aReading } from '../../../test-support/readings.ts';
import { CONTEXT, NOW, submitted } from '../../../test-support/verifications.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import type { Verification } from '../verification.ts';
import { readingWarnings } from './reading-warnings.ts';

/** A submitted verification with another document. */
function given(document: object): Verification {
  const verification = submitted('kyc');
  const completed = verification.steps.document;
  if (completed === undefined) throw new Error('no document');
  const answers = { ...completed.answers, ...document };
  return { ...verification, steps: { ...verification.steps, document: { ...completed, answers } } };
}

const CARD = given({});
const found = (verification: Verification, ...readings: readonly StoredReading[]): string[] =>
  readingWarnings(verification, { ...CONTEXT, readings }).map(({ code, step, path, detail }) =>
    [code, `${step}.${path}`, detail].filter(Boolean).join(' '),
  );

describe('no warning', () => {
  it('a reading that agrees in the spelling of its zone gives no warning', () => {
    const read = {
      documentNumber: 'L01X00T47',
      lastName: 'OBRIEN LUKASZ',
      firstName: 'KOMACHI',
      nationality: 'JP',
    };
    expect(found(CARD, aReading(read, { type: 'id_card', issuer: 'DE', digitsFit: true }))).toEqual([]);
  });

  it('pictures that are unread or gone give no warning', () => {
    expect(found(CARD)).toEqual([]);
    expect(found(CARD, aReading({ documentNumber: 'X' }, { fileId: 'gone', digitsFit: false }))).toEqual([]);
    expect(readingWarnings(CARD, CONTEXT)).toEqual([]);
  });

  it('a value that was not sure gives no warning, except for names', () => {
    const unsure = (value: string) => ({ value, sure: false });
    const fields = { documentNumber: unsure('X'), lastName: unsure('OTHER') };
    expect(found(CARD, aReading({}, { fields }))).toEqual(['reading_edited person.lastName OTHER']);
  });
});

describe('an answer that differs from what was read', () => {
  it('an answer is edited if the subject was offered the reading', () => {
    expect(found(CARD, aReading({ documentNumber: 'L01X00T48', dateOfBirth: '1990-02-27' }))).toEqual([
      'reading_edited document.number L01X00T48',
      'reading_edited person.dateOfBirth 1990-02-27',
    ]);
  });

  it('an answer differs if the reading came later or was for reviewers alone', () => {
    const late = { readAt: new Date(NOW.getTime() + 1000) };
    for (const given of [late, { isOffered: false }]) {
      expect(found(CARD, aReading({ documentNumber: 'L01X00T48' }, given))).toEqual([
        'reading_differs document.number L01X00T48',
      ]);
    }
  });

  it('the issuing state: another one is named', () => {
    expect(found(CARD, aReading({ issuingCountry: 'AT' }))).toEqual([
      'reading_state_differs document.issuingCountry AT',
    ]);
  });
});

it('pictures of different documents are named, and none of their values', () => {
  const front = aReading({ documentNumber: 'L01X00T47', issuingCountry: 'AT' });
  const back = aReading({ documentNumber: 'K77X00T47', dateOfBirth: '1990-02-27' }, { fileId: 'document_back' });
  expect(found(CARD, front, back)).toEqual(['readings_contradict document.frontFileId']);
  const same = aReading({ documentNumber: 'L01X00T47' }, { fileId: 'document_back' });
  expect(found(CARD, front, same)).toEqual(['reading_state_differs document.issuingCountry AT']);
});

it('a document that has expired by what was read, if the answer says another day', () => {
  const expired = aReading({ expiresOn: '2026-02-28' });
  expect(found(CARD, expired)).toEqual([
    'reading_edited document.expiresOn 2026-02-28',
    'reading_expired document.expiresOn 2026-02-28',
  ]);
  expect(found(given({ expiresOn: '2026-02-28' }), expired)).toEqual([]);
  expect(found(CARD, aReading({ expiresOn: '2026-03-01' }))).toEqual([
    'reading_edited document.expiresOn 2026-03-01',
  ]);
});

it('a document that has expired by what was read, if the answer says that it never expires', () => {
  const verification = given({ expiresOn: undefined });
  expect(found(verification, aReading({ expiresOn: '2026-02-28' }))).toEqual([
    'reading_expired document.expiresOn 2026-02-28',
  ]);
});

it('the type of the document: another one is named, one that the flow does not know is not', () => {
  expect(found(CARD, aReading({}, { type: 'passport' }))).toEqual(['reading_type_differs document.type passport']);
  expect(found(CARD, aReading({}, { type: 'visa' }))).toEqual([]);
  expect(found(given({ type: undefined }), aReading({}, { type: 'passport' }))).toEqual([]);
  const { document } = CARD.steps;
  expect(found({ ...CARD, steps: { document } } as Verification, aReading({}, { type: 'passport' }))).toEqual([
    'reading_type_differs document.type passport',
  ]);
});

it('digits that do not fit are named at their picture', () => {
  expect(found(CARD, aReading({}, { fileId: 'document_back', digitsFit: false }))).toEqual([
    'check_digits_wrong document.backFileId',
  ]);
});

describe('a document without a machine-readable zone', () => {
  const nothing = aReading({}, { outcome: 'nothing' });
  const both = [nothing, aReading({}, { outcome: 'nothing', fileId: 'document_back' })];
  const passport = given({ type: 'passport', backFileId: undefined });

  it('a missing zone is named on a passport, and more softly on a card', () => {
    expect(found(passport, nothing)).toEqual(['mrz_missing document.frontFileId']);
    expect(found(CARD, ...both)).toEqual(['mrz_not_found document.frontFileId']);
  });

  it.each(['driving_licence', 'residence_permit', undefined])('a missing zone is not named on a %s', (type) => {
    expect(found(given({ type }), ...both)).toEqual([]);
  });

  it.each(['failed', 'off', 'read'] as const)(
    'a missing zone is not named after a reading that is %s',
    (outcome) => {
      expect(found(passport, aReading({}, { outcome }))).toEqual([]);
    },
  );

  it('a missing zone is not named while a picture of the document is unread', () => {
    expect(found(CARD, nothing)).toEqual([]);
    expect(found({ ...passport, files: [] }, nothing)).toEqual([]);
  });
});
