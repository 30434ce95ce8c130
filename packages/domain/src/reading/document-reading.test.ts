import { describe, expect, it, test } from 'vitest';
import { acceptReading, canBeSure, readTexts } from './document-reading.ts';

const READ = {
  outcome: 'read',
  readerVersion: '1.0',
  fields: {
    documentNumber: { value: 'L01X00T47', sure: true },
    dateOfBirth: { value: '1964-08-12', sure: true },
    expiresOn: { value: '2031-01-01', sure: false },
    issuingCountry: { value: 'DE', sure: true },
    nationality: { value: 'DE', sure: true },
    lastName: { value: 'MUSTERMANN', sure: false },
    firstName: { value: 'ERIKA', sure: false },
  },
  type: 'passport',
  issuer: 'DE',
  digitsFit: true,
  mrzBox: { x: 0.1, y: 0.8, width: 0.8, height: 0.1, rotation: 0.25, aspect: 1.4 },
};

it('keeps what a sound reader returns, and nothing else', () => {
  const fields = { ...READ.fields, sex: { value: 'F', sure: true } };
  expect(acceptReading({ ...READ, fields, mrz: 'P<D<<MUSTERMANN' })).toEqual(READ);
});

test('names are never sure', () => {
  const { fields } = acceptReading({ ...READ, fields: { lastName: { value: 'MUSTERMANN', sure: true } } });
  expect(fields).toEqual({ lastName: { value: 'MUSTERMANN', sure: false } });
  expect([canBeSure('firstName'), canBeSure('documentNumber')]).toEqual([false, true]);
});

describe('a value that fails its rule is dropped, and the others stay:', () => {
  it.each([
    ['documentNumber', 'X'.repeat(51)],
    ['documentNumber', 'A\u0007B'],
    ['documentNumber', '\u202eAB'],
    ['documentNumber', ''],
    ['dateOfBirth', '1899-12-31'],
    ['dateOfBirth', '1964-02-30'],
    ['dateOfBirth', '640812'],
    ['expiresOn', '31'],
    ['expiresOn', '1969-12-31'],
    ['issuingCountry', 'XX'],
    ['nationality', 'D<<'],
    ['lastName', 'M'.repeat(101)],
    ['firstName', 'ERIKA\nMARIA'],
    ['firstName', '\ud800'],
    ['lastName', 7],
    ['lastName', null],
  ])('%s %j', (name, value) => {
    const { fields } = acceptReading({ ...READ, fields: { ...READ.fields, [name]: { value, sure: true } } });
    const { [name as keyof typeof READ.fields]: _, ...others } = READ.fields;
    expect(fields).toEqual(others);
  });

  it.each([null, 'L01X00T47', { value: 'L01X00T47' }, { value: 'L01X00T47', sure: 'yes' }])(
    'a documentNumber that is %j',
    (documentNumber) => {
      expect(acceptReading({ ...READ, fields: { documentNumber } }).fields).toEqual({});
    },
  );
});

it.each([
  ['type', 'a'.repeat(41)],
  ['type', '\u001b[2J'],
  ['issuer', 'Germany'],
  ['digitsFit', 'yes'],
  ['mrzBox', { ...READ.mrzBox, x: 1.1 }],
  ['mrzBox', { ...READ.mrzBox, rotation: 1 }],
  ['mrzBox', { ...READ.mrzBox, aspect: 0 }],
  ['mrzBox', { ...READ.mrzBox, width: Number.NaN }],
  ['mrzBox', []],
  ['pictureHash', 'f'.repeat(63)],
  ['pictureHash', 'G'.repeat(64)],
])('a %s of %j is left out', (name, value) => {
  const accepted = acceptReading({ ...READ, [name]: value });
  expect(accepted).not.toHaveProperty(name);
  expect(accepted.fields).toEqual(READ.fields);
});

it('the hash of a picture is kept if it was read or shows nothing', () => {
  const pictureHash = '0123456789abcdef'.repeat(4);
  const kept = (outcome: string) => acceptReading({ ...READ, outcome, pictureHash }).pictureHash;
  expect(['read', 'nothing', 'failed', 'off'].map(kept)).toEqual([pictureHash, pictureHash, undefined, undefined]);
});

it.each(['nothing', 'failed', 'off'])('the outcome %s keeps no values', (outcome) => {
  expect(acceptReading({ ...READ, outcome })).toEqual({ outcome, readerVersion: '1.0', fields: {} });
});

it.each([
  undefined,
  null,
  'read',
  {},
  { ...READ, outcome: 'sure' },
  { ...READ, readerVersion: '1'.repeat(41) },
  { ...READ, readerVersion: '1\n2' },
])('a result that is none is a failed reading: %j', (result) => {
  expect(acceptReading(result)).toEqual({ outcome: 'failed', readerVersion: 'unknown', fields: {} });
});

it('fields that are none are no values', () => {
  expect(acceptReading({ ...READ, fields: 'all' }).fields).toEqual({});
  expect(acceptReading({ ...READ, fields: JSON.parse('{"__proto__":{"value":"x","sure":true}}') }).fields).toEqual(
    {},
  );
});

test('readTexts: what was read, by name; the issuer stands for an issuing country that was not read', () => {
  const lastName = { value: 'MUSTERMANN', sure: false };
  expect(readTexts({ fields: { lastName } })).toEqual([['lastName', 'MUSTERMANN']]);
  expect(readTexts({ fields: { lastName }, issuer: 'DE' })).toEqual([
    ['lastName', 'MUSTERMANN'],
    ['issuingCountry', 'DE'],
  ]);
  const issuingCountry = { value: 'PL', sure: true };
  expect(readTexts({ fields: { issuingCountry }, issuer: 'DE' })).toEqual([['issuingCountry', 'PL']]);
});

test('a picture without a document has a hash only if one was made', () => {
  const nothing = { outcome: 'nothing', readerVersion: '1.0' };
  expect(acceptReading(nothing)).not.toHaveProperty('pictureHash');
  expect(acceptReading({ ...nothing, pictureHash: 'f'.repeat(64) })).toHaveProperty('pictureHash');
});
