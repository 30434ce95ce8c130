import { createRequire } from 'node:module';
import type { NumberCheck, NumberChecks } from '@countersign/domain';
import type { Validator } from 'stdnum';
import { NUMBER_SORTS, type NumberSorts } from './number-sorts.ts';

type Validators = Readonly<Record<string, Validator>>;

/**
 * Check digits by the library stdnum. A country's part of it is read from the disk at the first number of that country
 * (3 to 20 ms): all of them would cost every start 130 ms and 22 MB, and most servers never need them.
 */
export function createNumberChecks(): NumberChecks {
  const loaded = new Map<string, Validators>();

  function validatorsOf(country: string): Validators {
    const known = loaded.get(country) ?? loadValidators(country);
    loaded.set(country, known);
    return known;
  }

  const check =
    (kind: keyof NumberSorts) =>
    (country: string, number: string): NumberCheck => {
      const sorts = Object.hasOwn(NUMBER_SORTS, country) ? NUMBER_SORTS[country]?.[kind] : undefined;
      if (sorts === undefined) return 'unknown';
      // Some validators throw for texts without digits.
      if (!/\d/.test(number)) return 'does_not_fit';
      const validators = validatorsOf(country);
      const candidates = spellingsOf(country, number);
      const fits = sorts.some((sort) => candidates.some((text) => validators[sort]?.validate(text).isValid));
      return fits ? 'fits' : 'does_not_fit';
    };

  return {
    nationalId: check('nationalId'),
    taxId: check('taxId'),
    vatNumber: check('vatNumber'),
    registrationNumber: check('registrationNumber'),
  };
}

const require = createRequire(import.meta.url);

/** `country` is one of the table's, so nothing but that decides what is loaded. */
export function loadValidators(country: string): Validators {
  return require(`stdnum/lib/cjs/${country.toLowerCase()}/index.js`) as Validators;
}

/** Prefixes of VAT numbers that differ from the country code. */
const VAT_PREFIXES: Readonly<Record<string, string>> = { GR: 'EL', CH: 'CHE' };

/**
 * Returns the spellings to try: as typed, without separators, and with or without the country prefix. People write any
 * of these, and each validator accepts only some. Swedish numbers need their dash.
 */
function spellingsOf(country: string, number: string): readonly string[] {
  const text = number.trim().toUpperCase();
  const prefix = VAT_PREFIXES[country] ?? country;
  const bare = text.startsWith(prefix) ? text.slice(prefix.length).replace(/^[\s.-]+/, '') : text;
  const joined = bare.replace(/[\s./-]+/g, '');
  const dashed = country === 'SE' ? [joined.replace(/\d{4}$/, '-$&')] : [];
  return [text, bare, `${prefix}${bare}`, joined, ...dashed];
}
