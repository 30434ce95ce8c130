import { describe, expect, test } from 'vitest';
import { digitOf, type Entries, nameField, printedNames, zoneLines } from './zone.ts';

/** Anna Maria Eriksson of Utopia, the specimen of ICAO Doc 9303 parts 4 to 7. */
const SPECIMEN: Entries = {
  kind: 'P',
  issuingState: 'UTO',
  nationality: 'UTO',
  number: 'L898902C3',
  birth: '740812',
  sex: 'F',
  expiry: '120415',
  surname: 'ERIKSSON',
  givenNames: 'ANNA<MARIA',
  optional: '',
  secondOptional: '',
};

describe('lines of ICAO specimens', () => {
  test('TD3: passport', () => {
    expect(zoneLines('TD3', { ...SPECIMEN, optional: 'ZE184226B' })).toEqual([
      'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
      'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
    ]);
  });

  test('TD1: card', () => {
    expect(zoneLines('TD1', { ...SPECIMEN, kind: 'I', number: 'D23145890' })).toEqual([
      'I<UTOD231458907<<<<<<<<<<<<<<<',
      '7408122F1204159UTO<<<<<<<<<<<6',
      'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
    ]);
  });

  test('TD1: a number longer than nine goes on in the optional data', () => {
    expect(zoneLines('TD1', { ...SPECIMEN, kind: 'I', number: 'D23145890734' })[0]).toBe(
      'I<UTOD23145890<7349<<<<<<<<<<<',
    );
  });

  test('TD2: official document', () => {
    expect(zoneLines('TD2', { ...SPECIMEN, kind: 'I', number: 'D23145890' })).toEqual([
      'I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<',
      'D231458907UTO7408122F1204159<<<<<<<6',
    ]);
  });

  test('MRV-A and MRV-B: visas', () => {
    const visa = { ...SPECIMEN, kind: 'V', optional: '6ZE184226B' };
    expect(zoneLines('MRV-A', visa)).toEqual([
      'V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
      'L898902C36UTO7408122F12041596ZE184226B<<<<<<',
    ]);
    expect(zoneLines('MRV-B', visa)).toEqual([
      'V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<',
      'L898902C36UTO7408122F12041596ZE184226B<<<<<<'.slice(0, 36),
    ]);
  });
});

test.each([
  ['520727', '3'],
  ['AB2134<<<', '5'],
  ['HA672242<658022549601086<<<<<<<<<<<<<<0', '8'],
])('digitOf: ICAO’s example %s has the digit %s', (text, digit) => {
  expect(digitOf(text)).toBe(digit);
});

test('nameField: cuts long names and keeps a part of both', () => {
  const field = nameField('ERIKSSON<'.repeat(6).slice(0, -1), 'ANNA<MARIA', 39);
  expect(field).toBe('ERIKSSON<ERIKSSON<ERIKSSON<<ANNA<MARIA<');
  expect(nameField('ERIKSSON', '', 39)).toBe('ERIKSSON'.padEnd(39, '<'));
});

test('printedNames: fillers become spaces', () => {
  const lines = zoneLines('TD1', { ...SPECIMEN, surname: 'VON<ERIKSSON' });
  expect(printedNames(lines, 'TD1')).toEqual({ surname: 'VON ERIKSSON', givenNames: 'ANNA MARIA' });
});
