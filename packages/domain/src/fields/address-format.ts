import type { Issue } from '../errors.ts';
import type { JsonObject } from '../input/json.ts';
import { ADDRESS_DATA, type AddressData } from './address-data.ts';
import type { Field, FieldList, Purpose } from './field.ts';
import { below, isJsonObject } from './paths.ts';

/** A part of an address, by its purpose. */
export type AddressPart = Extract<
  Purpose,
  'address-line1' | 'address-line2' | 'postal-code' | 'address-level1' | 'address-level2' | 'country'
>;

/** How a country writes addresses. */
export interface AddressFormat {
  /** Every part in the order of forms: the country first, because the others depend on it. */
  readonly order: readonly AddressPart[];
  /** Parts that most addresses of the country lack. Forms may fold them. */
  readonly rare: ReadonlySet<AddressPart>;
  readonly required: ReadonlySet<AddressPart>;
  /** The country's word for a part, such as `eircode`, if it is not the usual one. */
  readonly words: Readonly<Partial<Record<AddressPart, string>>>;
  /** A postal code of the country, or null. */
  readonly example: string | null;
  /** Whether the country may have such a postal code. Case, spaces and the kind of dash are ignored. */
  isPostalCode(text: string): boolean;
}

const PARTS: Readonly<Record<string, AddressPart>> = {
  A: 'address-line1',
  C: 'address-level2',
  S: 'address-level1',
  Z: 'postal-code',
};

const REGION: readonly AddressPart[] = ['address-level1'];

/** For countries that are unknown or not yet chosen. */
const ANY: AddressData = { parts: 'AZC', required: 'AC' };

/** Returns how a country writes addresses. Countries without a format, and null, have a usual one. */
export function addressFormatOf(country: string | null): AddressFormat {
  const data =
    (country !== null && Object.hasOwn(ADDRESS_DATA, country) ? ADDRESS_DATA[country] : undefined) ?? ANY;
  const written = partsOf(data.parts);
  // Every address has a town, also where the country's envelopes do not name it.
  const lines: AddressPart[] = ['address-line1', 'address-line2'];
  const towns: AddressPart[] = written.includes('address-level2') ? [] : ['address-level2'];
  const rest = written.filter((part) => part !== 'address-line1');
  const named: AddressPart[] = ['country', ...lines, ...towns, ...rest];
  const others = Object.values(PARTS).filter((part) => !named.includes(part));
  const required = new Set<AddressPart>(['country', 'address-line1', 'address-level2', ...partsOf(data.required)]);
  const { postalCode, example = null } = data;
  return {
    order: [...named, ...others],
    rare: new Set(['address-line2', ...others, ...(required.has('address-level1') ? [] : REGION)]),
    required,
    words: Object.fromEntries(
      Object.entries(data.words ?? {}).flatMap(([letter, word]) => {
        const part = PARTS[letter];
        return part === undefined ? [] : [[part, word]];
      }),
    ),
    example,
    isPostalCode: (text) => postalCode === undefined || patternOf(postalCode).test(plainCode(text)),
  };
}

function partsOf(letters: string): AddressPart[] {
  return [...letters].flatMap((letter) => PARTS[letter] ?? []);
}

function patternOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u');
}

/** Also reads the wide digits and dashes of East Asian keyboards. */
function plainCode(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/\s/g, '')
    .replaceAll(/\p{Pd}|\u2212|\u30fc/gu, '-');
}

/** Returns the key of the country that decides how the fields beside it are written, or null. */
export function addressCountryIn(fields: FieldList): string | null {
  const found = Object.entries(fields).find(
    ([, field]) => field.kind === 'country' && field.decides === 'address',
  );
  return found?.[0] ?? null;
}

/**
 * Returns an issue for each part of an address that its country requires and that has no answer, and for a postal code that the
 * country cannot have. Addresses without a country, and those whose country decides nothing, have none.
 */
export function addressIssues(fields: FieldList, answers: JsonObject, path = ''): Issue[] {
  const within = Object.entries(fields).flatMap(([key, field]) => {
    const value = answers[key];
    return field.kind === 'group' && isJsonObject(value)
      ? addressIssues(field.fields, value, below(path, key))
      : [];
  });
  const key = addressCountryIn(fields);
  const country = key === null ? undefined : answers[key];
  if (typeof country !== 'string') return within;
  const format = addressFormatOf(country);
  const own = Object.entries(fields).flatMap(([part, field]): Issue[] => {
    const here = below(path, part);
    const value = answers[part];
    if (value === undefined) {
      const message = `is required in addresses of ${country}`;
      return isRequiredBy(format, field) ? [{ path: here, message, code: 'required' }] : [];
    }
    if (field.purpose !== 'postal-code' || typeof value !== 'string' || format.isPostalCode(value)) return [];
    const message = `must be a postal code of ${country}, such as ${format.example}`;
    return [{ path: here, message, code: 'not_a_postal_code' }];
  });
  return [...own, ...within];
}

/** Whether the country requires a field that its step leaves open. */
function isRequiredBy({ required }: AddressFormat, { optional, purpose }: Field): boolean {
  return optional === true && [...required].some((part) => part === purpose);
}
