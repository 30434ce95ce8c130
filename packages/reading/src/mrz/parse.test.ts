import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDigit } from './check-digit.ts';
import { parseMrz } from './parse.ts';

const TODAY = '2026-06-01';

/** The specimens of ICAO 9303 parts 4 to 7. */
const SPECIMENS = {
  TD1: ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'],
  TD2: ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'],
  TD3: ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'],
  'MRV-A': ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L8988901C4XXX4009078F96121096ZE184226B<<<<<<'],
  'MRV-B': ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'L8988901C4XXX4009078F9612109<<<<<<<<'],
} as const;

test.each([
  ['L898902C3', '6'],
  ['740812', '2'],
  ['120415', '9'],
  ['ZE184226B<<<<<', '1'],
  ['AB2134<<<', '5'],
])('the check digit of %s is %s', (text, digit) => {
  expect(checkDigit(text)).toBe(digit);
});

describe('parseMrz', () => {
  test.each(Object.entries(SPECIMENS))('the specimen of %s has its layout and sound digits', (name, lines) => {
    const parsed = parseMrz(lines, TODAY);
    expect(parsed?.format.name).toBe(name);
    expect(Object.values(parsed?.checks ?? {})).toEqual([true, true, true, true, true]);
    expect(parsed?.fields).toMatchObject({ issuingState: 'UTO', surname: 'ERIKSSON', givenNames: 'ANNA MARIA' });
  });

  test('a passport becomes fields, without its sex', () => {
    expect(parseMrz(SPECIMENS.TD3, TODAY)?.fields).toEqual({
      documentNumber: 'L898902C3',
      birthDate: '1974-08-12',
      expiresOn: '2012-04-15',
      issuingState: 'UTO',
      nationality: 'UTO',
      surname: 'ERIKSSON',
      givenNames: 'ANNA MARIA',
    });
  });

  test.each([
    ['a fitting digit with another character of the same value', 'L898902C3', 'L898902W3', true],
    ['another digit', 'L898902C3', 'L898903C3', false],
  ])('%s in the number', (_, from, to, isFitting) => {
    const [first, second] = SPECIMENS.TD3;
    expect(parseMrz([first, second.replace(from, to)], TODAY)?.checks.documentNumber).toBe(isFitting);
  });

  test.each([
    ['310101', 'expiresOn', '2031-01-01'],
    ['991231', 'expiresOn', '1999-12-31'],
    ['260601', 'birthDate', '2026-06-01'],
    ['260602', 'birthDate', '1926-06-02'],
    ['000229', 'birthDate', '2000-02-29'],
    ['010229', 'birthDate', undefined],
    ['74<<<<', 'birthDate', undefined],
  ] as const)('%s as %s is %s', (text, field, date) => {
    const [first, second] = SPECIMENS.TD3;
    const changed =
      field === 'birthDate'
        ? `${second.slice(0, 13)}${text}${second.slice(19)}`
        : `${second.slice(0, 21)}${text}${second.slice(27)}`;
    expect(parseMrz([first, changed], TODAY)?.fields[field]).toBe(date);
  });

  test('a number of more than nine characters goes on in the optional data of a card', () => {
    const number = 'D23145890AB7';
    const rest = `${number.slice(9)}${checkDigit(number)}`;
    const [first, second, third] = SPECIMENS.TD1;
    const line = `${first.slice(0, 5)}${number.slice(0, 9)}<${rest}`.padEnd(30, '<');
    const parsed = parseMrz([line, second, third], TODAY);
    expect(parsed?.fields.documentNumber).toBe(number);
    expect(parsed?.checks.documentNumber).toBe(true);
  });

  test('a state that does not exist is not plausible', () => {
    const [first, second] = SPECIMENS.TD3;
    expect(parseMrz([first.replace('UTO', 'QQQ'), second], TODAY)?.isPlausible).toBe(false);
  });

  test.each([
    ['nothing', []],
    ['one line', [SPECIMENS.TD3[0]]],
    ['lower case', SPECIMENS.TD3.map((line) => line.toLowerCase())],
    ['a line that is too long', [SPECIMENS.TD3[0], `${SPECIMENS.TD3[1]}0`]],
    ['control characters', SPECIMENS.TD3.map((line) => line.replaceAll('<', '\u0000'))],
    ['markup', [SPECIMENS.TD3[0], '<script>alert(1)</script>'.padEnd(44, '<')]],
    ['100 kB', ['P'.repeat(100_000), '<'.repeat(100_000)]],
    ['letters in a date', [SPECIMENS.TD3[0], SPECIMENS.TD3[1].replace('740812', '74O812')]],
  ])('%s is no zone', (_, lines) => {
    expect(parseMrz(lines, TODAY)).toBeUndefined();
  });

  test('any strings are parsed without an error', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^[0-9A-Z<]{44}$/),
      fc.stringMatching(/^[0-9A-Z<]{36}$/),
    );
    fc.assert(fc.property(fc.array(line, { maxLength: 4 }), (lines) => void parseMrz(lines, TODAY)));
  });
});
