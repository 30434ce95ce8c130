import type { JsonObject, JsonValue } from '@countersign/domain';
import { dateIn } from '../../forms/date-field.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { withValueAt } from '../value-at.ts';
import type { FieldSpec, RowsSpec } from './field-spec.ts';

/** What the fields of a page were filled in with, placed as in the answers. Empty fields are left out. */
export function readFields(fields: readonly FieldSpec[], values: FormValues): JsonObject {
  return fields.reduce<JsonObject>((answers, field) => withField(answers, field, values), {});
}

function withField(answers: JsonObject, field: FieldSpec, values: FormValues): JsonObject {
  if (field.as !== 'other_address') return withValueAt(answers, field.name, typedValue(field, field.name, values));
  if (values.text(sameOrOther(field.name)) !== 'other') return answers;
  return field.fields.reduce<JsonObject>((so, part) => withField(so, part, values), answers);
}

/** The field that asks whether an address is the same or another one. */
export function sameOrOther(name: string): string {
  return `${name}-choice`;
}

function typedValue(
  field: Exclude<FieldSpec, { as: 'other_address' }>,
  name: string,
  values: FormValues,
): JsonValue | undefined {
  switch (field.as) {
    case 'date':
      return dateIn(values, name);
    case 'countries': {
      const countries = rowNames(name, values).map((row) => values.text(row));
      return countries.filter((country) => country !== '');
    }
    case 'lines':
      return linesOf(values.text(name));
    case 'statement':
      return values.text(name) === 'true' ? true : undefined;
    case 'percent':
      return percentOf(values.text(name));
    case 'rows':
      return rowsOf(field, values);
    default:
      return plain(field.as, values.text(name)) || undefined;
  }
}

function rowsOf(field: RowsSpec, values: FormValues): JsonValue | undefined {
  const rows = rowNames(field.name, values)
    .map((row) =>
      field.fields.reduce<JsonObject>(
        (person, part) => withValueAt(person, part.name, typedValue(part, `${row}.${part.name}`, values)),
        {},
      ),
    )
    .filter((person) => Object.keys(person).length > 0);
  return rows.length === 0 ? undefined : rows;
}

function rowNames(name: string, values: FormValues): string[] {
  return Array.from({ length: values.rows(name) }, (_, index) => `${name}.${index}`);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** `33,3 %` as 33.3; what is no number stays text, so that it is refused as what was typed. */
function percentOf(text: string): JsonValue | undefined {
  const typed = text.replace(/\s*%$/, '').replace(',', '.');
  if (typed === '') return undefined;
  return /^\d{1,9}(\.\d{1,9})?$/.test(typed) ? Number(typed) : text;
}

/** As people write it, in the form that is kept. */
function plain(as: string, text: string): string {
  if (as === 'phone') return text.replace(/[\s()/.-]/g, '').replace(/^00/, '+');
  if (as === 'code') return text.replace(/\s+/g, ' ');
  if (as === 'website' && text !== '' && !/^[a-z]+:/i.test(text)) return `https://${text}`;
  return text;
}
