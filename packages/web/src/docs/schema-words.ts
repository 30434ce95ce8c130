import { type JsonSchema, nameIn } from './api-document.ts';

/** The type of a value in words, with the name of a component where it is one. */
export interface TypeWords {
  readonly before: string;
  /** The component of the document that describes it. */
  readonly component?: string;
}

/** Describes the type of a value; several of a choice. */
export function typesOf(schema: JsonSchema): readonly TypeWords[] {
  const component = nameIn(schema);
  if (component !== undefined) return [{ before: '', component }];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.items !== undefined) {
    return typesOf(schema.items).map(({ before, ...rest }) => ({ before: `array of ${before}`, ...rest }));
  }
  const { additionalProperties: values } = schema;
  if (typeof values === 'object') {
    return typesOf(values).map(({ before, ...rest }) => ({ before: `object of ${before}`, ...rest }));
  }
  if (schema.const !== undefined) return [{ before: JSON.stringify(schema.const) }];
  if (schema.type === undefined) return [{ before: 'any JSON value' }];
  return [{ before: schema.format === undefined ? schema.type : `${schema.type} (${schema.format})` }];
}

/** Lists the bounds of a value in words. Those of a choice or of the items of an array are included. */
export function boundsOf(schema: JsonSchema): readonly string[] {
  const { anyOf = [], items, pattern, default: standard } = schema;
  return [
    span(schema.minLength, schema.maxLength, 'characters'),
    span(schema.minItems, schema.maxItems, 'items'),
    span(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum === undefined ? null : `more than ${schema.exclusiveMinimum}`,
    pattern === undefined ? null : `matches \`${pattern}\``,
    standard === undefined
      ? null
      : `default \`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``,
    ...anyOf.flatMap(boundsOf),
    ...(items === undefined ? [] : boundsOf(items)),
  ].filter((words) => words !== null);
}

function span(least: number | undefined, most: number | undefined, unit: string): string | null {
  const words = rangeOf(least === 0 ? undefined : least, most);
  return words === null ? null : `${words} ${unit}`.trim();
}

function rangeOf(least: number | undefined, most: number | undefined): string | null {
  if (least !== undefined && most !== undefined) return least === most ? String(least) : `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? null : `at most ${most}`;
}

/** Lists the values that a text may have, also as an item of an array or in a choice. */
export function valuesOf({ enum: values, items, anyOf = [] }: JsonSchema): readonly unknown[] {
  if (values !== undefined) return values;
  return items === undefined ? anyOf.flatMap(valuesOf) : valuesOf(items);
}

/** Returns the object whose fields are listed below a value: itself, the items of an array, or one of a choice. */
export function fieldsBelow(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return fieldsBelow(schema.items);
  return schema.anyOf?.map(fieldsBelow).find((found) => found !== undefined);
}

/** Returns the description of a value, or of the items of an array. */
export function descriptionOf({ description, items }: JsonSchema): string | undefined {
  return description ?? items?.description;
}
