import type { Issue } from '../errors.ts';
import type { JsonObject, JsonValue } from '../input/json.ts';
import type { Field, FieldList } from './field.ts';
import { below, isJsonObject } from './paths.ts';

/** Whether a field is asked, given the answers of its siblings. */
export function isAsked({ when }: Field, siblings: JsonObject): boolean {
  return Object.entries(when ?? {}).every(([key, values]) => values.includes(siblings[key] ?? null));
}

/** Returns the answers without the fields that other answers make pointless, such as the back of a passport. */
export function withoutUnasked(fields: FieldList, answers: JsonObject): JsonObject {
  const kept = Object.entries(answers).flatMap(([key, value]): [string, JsonValue][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return [[key, value]];
    return isAsked(field, answers) ? [[key, withoutUnaskedParts(field, value)]] : [];
  });
  return Object.fromEntries(kept);
}

function withoutUnaskedParts(field: Field, value: JsonValue): JsonValue {
  if (field.kind === 'group' && isJsonObject(value)) return withoutUnasked(field.fields, value);
  if (field.kind !== 'rows' || !Array.isArray(value)) return value;
  return value.map((row: JsonValue) => (isJsonObject(row) ? withoutUnasked(field.fields, row) : row));
}

/** Returns a `required` issue for each field that its condition asks for and that has no answer. */
export function requiredByWhen(fields: FieldList, answers: JsonObject, path = ''): Issue[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const here = below(path, key);
    const value = answers[key];
    if (value !== undefined) return requiredWithin(field, value, here);
    if (field.when === undefined || field.optional === true || !isAsked(field, answers)) return [];
    return [{ path: here, message: 'is required here', code: 'required' } satisfies Issue];
  });
}

function requiredWithin(field: Field, value: JsonValue, path: string): Issue[] {
  if (field.kind === 'group' && isJsonObject(value)) return requiredByWhen(field.fields, value, path);
  if (field.kind !== 'rows' || !Array.isArray(value)) return [];
  return value.flatMap((row: JsonValue, index) =>
    isJsonObject(row) ? requiredByWhen(field.fields, row, below(path, index)) : [],
  );
}
