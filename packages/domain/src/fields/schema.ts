import { z } from 'zod';
import type { JsonObject } from '../input/json.ts';
import { characterCount, isPlainLine, isStorableText } from '../input/text.ts';
import { isConditional } from './conditions.ts';
import { isCountryCode } from './countries.ts';
import type { DateField, Field, FieldList, Fields, ListField, NumberField, TextCheck } from './field.ts';
import { lazily } from './lazily.ts';

/** Returns the schema of an input with these fields, bounds included. `server` fields are not part of it. */
export function schemaOf(fields: FieldList): z.ZodType<JsonObject> {
  const given = Object.entries(fields).filter(([, field]) => field.by !== 'server');
  return answersSchemaOf(Object.fromEntries(given));
}

/** Returns a function that makes `schemaOf(fields)` on its first call, with the type that the fields were checked against. */
export function typedSchemaOf<A>(fields: Fields<NoInfer<A>>): () => z.ZodType<A> {
  return lazily(() => schemaOf(fields as unknown as FieldList) as unknown as z.ZodType<A>);
}

/** Returns the schema of accepted answers, bounds and `server` fields included. */
export function answersSchemaOf(fields: FieldList): z.ZodType<JsonObject> {
  return z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOfField(field)])),
  ) as unknown as z.ZodType<JsonObject>;
}

/** Returns the schema of one field. A field with a condition may be left out: `requiredByConditions` decides. */
export function schemaOfField(field: Field): z.ZodType {
  const bounded = boundedSchema(field);
  const schema = field.optional === true || isConditional(field) ? bounded.optional() : bounded;
  return field.description === undefined ? schema : schema.meta({ description: field.description });
}

/**
 * Returns the schema of stored answers: kinds without bounds, every field optional, unknown keys kept. A bound that was
 * tightened later never makes stored answers unreadable.
 */
export function storedSchemaOf(fields: FieldList): z.ZodType<JsonObject> {
  return z.looseObject(
    Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, storedSchema(field).optional()])),
  ) as unknown as z.ZodType<JsonObject>;
}

/** Text of any script, trimmed, its length counted in Unicode characters. */
export function text(max: number): z.ZodType<string> {
  return z
    .string()
    .trim()
    .min(1)
    .refine((value) => characterCount(value) <= max, {
      error: `must have at most ${max} characters`,
      params: { code: 'too_long', limit: max },
    })
    .refine(isStorableText, { error: 'must be plain text', params: { code: 'not_plain_text' } })
    .meta({ maxLength: max });
}

function label(max: number): z.ZodType<string> {
  const params = { code: 'not_plain_text' };
  return text(max).refine(isPlainLine, { error: 'must be one line of plain text', params });
}

function checkedText({ test, code, message }: TextCheck): z.ZodType<string> {
  return z
    .string()
    .trim()
    .refine(test, { error: message, params: { code } })
    .meta({ description: `Text that ${message}.` });
}

/** Characters of an id. */
export const ID_MAX = 100;
/** Longest e-mail address, in characters (RFC 5321). */
export const EMAIL_MAX = 254;
/** One plain e-mail address in ASCII: no display name, list, comment, quotes, space or line break. */
export const emailSchema: z.ZodType<string> = z.email().max(EMAIL_MAX);
const WEBSITE_MAX = 500;
/** The first day that every database can store. */
export const FIRST_DAY = '1970-01-01';
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

const id = z.string().min(1).max(ID_MAX);
const country = z
  .string()
  .refine(isCountryCode, {
    error: 'must be an ISO 3166-1 alpha-2 country code',
    params: { code: 'not_a_country' },
  })
  .meta({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code.' });

function boundedSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
      if (field.check !== undefined) return checkedText(field.check);
      return field.shape === 'label' ? label(field.max) : text(field.max);
    case 'email':
      return emailSchema;
    case 'phone':
      return z.e164();
    case 'website':
      return z.url({ protocol: /^https?$/ }).max(WEBSITE_MAX);
    case 'language':
      return z.string().regex(LANGUAGE, 'must be a BCP 47 language tag');
    case 'timestamp':
      return z.iso
        .datetime({ abort: true })
        .refine((text) => text >= FIRST_DAY, `must not be before ${FIRST_DAY}`);
    case 'id':
    case 'file':
      return id;
    case 'date':
      return dateSchema(field);
    case 'country':
      return country;
    case 'choice':
      return z.literal([...field.of]);
    case 'number':
      return numberSchema(field);
    case 'statement':
      return z.literal(true);
    case 'flag':
      return z.boolean();
    case 'list':
      return listSchema(field);
    case 'rows':
      return z
        .array(schemaOf(field.fields))
        .min(field.min ?? 0)
        .max(field.max);
    case 'group':
      return schemaOf(field.fields);
    default:
      return field satisfies never;
  }
}

function dateSchema({ notBefore }: DateField): z.ZodType<string> {
  if (notBefore === undefined) return z.iso.date();
  const params = { code: 'too_early', limit: Number(notBefore.slice(0, 'YYYY'.length)) };
  return z.iso
    .date({ abort: true })
    .refine((day) => day >= notBefore, { error: `must not be before ${notBefore}`, params });
}

/** Choices are distinct. This is checked before the length, so that a repeated choice is not reported as too many. */
function listSchema({ each, min = 0, max }: ListField): z.ZodType {
  const items = z.array(boundedSchema(each));
  const distinct = each.kind === 'choice' ? items.refine(isDistinct, NOT_DISTINCT) : items;
  return distinct.min(min).max(max);
}

const NOT_DISTINCT = { error: 'must list each value once', params: { code: 'invalid' }, abort: true };

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function numberSchema({ above, min, max, integer }: NumberField): z.ZodType<number> {
  let schema = integer === true ? z.int() : z.number();
  if (above !== undefined) schema = schema.gt(above);
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return schema;
}

/** A stored time, in ISO 8601 of any precision. Pages format it, so that any other text would fail them. */
export const storedTime: z.ZodType<string> = z.iso.datetime({ offset: true });

function storedSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
    case 'email':
    case 'phone':
    case 'website':
    case 'language':
    case 'id':
    case 'file':
    case 'date':
    case 'country':
      return z.string();
    case 'timestamp':
      return storedTime;
    case 'choice':
      return z.union([z.string(), z.number()]);
    case 'number':
      return z.number();
    case 'statement':
    case 'flag':
      return z.boolean();
    case 'list':
      return z.array(storedSchema(field.each));
    case 'rows':
      return z.array(storedSchemaOf(field.fields));
    case 'group':
      return storedSchemaOf(field.fields);
    default:
      return field satisfies never;
  }
}
