import { expect, it } from 'vitest';
import { countryOfTags } from './proposed-country.ts';

it.each([
  ['de-AT', [], 'AT'],
  ['de_CH', ['en-US'], 'CH'],
  ['de', [], 'DE'],
  ['de', ['en-US', 'de-AT'], 'AT'],
  ['de', ['en-US'], 'DE'],
  ['es', ['es-419', 'es-MX', 'en-US'], 'MX'],
  ['en', ['en-GB', 'en'], 'GB'],
  ['en', ['fr'], 'FR'],
  ['en', [], null],
  [null, ['en-US'], 'US'],
  [null, ['*'], null],
  [null, ['en', 'pl'], 'PL'],
  [null, ['zh-Hant'], 'TW'],
  [null, ['zh-Hans-SG'], 'SG'],
  [null, ['xx', 'a-b', '-', 'de-XX-12345678-9'], 'DE'],
  [null, [], null],
])('locale %j, accepted languages %j: %j', (locale, accepted, country) => {
  expect(countryOfTags(locale, accepted)).toBe(country);
});
