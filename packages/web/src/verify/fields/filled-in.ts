import type { JsonObject } from '@countersign/domain';
import { createFormValues, type FormValues, valuesOfAnswers } from '../../forms/form-values.ts';
import { valueAt } from '../value-at.ts';
import type { FieldSpec } from './field-spec.ts';
import { sameOrOther } from './read-field.ts';

const DATES: readonly string[] = ['dateOfBirth', 'expiresOn', 'incorporatedOn'];

/** What the fields of a page show when answers were given before. `answered`: whether the page itself was. */
export function filledIn(fields: readonly FieldSpec[], answers: JsonObject, answered: boolean): FormValues {
  const values = valuesOfAnswers(answers, DATES);
  const entries: [string, string][] = values.names.flatMap((name) =>
    values.all(name).map((value): [string, string] => [name, value]),
  );
  for (const field of fields) {
    const value = valueAt(answers, field.name);
    if (field.as === 'countries' && Array.isArray(value)) {
      entries.push(
        ...value.map((country, index): [string, string] => [`${field.name}.${index}`, String(country)]),
      );
    }
    if (field.as === 'lines' && Array.isArray(value)) entries.unshift([field.name, value.join('\n')]);
    if (field.as === 'other_address' && (answered || value !== undefined)) {
      entries.push([sameOrOther(field.name), value === undefined ? 'same' : 'other']);
    }
  }
  return createFormValues(entries);
}
