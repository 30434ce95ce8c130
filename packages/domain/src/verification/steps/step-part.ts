import { z } from 'zod';
import { type Issue, invalidParameters } from '../../errors.ts';
import { valueAt } from '../../parse.ts';
import { below, isWithin } from './partly.ts';

/** A part of a step's answers. */
export interface StepPart {
  /** Which fields: `firstName`, or of an object within, `document.number`. */
  readonly fields: readonly string[];
  /** Their values, placed as in the whole answers; a field that is left out is cleared. */
  readonly input: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The draft with the fields of the part set or cleared, not checked yet.
 * @throws CountersignError `INVALID_PARAMETERS` where the step has no such field, or the input has more than its fields
 */
export function mergedDraft(schema: z.ZodType, draft: Fields, { fields, input }: StepPart): Fields {
  if (!isFields(input)) throw invalidParameters([{ path: '', message: 'must be an object', code: 'invalid' }]);
  const unknown = fields.flatMap((field, index) => unknownField(schema, field, index));
  const issues = [...unknown, ...strayFields(input, fields)];
  if (issues.length > 0) throw invalidParameters(issues);

  return fields.reduce<Fields>((next, field) => {
    const keys = field.split('.');
    const value = valueAt(input, keys);
    const { data = value } = schemaAt(schema, keys)?.safeParse(value) ?? {};
    return withValue(next, keys, data);
  }, draft);
}

/** The schema of a field of objects within objects, or null where there is none. */
function schemaAt(schema: z.ZodType, [key, ...rest]: readonly string[]): z.ZodType | null {
  if (key === undefined) return schema;
  const object = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(object instanceof z.ZodObject) || !Object.hasOwn(object.shape, key)) return null;
  return schemaAt(object.shape[key] as z.ZodType, rest);
}

function unknownField(schema: z.ZodType, field: string, index: number): Issue[] {
  if (schemaAt(schema, field.split('.')) !== null) return [];
  return [{ path: `fields.${index}`, message: 'is not a field of this step', code: 'unknown_field' }];
}

/** What the input holds beside the fields named. */
function strayFields(input: Fields, fields: readonly string[], path = ''): Issue[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const here = below(path, key);
    if (fields.some((field) => isWithin(here, field))) return [];
    const leadsToField = fields.some((field) => isWithin(field, here));
    if (leadsToField && isFields(value)) return strayFields(value, fields, here);
    return [{ path: here, message: 'is not among the fields', code: 'unknown_field' }];
  });
}

function withValue(object: Fields, [key = '', ...rest]: readonly string[], value: unknown): Fields {
  if (rest.length > 0) {
    const child = object[key];
    return { ...object, [key]: withValue(isFields(child) ? child : {}, rest, value) };
  }
  const { [key]: _, ...others } = object;
  return value === undefined ? others : { ...others, [key]: value };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
