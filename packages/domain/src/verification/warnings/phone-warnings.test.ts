import { describe, expect, it } from 'vitest';
import { submitted } from '../../../test-support/verifications.ts';
import type { JsonObject } from '../../input/json.ts';
import type { StepKey, SubjectType } from '../flow.ts';
import { phoneWarnings } from './phone-warnings.ts';

/** What a verification with these answers alone is warned of. */
function found(type: SubjectType, answers: { readonly [K in StepKey]?: JsonObject }): string[] {
  const steps = Object.entries(answers).map(([step, given]) => [step, { answers: given, completedAt: '' }]);
  return phoneWarnings({ ...submitted(type), steps: Object.fromEntries(steps) }).map(
    ({ code, step, path, detail }) => `${code} ${step}.${path} ${detail}`,
  );
}

const person = (phone: string, ...nationalities: string[]) => found('kyc', { person: { phone, nationalities } });

describe('phone of another country', () => {
  it.each<[string, string[]]>([
    ['+48221234567', ['DE']],
    ['+12025550100', ['DE', 'FR']],
    ['+35812345678', ['SE']],
    ['+442079460000', ['IE']],
    ['+77012345678', ['UZ']],
  ])('%s: warned of with the countries %j', (phone, countries) => {
    expect(person(phone, ...countries)).toEqual([`phone_country_differs person.phone ${countries.join(', ')}`]);
  });

  it.each<[string, string[]]>([
    ['+493023125000', ['DE']],
    ['+493023125000', ['US', 'DE']],
    // Codes that several countries share.
    ...['US', 'CA', 'JM', 'PR', 'DO', 'BM'].map((country): [string, string[]] => ['+18765550100', [country]]),
    ...['RU', 'KZ'].map((country): [string, string[]] => ['+77012345678', [country]]),
    ...['GB', 'JE', 'GG', 'IM'].map((country): [string, string[]] => ['+447700900000', [country]]),
    ...['NO', 'SJ'].map((country): [string, string[]] => ['+4721234567', [country]]),
    ['+39061234567', ['VA']],
    // Satellites, and codes of countries that no one can choose.
    ['+870123456789', ['DE']],
    ['+38344123456', ['AL']],
    // Places without a code of their own.
    ['+64123456', ['PN']],
    ['+64123456', ['DE', 'PN']],
    // Numbers that were accepted before they had to be E.164.
    ['03023125000', ['PL']],
    ['', ['PL']],
    ['+', ['PL']],
  ])('%s: not warned of with the countries %j', (phone, countries) => {
    expect(person(phone, ...countries)).toEqual([]);
  });

  it('no warning if the calling code belongs to any country in the answers: address, document, birth or nationality', () => {
    const { nationalities, ...rest } = { phone: '+48221234567', nationalities: ['DE'] };
    const elsewhere = { person: { ...rest, nationalities }, document: { issuingCountry: 'DE' } };
    expect(found('kyc', elsewhere)).toHaveLength(1);
    expect(found('kyc', { ...elsewhere, address: { country: 'PL' } })).toEqual([]);
    expect(found('kyc', { ...elsewhere, document: { issuingCountry: 'PL' } })).toEqual([]);
    const born = { ...elsewhere.person, placeOfBirth: { city: 'Gdynia', country: 'PL' } };
    expect(found('kyc', { ...elsewhere, person: born })).toEqual([]);
  });

  it('the phone number of a representative is compared with the countries of the business and its people', () => {
    const consent = { representative: { phone: '+48221234567' } };
    const business = { countryOfIncorporation: 'DE' };
    expect(found('kyb', { consent, business })).toEqual(['phone_country_differs consent.representative.phone DE']);
    const ownership = { directors: [{ nationality: 'PL' }] };
    expect(found('kyb', { consent, business, ownership })).toEqual([]);
    expect(found('kyb', { consent, business: { countryOfIncorporation: 'PL' } })).toEqual([]);
  });

  it('no warning if the answers have no country or no phone number', () => {
    expect(found('kyc', { person: { phone: '+48221234567' } })).toEqual([]);
    expect(found('kyc', { person: { nationalities: ['DE'] } })).toEqual([]);
    expect(found('kyc', { person: { phone: 48, nationalities: [7] } })).toEqual([]);
  });

  it('answers that are no phone numbers or no countries are not compared', () => {
    const phone = '+48221234567';
    const person = { phone: 48, nationalities: ['DE'], firstName: phone, unknown: phone };
    expect(found('kyc', { person })).toEqual([]);
    expect(found('kyc', { person: { phone, nationalities: ['DE', 7] } })).toHaveLength(1);
    const business = { countryOfIncorporation: 'DE', tradingNames: ['PL'] };
    expect(found('kyb', { business, consent: { representative: { phone } } })).toHaveLength(1);
  });
});
