import {
  type AddressFormat,
  addressFormatOf,
  type Field,
  type FieldList,
  type PlacedField,
} from '@countersign/domain/flows';
import { countryCode } from './country-names.ts';
import type { FormValues } from './form-values.ts';

/** Fields in the order in which a form shows them. */
export interface ArrangedFields {
  readonly shown: readonly PlacedField[];
  /** Fields that few people answer. */
  readonly folded: readonly PlacedField[];
}

/** Arranges the fields of a form: addresses as their country writes them, and fields that few people answer at the end. */
export function arrangedFields(fields: readonly PlacedField[], values: FormValues): ArrangedFields {
  const format = addressFormatIn(fields, values);
  const ordered = format === null ? fields : inOrder(fields, format);
  const isFolded = ({ field }: PlacedField): boolean =>
    field.optional === true && (field.rare === true || (format !== null && isPartOf(format.rare, field)));
  return {
    shown: ordered.filter((placed) => !isFolded(placed)),
    folded: ordered.filter(isFolded),
  };
}

/** Lists fields, and those of groups within them, in the order in which a form shows them. */
export function inFormOrder(fields: readonly PlacedField[], values: FormValues): readonly PlacedField[] {
  const { shown, folded } = arrangedFields(fields, values);
  return [...shown, ...folded].map(({ field, ...place }) => {
    if (field.kind !== 'group') return { ...place, field };
    const parts = inFormOrder(partsOf(place.path, field.fields), values);
    return {
      ...place,
      field: { ...field, fields: Object.fromEntries(parts.map((part) => [part.key, part.field])) },
    };
  });
}

/** Lists the fields of a group. */
export function partsOf(path: string, fields: FieldList): readonly PlacedField[] {
  return Object.entries(fields).map(([key, field]) => ({ path: `${path}.${key}`, key, field }));
}

/** Returns how the country that is chosen in a form writes the address of these fields; null if they are no such address. */
export function addressFormatIn(fields: readonly PlacedField[], values: FormValues): AddressFormat | null {
  const country = fields.find(({ field }) => decidesAddress(field));
  return country === undefined ? null : addressFormatOf(countryCode(values.text(country.path)));
}

/** Whether a field is the country that decides how the address around it is written. */
export function decidesAddress(field: Field): boolean {
  return field.kind === 'country' && field.decides === 'address';
}

/** Orders the parts of an address, ahead of other fields. What the country requires is not optional. */
function inOrder(fields: readonly PlacedField[], { order, required }: AddressFormat): readonly PlacedField[] {
  const parts = order.flatMap((part) => fields.filter(({ field }) => field.purpose === part));
  const others = fields.filter((placed) => !parts.includes(placed));
  return [...parts, ...others].map((placed) => {
    if (!isPartOf(required, placed.field)) return placed;
    const { optional: _, ...field } = placed.field;
    return { ...placed, field };
  });
}

function isPartOf(parts: ReadonlySet<string>, { purpose }: Field): boolean {
  return purpose !== undefined && parts.has(purpose);
}
