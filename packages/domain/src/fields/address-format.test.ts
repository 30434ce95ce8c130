import { describe, expect, it } from 'vitest';
import { addressFormatOf, addressIssues } from './address-format.ts';
import { COUNTRIES } from './countries.ts';
import type { Field, FieldList } from './field.ts';

const address: FieldList = {
  line1: { kind: 'text', max: 200, purpose: 'address-line1' },
  line2: { kind: 'text', max: 200, purpose: 'address-line2', optional: true },
  postalCode: { kind: 'text', max: 20, purpose: 'postal-code', optional: true },
  city: { kind: 'text', max: 100, purpose: 'address-level2' },
  region: { kind: 'text', max: 100, purpose: 'address-level1', optional: true },
  country: { kind: 'country', purpose: 'country', decides: 'address' },
};

describe('addressFormatOf', () => {
  it.each([
    ['DE', ['country', 'address-line1', 'address-line2', 'postal-code', 'address-level2', 'address-level1']],
    ['US', ['country', 'address-line1', 'address-line2', 'address-level2', 'address-level1', 'postal-code']],
    ['SG', ['country', 'address-line1', 'address-line2', 'address-level2', 'postal-code', 'address-level1']],
    ['AE', ['country', 'address-line1', 'address-line2', 'address-level2', 'address-level1', 'postal-code']],
  ])('orders the parts as %s writes them, the country first', (country, order) => {
    expect(addressFormatOf(country).order).toEqual(order);
  });

  it('every part stands there once for each country, and for none', () => {
    for (const country of [...COUNTRIES, null, 'XX', 'constructor']) {
      const { order } = addressFormatOf(country);
      expect([...order].sort(), String(country)).toEqual([
        'address-level1',
        'address-level2',
        'address-line1',
        'address-line2',
        'country',
        'postal-code',
      ]);
      expect(order[0]).toBe('country');
    }
  });

  it.each([
    ['US', { 'postal-code': 'zip', 'address-level1': 'state' }],
    ['IN', { 'postal-code': 'pin', 'address-level1': 'state' }],
    ['IE', { 'postal-code': 'eircode', 'address-level1': 'county' }],
    ['JP', { 'address-level1': 'prefecture' }],
    ['DE', {}],
  ])('knows the words of %s', (country, words) => {
    expect(addressFormatOf(country).words).toEqual(words);
  });

  it.each([
    ['DE', ['address-line2', 'address-level1']],
    ['IE', ['address-line2', 'address-level1']],
    ['US', ['address-line2']],
    ['AE', ['address-line2', 'postal-code']],
    ['AO', ['address-line2', 'address-level1', 'postal-code']],
  ])('most addresses of %s lack %j', (country, rare) => {
    expect([...addressFormatOf(country).rare].sort()).toEqual([...rare].sort());
  });

  it.each([
    ['GB', 'sw1a1aa', true],
    ['GB', 'SW1A 1AA', true],
    ['GB', '10115', false],
    ['NL', '1010 ab', true],
    ['NL', '1010', false],
    ['DE', '10115', true],
    ['DE', '101 15', true],
    ['DE', '1-0115', false],
    ['DE', '1011', false],
    ['DE', '101155', false],
    ['PL', '80-827', true],
    ['PL', '80827', true],
    ['CH', 'CH-8001', true],
    ['CH', '8001', true],
    ['LV', 'lv-1073', true],
    ['US', '22162-1010', true],
    ['US', '22162 1010', true],
    ['PL', '80\u2013827', true],
    ['JP', '\uff11\uff15\uff14\uff0d\uff10\uff10\uff12\uff13', true],
    ['JP', '154\u30fc0023', true],
    ['JP', '\uff11\uff15\uff14', false],
    ['HK', 'anything', true],
  ])('a postal code of %s may be %j: %j', (country, code, accepted) => {
    expect(addressFormatOf(country).isPostalCode(code)).toBe(accepted);
  });
});

describe('addressIssues', () => {
  const german = { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' };

  it('requires what the country requires', () => {
    expect(addressIssues(address, german)).toEqual([
      { path: 'postalCode', message: 'is required in addresses of DE', code: 'required' },
    ]);
    expect(addressIssues(address, { ...german, country: 'US' }).map(({ path }) => path)).toEqual([
      'postalCode',
      'region',
    ]);
    expect(addressIssues(address, { ...german, country: 'HK' }).map(({ path }) => path)).toEqual(['region']);
    expect(addressIssues(address, { ...german, country: 'AO' })).toEqual([]);
    // The schema reports the fields that the step itself requires.
    expect(addressIssues(address, { country: 'AO' })).toEqual([]);
  });

  it('refuses a postal code that the country cannot have', () => {
    expect(addressIssues(address, { ...german, postalCode: '1010' })).toEqual([
      { path: 'postalCode', message: 'must be a postal code of DE, such as 26133', code: 'not_a_postal_code' },
    ]);
    expect(addressIssues(address, { ...german, postalCode: '10115' })).toEqual([]);
    // The schema refuses a value that is no text.
    expect(addressIssues(address, { ...german, postalCode: {} })).toEqual([]);
  });

  it('names the path within a group, and says nothing of a group that is absent', () => {
    const fields: FieldList = {
      home: { kind: 'group', fields: address },
      work: { kind: 'group', fields: address },
    };
    expect(addressIssues(fields, { home: german }).map(({ path }) => path)).toEqual(['home.postalCode']);
  });

  it('says nothing without a country, or where the country decides nothing', () => {
    const city: Field = { kind: 'text', max: 100, purpose: 'address-level2', optional: true };
    expect(addressIssues({ ...address, city }, { line1: 'x' })).toEqual([]);
    const plain: FieldList = { ...address, country: { kind: 'country', purpose: 'country' } };
    expect(addressIssues(plain, german)).toEqual([]);
  });
});
