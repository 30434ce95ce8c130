import type { Issue } from '@countersign/domain';
import type { AddressFormat, Field, PlacedField } from '@countersign/domain/flows';
import { addressFormatIn, partsOf } from '../forms/arranged-fields.ts';
import type { FormValues } from '../forms/form-values.ts';
import { findText, type Translate } from '../site/messages.ts';

/** The texts of addresses by the country that a form has now. Undefined where the usual texts do. */
export interface AddressTexts {
  label(path: string): string | undefined;
  issue(path: string, issue: Issue): string | undefined;
}

/** Returns the texts of the addresses among the fields of a screen, groups included. */
export function addressTexts(t: Translate, fields: readonly PlacedField[], values: FormValues): AddressTexts {
  const parts = new Map(
    addressesIn(fields).flatMap((address) => {
      const format = addressFormatIn(address, values);
      return format === null ? [] : address.map(({ path, field }) => [path, partOf(format, field)] as const);
    }),
  );
  return {
    label(path) {
      const part = parts.get(path);
      return part && findText(t, [`verify:address.${part.purpose}.${part.word}`]);
    },
    issue(path, { code }) {
      const part = parts.get(path);
      if (part === undefined || code !== 'not_a_postal_code') return undefined;
      return findText(t, [`verify:address.wrong.${part.word}`], { example: part.example });
    },
  };
}

interface Part {
  readonly purpose: string;
  /** The country's word for the part, `usual` if it has none. */
  readonly word: string;
  /** A postal code of the country. */
  readonly example: string;
}

function partOf({ words, example }: AddressFormat, field: Field): Part {
  const purpose: string = field.purpose ?? '';
  const own: Readonly<Record<string, string | undefined>> = words;
  return { purpose, word: own[purpose] ?? 'usual', example: example ?? '' };
}

/** Lists the addresses among fields: those beside each other, and those of each group. */
function addressesIn(fields: readonly PlacedField[]): readonly (readonly PlacedField[])[] {
  const groups = fields.flatMap(({ path, field }) =>
    field.kind === 'group' ? addressesIn(partsOf(path, field.fields)) : [],
  );
  return [fields, ...groups];
}
