import { newVerificationSchema } from '@countersign/domain';
import { type JsonSchema, toJsonSchema } from './schemas.ts';

const METADATA_VALUE = '#/components/schemas/MetadataValue';

/**
 * A value in `metadata`, at any depth. `metadataIssues` of the domain refuses what this schema does.
 *
 * Generators of clients understand it as any JSON value. With a list of types, or with the schema in `items` and
 * `additionalProperties` of itself, those of Python and Go refuse the document and TypeScript refuses the type.
 */
export const metadataValueJsonSchema: JsonSchema = {
  description:
    'Any JSON value that every read can return unchanged. An integer beyond ±9007199254740991 (2^53 − 1) is refused, because many readers would change its digits: send it as text. Fractions are kept as IEEE 754 doubles, with up to 17 significant digits. Text must be well-formed Unicode without NUL. The key `__proto__` is refused.',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: '^[^\\u0000]*$',
  unevaluatedItems: { $ref: METADATA_VALUE },
  unevaluatedProperties: { $ref: METADATA_VALUE },
};

/**
 * Describes the body of a creation, from the schema that checks it. `metadata` is checked by a function, so its values are
 * described here. Its default is left out: generators of types make a field with a default required.
 */
export function newVerificationJsonSchema(): JsonSchema {
  const schema = toJsonSchema(newVerificationSchema, 'input');
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const { default: _, ...described } = properties.metadata ?? {};
  const metadata = { ...described, additionalProperties: { $ref: METADATA_VALUE } };
  return { ...schema, properties: { ...properties, metadata } };
}
