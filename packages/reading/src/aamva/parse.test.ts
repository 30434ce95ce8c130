// cspell:ignore DAQOTHER DLDAQOTHER DAQX ZVZVA
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAamva } from './parse.ts';

const ELEMENTS = {
  DAQ: 'T64235789',
  DCS: 'SAMPLE',
  DAC: 'MICHAEL',
  DBB: '06061986',
  DBA: '12102024',
  DBC: '1',
  DCG: 'USA',
};

/** Writes a barcode as the standard's annex D does. */
function barcode(
  changes: Partial<Record<keyof typeof ELEMENTS, string | undefined>> = {},
  issuer = '636000',
): string {
  const lines = Object.entries({ ...ELEMENTS, ...changes })
    .filter(([, value]) => value !== undefined)
    .map(([element, value]) => `${element}${value}`);
  return `@\n\x1e\rANSI ${issuer}100102DL00410278ZV03190008DL${lines.join('\n')}\rZVZVA01\r`;
}

it('reads number, dates, country and names, and nothing else', () => {
  expect(parseAamva(barcode())).toEqual({
    documentNumber: 'T64235789',
    birthDate: '1986-06-06',
    expiresOn: '2024-12-10',
    issuingState: 'USA',
    surname: 'SAMPLE',
    givenNames: 'MICHAEL',
  });
});

it('dates of Canada begin with the year', () => {
  expect(parseAamva(barcode({ DCG: 'CAN', DBB: '19860607', DBA: '20241210' }))).toMatchObject({
    birthDate: '1986-06-07',
    expiresOn: '2024-12-10',
    issuingState: 'CAN',
  });
});

it('the first element of a kind counts', () => {
  expect(parseAamva(barcode({ DAC: 'MICHAEL\nDAQOTHER' }))?.documentNumber).toBe('T64235789');
  expect(parseAamva(barcode({ DAQ: 'T1DLDAQOTHER' }))?.documentNumber).toBe('T1DLDAQOTHER');
});

it('elements may stand in any order', () => {
  const text = barcode({ DAQ: undefined }).replace('\nDBC1', '\nDAQX1\nDBC1');
  expect(parseAamva(text)?.documentNumber).toBe('X1');
});

describe('a text that is not the barcode of a licence:', () => {
  it.each([
    ['nothing', ''],
    ['another text', 'https://example.org/'],
    ['a head without an issuer', barcode({}, '63600A')],
    ['a head that does not begin it', ` ${barcode()}`],
    ['another separator', barcode().replace('\x1e', '\x1f')],
    ['no number', barcode({ DAQ: undefined })],
    ['an empty number', barcode({ DAQ: '' })],
    ['a number with a control character', barcode({ DAQ: 'A\x07B' })],
    ['a number of a hundred characters and one', barcode({ DAQ: 'A'.repeat(101) })],
    ['100 kB', barcode({ DAC: 'A'.repeat(100_000) })],
  ])('%s', (_, text) => {
    expect(parseAamva(text)).toBeUndefined();
  });
});

describe('an invalid value is left out, and the others stay:', () => {
  it.each([
    ['birthDate', { DBB: '13451986' }],
    ['birthDate', { DBB: '02301986' }],
    ['birthDate', { DBB: '1986-06-06' }],
    ['birthDate', { DBB: '06060000' }],
    ['surname', { DCS: 'unavl' }],
    ['givenNames', { DAC: 'NONE' }],
    ['givenNames', { DAC: 'A\x1b[2J' }],
    ['surname', { DCS: 'A'.repeat(101) }],
  ])('%s of %j', (field, changes) => {
    const { [field as 'surname']: _, ...others } = parseAamva(barcode()) ?? { documentNumber: '' };
    expect(parseAamva(barcode(changes))).toEqual(others);
  });

  it('a country that is neither, with the dates, whose order it decides', () => {
    expect(parseAamva(barcode({ DCG: 'MEX' }))).toEqual({
      documentNumber: 'T64235789',
      surname: 'SAMPLE',
      givenNames: 'MICHAEL',
    });
  });
});

it('no text after a valid head throws or yields a control character', () => {
  const pieces = fc.array(fc.oneof(fc.constantFrom('DAQ', 'DBB', 'DCS', '\n', '\r', 'DL'), fc.string()));
  fc.assert(
    fc.property(pieces, (parts) => {
      const fields = parseAamva(`@\n\x1e\rANSI 636000100102DL00410278DL${parts.join('')}`);
      for (const value of Object.values(fields ?? {})) expect(value).not.toMatch(/\p{Cc}/u);
    }),
  );
});

it('a long line of many designators takes no time', () => {
  const text = `@\n\x1e\rANSI 63600010${'DLD'.repeat(33_000)}`;
  const begun = performance.now();
  expect(parseAamva(text)).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(1_000);
});
