import { listQuerySchema } from '@countersign/domain';
import { VERIFICATION_ID } from './examples.ts';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';

export const idParameter: JsonSchema = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the verification.',
  schema: { type: 'string' },
  example: VERIFICATION_ID,
};

export const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same body gives the first answer again, and nothing is counted; so a request that got no answer can be sent again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  example: 'b7a3c1de-2f64-4f0e-9d0c-5a4f7f0f3f11',
};

/** The query of a list, one parameter for each field of its schema. */
export function listParameters(): JsonSchema[] {
  return Object.entries(listQuerySchema.shape).map(([name, field]) => {
    const { description, example, ...schema } = toJsonSchema(field, 'input');
    return { name, in: 'query', required: false, description, schema, example };
  });
}
