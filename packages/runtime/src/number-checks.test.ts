import { describe, expect, it } from 'vitest';
import { createNumberChecks, loadValidators } from './number-checks.ts';
import { NUMBER_SORTS, type NumberSorts } from './number-sorts.ts';

const checks = createNumberChecks();

/** Numbers that the authorities or the library's sources give as examples, and the same with one digit changed. */
describe.each<[keyof NumberSorts, string, good: string, bad: string]>([
  ['nationalId', 'PL', '44051401359', '44051401358'],
  ['nationalId', 'FR', '2 95 10 99 126 111 93', '2 95 10 99 126 111 94'],
  ['nationalId', 'ES', 'X-2482300W', 'X-2482300A'],
  ['nationalId', 'BR', '390.533.447-05', '390.533.447-06'],
  ['nationalId', 'FI', '131052-308T', '131052-308U'],
  ['taxId', 'AT', 'ATU13585627', 'ATU13585626'],
  ['taxId', 'FR', '732 829 320', '732 829 321'],
  ['taxId', 'NL', '111222333', '111222334'],
  ['vatNumber', 'DE', 'DE 136,695 976', 'DE136695977'],
  ['vatNumber', 'DE', '136695976', '136695977'],
  ['vatNumber', 'GR', 'EL094259216', 'EL094259217'],
  ['vatNumber', 'CH', 'CHE-107.787.577 IVA', 'CHE-107.787.578 IVA'],
  ['registrationNumber', 'NO', '988 077 917', '988 077 918'],
  ['registrationNumber', 'FR', '732 829 320', '732 829 321'],
])('%s of %s', (kind, country, good, bad) => {
  it(`${good} fits`, () => expect(checks[kind](country, good)).toBe('fits'));
  it(`${bad} does not`, () => expect(checks[kind](country, bad)).toBe('does_not_fit'));
});

describe('another spelling is the same number', () => {
  it.each<[keyof NumberSorts, string, string]>([
    ['nationalId', 'SE', '8803200016'],
    ['nationalId', 'SE', '19880320-0016'],
    ['nationalId', 'CL', '12.531.909-2'],
    ['nationalId', 'CH', '756.9217.0769.85'],
    ['taxId', 'DE', '181/815/0815 5'],
    ['taxId', 'PL', '856-734-62-15'],
    ['vatNumber', 'AT', 'U13585627'],
    ['vatNumber', 'NL', '004495445b01'],
  ])('%s of %s: %s', (kind, country, number) => {
    expect(checks[kind](country, number)).toBe('fits');
  });
});

describe('what cannot be said', () => {
  it.each<[keyof NumberSorts, string, string]>([
    ['registrationNumber', 'DE', 'HRB 12345'],
    ['nationalId', 'DE', 'L01X00T47'],
    ['nationalId', 'AQ', '1'],
    ['nationalId', '__proto__', '1'],
    ['nationalId', 'toString', '1'],
    ['taxId', '../../..', '1'],
  ])('%s of %s is unknown', (kind, country, number) => {
    expect(checks[kind](country, number)).toBe('unknown');
  });
});

const everySort = Object.entries(NUMBER_SORTS).flatMap(([country, sorts]) =>
  Object.entries(sorts).map(([kind, names]) => [country, kind as keyof NumberSorts, names as string[]] as const),
);

it.each(everySort)('%s %s: the library knows all of %s', (country, _kind, names) => {
  const known = Object.keys(loadValidators(country));
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

it.each(everySort)('%s %s takes any text without a fault', (country, kind) => {
  const texts = [
    '',
    ' ',
    '-',
    country,
    '\u0000',
    '😀',
    'Ä1',
    '٣٤٥',
    '1',
    '0'.repeat(50),
    `${country}1`,
    '1/2-3.4',
    'A1B2C3',
  ];
  for (const text of texts) expect(checks[kind](country, text)).toMatch(/^(fits|does_not_fit)$/);
});
