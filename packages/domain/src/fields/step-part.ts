import { type Issue, invalidParameters } from '../errors.ts';
import type { JsonObject } from '../input/json.ts';
import type { FieldList } from './field.ts';
import { below, isJsonObject, isWithin, valueAt, withValueAt } from './paths.ts';
import { fieldAt } from './placed-fields.ts';
import { schemaOfField } from './schema.ts';

/** A part of a step's answers. */
export interface StepPart {
  /** Paths of the fields: `firstName`, or within a group `document.number`. */
  readonly fields: readonly string[];
  /** Their values, placed as in the whole answers. A field that is left out is cleared. */
  readonly input: unknown;
}

/**
 * Returns the draft with the fields of the part set or cleared. Their values are normalised but not checked.
 * @throws CountersignError `INVALID_PARAMETERS` for a field that the step lacks, or a value outside the fields named
 */
export function mergedDraft(list: FieldList, draft: JsonObject, { fields, input }: StepPart): JsonObject {
  if (!isJsonObject(input)) throw invalidParameters([{ path: '', message: 'must be an object', code: 'invalid' }]);
  const unknown = fields.flatMap((path, index) => unknownField(list, path, index));
  const issues = [...unknown, ...strayFields(input, fields)];
  if (issues.length > 0) throw invalidParameters(issues);

  return fields.reduce<JsonObject>((next, path) => {
    const value = valueAt(input, path);
    const field = fieldAt(list, path);
    const parsed = field === null ? null : schemaOfField(field).safeParse(value);
    return withValueAt(next, path, parsed?.success ? (parsed.data as typeof value) : value);
  }, draft);
}

function unknownField(list: FieldList, path: string, index: number): Issue[] {
  const field = fieldAt(list, path);
  if (field !== null && field.by !== 'server') return [];
  return [{ path: `fields.${index}`, message: 'is not a field of this step', code: 'unknown_field' }];
}

/** Lists values in the input that lie outside the fields named. */
export function strayFields(input: JsonObject, fields: readonly string[], path = ''): Issue[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const here = below(path, key);
    if (fields.some((field) => isWithin(here, field))) return [];
    const leadsToField = fields.some((field) => isWithin(field, here));
    if (leadsToField && isJsonObject(value)) return strayFields(value, fields, here);
    return [{ path: here, message: 'is not among the fields', code: 'unknown_field' }];
  });
}
