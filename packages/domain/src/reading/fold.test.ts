// Names as machine-readable zones spell them.
// cspell:ignore ller SOERENSEN AANGSTROEM LUKASZ DORDEVIC THORSSON AEBELOE NUNXXEZ OCONNOR LUEDENSCHEIDT Papandreopoulos Konstantinidis PAPANDREOPOULOS KONSTAN ANNAB KONSTAM JUERGEN Komachi
import { describe, expect, it, test } from 'vitest';
import { inProposedCase, isComparable, isSameAsRead } from './fold.ts';

describe('a last name as a machine-readable zone spells it', () => {
  it.each([
    ['Müller', 'MUELLER'],
    ['Müller', 'MULLER'],
    ['müller', 'MUELLER'],
    ['Mu\u0308ller', 'MUELLER'],
    ['Weiß', 'WEISS'],
    ['Sørensen', 'SOERENSEN'],
    ['Sørensen', 'SORENSEN'],
    ['Ångström', 'AANGSTROEM'],
    ['Łukasz', 'LUKASZ'],
    ['Đorđević', 'DORDEVIC'],
    ['Þórsson', 'THORSSON'],
    ['Æbelø', 'AEBELOE'],
    ['Núñez', 'NUNEZ'],
    ['Núñez', 'NUNXXEZ'],
    ["O'Connor", 'OCONNOR'],
    ['O’Connor', 'OCONNOR'],
    ['Lüdenscheidt-Maier', 'LUEDENSCHEIDT MAIER'],
    ['van der  Berg', 'VAN DER BERG'],
    ['St. John', 'ST JOHN'],
  ])('%s is %s', (answer, read) => {
    expect(isSameAsRead('lastName', answer, read)).toBe(true);
  });

  it.each([
    ['Muller', 'MUELLER'],
    ['Maier', 'MEIER'],
    ['Mustermann', 'MUSTER'],
    ['Muster', 'MUSTERMANN'],
    ['van der', 'VAN DER BERG'],
    ['', 'MUSTERMANN'],
  ])('%s is not %s', (answer, read) => {
    expect(isSameAsRead('lastName', answer, read)).toBe(false);
  });

  it('may be cut where both names fill their places, and only there', () => {
    const answer = 'Papandreopoulos-Konstantinidis';
    expect(isSameAsRead('lastName', answer, 'PAPANDREOPOULOS KONSTAN', 'ANNA')).toBe(false);
    expect(isSameAsRead('lastName', answer, 'PAPANDREOPOULOS KONSTAN', 'ANNAB')).toBe(true);
    expect(isSameAsRead('lastName', answer, 'PAPANDREOPOULOS KONSTAM', 'ANNABELLE')).toBe(false);
    expect(isSameAsRead('lastName', answer, '', 'A'.repeat(30))).toBe(false);
  });
});

describe('a first name', () => {
  it.each([
    ['Erika', 'ERIKA'],
    ['Erika', 'ERIKA MARIA'],
    ['Erika Maria', 'ERIKA MARIA'],
    ['Jürgen', 'JUERGEN PETER'],
  ])('%s is %s', (answer, read) => {
    expect(isSameAsRead('firstName', answer, read)).toBe(true);
  });

  it.each([
    ['Eri', 'ERIKA MARIA'],
    ['Maria', 'ERIKA MARIA'],
    ['Erika Maria', 'ERIKA'],
    ['', 'ERIKA'],
    ['-', 'ERIKA'],
    ['小町', '<'],
  ])('%s is not %s', (answer, read) => {
    expect(isSameAsRead('firstName', answer, read)).toBe(false);
  });
});

test('numbers are compared without fillers and separators', () => {
  for (const answer of ['L01X00T47', 'l01x00t47', 'L01X 00T-47', 'L01X00T47<<']) {
    expect(isSameAsRead('documentNumber', answer, 'L01X00T47<'), answer).toBe(true);
  }
  expect(isSameAsRead('documentNumber', 'LO1X00T47', 'L01X00T47')).toBe(false);
});

test('dates and countries are compared as they are', () => {
  expect(isSameAsRead('dateOfBirth', '1964-08-12', '1964-08-12')).toBe(true);
  expect(isSameAsRead('dateOfBirth', '2064-08-12', '1964-08-12')).toBe(false);
  expect(isSameAsRead('nationality', 'DE', 'AT')).toBe(false);
});

test('a text in another script cannot be compared', () => {
  expect([isComparable('小町'), isComparable('Komachi'), isComparable('…')]).toEqual([false, true, false]);
});

test.each([
  ['ERIKA', 'Erika'],
  ['ANNA-LENA MARIA', 'Anna-Lena Maria'],
  ["O'CONNOR", "O'Connor"],
  ['ÅSA', 'Åsa'],
])('%s is proposed as %s', (read, proposed) => {
  expect(inProposedCase(read)).toBe(proposed);
});
