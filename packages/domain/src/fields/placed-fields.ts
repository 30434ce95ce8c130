import type { EvidenceKind } from '../evidence/evidence-file.ts';
import type { JsonObject, JsonValue } from '../input/json.ts';
import type { Field, FieldList } from './field.ts';
import { below, isJsonObject } from './paths.ts';

/** A field and its place in the answers of its step. */
export interface PlacedField {
  /** `firstName`, `document.number`; a field of a row without the row's index: `directors.firstName`. */
  readonly path: string;
  readonly key: string;
  readonly field: Field;
}

/** Lists every field in order, each followed by the fields within it. */
export function placedFields(fields: FieldList, path = ''): PlacedField[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const here = below(path, key);
    return [{ path: here, key, field }, ...('fields' in field ? placedFields(field.fields, here) : [])];
  });
}

/** Returns the field at a path through groups, such as `document.number`, or null. Rows are one field. */
export function fieldAt(fields: FieldList, path: string): Field | null {
  const [key = '', ...rest] = path.split('.');
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (field === undefined) return null;
  if (rest.length === 0) return field;
  return field.kind === 'group' ? fieldAt(field.fields, rest.join('.')) : null;
}

/** A field of a step that names an uploaded file. */
export interface Place {
  /** Where the answers name the file: `document.frontFileId`. */
  readonly path: string;
  readonly evidence: EvidenceKind;
  readonly optional: boolean;
}

/** Lists the files that a step takes, in order. */
export function placesOf(fields: FieldList): Place[] {
  return placedFields(fields).flatMap(({ path, field }) =>
    field.kind === 'file' ? [{ path, evidence: field.evidence, optional: field.optional === true }] : [],
  );
}

/**
 * Lists the keys under which a field's texts are looked up, the most specific first: `person.placeOfBirth.city`,
 * `placeOfBirth.city`, `city`.
 * @param path a path as in `PlacedField`, or with indexes of rows, which are left out
 */
export function textKeysOf(step: string, path: string): readonly string[] {
  const names = [step, ...path.split('.').filter((part) => !/^\d+$/.test(part))];
  return names.map((_, index) => names.slice(index).join('.'));
}

/** One line of a review: an answer and its field, or null for an answer that no field describes. */
export interface Row {
  /** Where the answer stands: `placeOfBirth.city`, `directors.0.firstName`. */
  readonly path: string;
  readonly field: Field | null;
  readonly value: JsonValue;
}

/** Lists all answers in the order of the fields, whatever order a database returned; unknown ones come last. */
export function rowsOf(fields: FieldList, answers: JsonObject, path = ''): Row[] {
  const known = Object.keys(fields).filter((key) => Object.hasOwn(answers, key));
  const unknown = Object.keys(answers).filter((key) => !Object.hasOwn(fields, key));
  return [...known, ...unknown].flatMap((key) =>
    rowsOfValue(fields[key] ?? null, answers[key] ?? null, below(path, key)),
  );
}

function rowsOfValue(field: Field | null, value: JsonValue, path: string): Row[] {
  const within = field !== null && 'fields' in field ? field.fields : {};
  if (isJsonObject(value)) return rowsOf(within, value, path);
  if (Array.isArray(value) && value.some(isJsonObject)) {
    return value.flatMap((entry: JsonValue, index) =>
      isJsonObject(entry)
        ? rowsOf(within, entry, below(path, index))
        : [{ path: below(path, index), field: null, value: entry }],
    );
  }
  return [{ path, field, value }];
}
