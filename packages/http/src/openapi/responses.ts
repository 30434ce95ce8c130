import { STATUSES } from '@countersign/domain';
import type { ClientMode } from '@countersign/domain/clients';
import { z } from 'zod';
import { type ApiErrorCode, ERRORS, messageOf } from '../errors.ts';
import { FILE_POLICY } from '../responses.ts';
import { type JsonSchema, toJsonSchema } from './schemas.ts';

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number | boolean;
}

const count: JsonSchema = { type: 'integer', minimum: 0 };

/** All response headers, by name. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Identifies this request in the logs of the service. Always made by the service.',
    required: true,
    schema: { type: 'string' },
    example: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a601',
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the window of one minute.',
    required: true,
    schema: count,
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
    required: true,
    schema: count,
    example: 99,
  },
  'X-RateLimit-Reset': {
    description: 'End of the window: Unix time in seconds.',
    required: true,
    schema: count,
    example: 1767225660,
  },
  'X-Countersign-Mode': {
    description:
      'The mode of the API key. Present in every response to a request with a valid key, errors included. Data of test mode is for tests only.',
    required: false,
    schema: { type: 'string', enum: ['live', 'test'] satisfies ClientMode[] },
    example: 'test',
  },
  'Cache-Control': {
    description: 'Responses must not be stored.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  'X-Content-Type-Options': {
    description: 'The response must not be treated as another type than `Content-Type` says.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
    example: 'nosniff',
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  Allow: {
    description: 'The methods that this path supports.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, POST',
  },
  Location: {
    description: 'The new verification, relative to the URL of the request.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: 'verifications/01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602',
  },
  'Idempotent-Replayed': {
    description: 'Present when an earlier request with the same `Idempotency-Key` created the verification.',
    required: false,
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Content-Length': {
    description: 'Size of the file in bytes.',
    required: true,
    schema: count,
    example: 248_113,
  },
  'Content-Disposition': {
    description: 'A plain name to save the file under.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="document_front.jpg"',
  },
  'Content-Security-Policy': {
    description: 'A browser runs nothing in the file.',
    required: true,
    schema: { type: 'string', const: FILE_POLICY },
    example: FILE_POLICY,
  },
  Vary: {
    description: 'The response is compressed if the request accepts it.',
    required: true,
    schema: { type: 'string', const: 'Accept-Encoding' },
    example: 'Accept-Encoding',
  },
  'Content-Encoding': {
    description: 'Present when the response is compressed.',
    required: false,
    schema: { type: 'string', enum: ['br', 'gzip'] },
    example: 'br',
  },
};

const ON_EVERY_RESPONSE = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Countersign-Mode',
  'Cache-Control',
  'X-Content-Type-Options',
];

/** References to the headers of one response: those of every response, and its own. */
function headersWith(own: readonly string[]): JsonSchema {
  const names = [...ON_EVERY_RESPONSE, ...own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const issuesData = z.strictObject({
  issues: z
    .array(
      z.strictObject({
        path: z.string().meta({
          description: 'The field, such as `metadata.a.0`, or the name of a parameter; empty for the whole body.',
        }),
        message: z.string().meta({ description: 'What is wrong with it, to be read after its name.' }),
      }),
    )
    .min(1),
});
const duplicateData = z.strictObject({ verificationId: z.string(), status: z.enum(STATUSES) });
const statusData = z.strictObject({ status: z.enum(STATUSES) });
const hintData = z.strictObject({ hint: z.string().meta({ description: 'How to send the request instead.' }) });

/** Describes the errors of an operation: one response for each status, with each code as an example. */
export function describeErrors(codes: readonly ApiErrorCode[]): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(codes, (code) => String(ERRORS[code].status));
  return Object.fromEntries([...byStatus].map(([status, sharing]) => [status, describeError(sharing)]));
}

/** Describes the response of a code that no operation gets. Those of operations have their status as a key. */
export function describeErrorWithStatus(code: ApiErrorCode): JsonSchema {
  return { ...describeError([code]), 'x-status': ERRORS[code].status };
}

/** Describes the response of codes that share a status. */
function describeError(codes: readonly ApiErrorCode[]): JsonSchema {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: headersWith(codes.flatMap(ownHeaders)),
    content: {
      'application/json': { schema: errorSchema(codes), examples: Object.fromEntries(codes.flatMap(examplesOf)) },
    },
  };
}

/** Describes the response to a success, with its data in the envelope. */
export function describeSuccess(
  description: string,
  { data, headers = [], examples }: { data: JsonSchema; headers?: readonly string[]; examples: JsonSchema },
): JsonSchema {
  return {
    description,
    headers: headersWith(headers),
    content: { 'application/json': { schema: data, examples } },
  };
}

/** Describes the response of a file, by its types. */
export function describeFile(
  description: string,
  types: readonly string[],
  headers: readonly string[] = [],
): JsonSchema {
  return {
    description,
    headers: headersWith(['Content-Disposition', 'Content-Security-Policy', ...headers]),
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  };
}

/** Describes the success envelope around a reference to its data. */
export function successEnvelope(name: string, options: { message: boolean } = { message: false }): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true },
      data: { $ref: `#/components/schemas/${name}` },
      ...(options.message ? { message: { type: 'string' } } : {}),
    },
    required: ['success', 'data', ...(options.message ? ['message'] : [])],
    additionalProperties: false,
  };
}

/** Named examples of a code: one, or one without and one with data where data is optional. */
function examplesOf(code: ApiErrorCode): [name: string, example: JsonSchema][] {
  const { meaning, exampleValues, exampleData: data, dataOptional } = ERRORS[code];
  const plain = { success: false, error: messageOf(code, { values: exampleValues }), code };
  const example = (value: object): JsonSchema => ({ summary: meaning, value });
  if (data === undefined) return [[code, example(plain)]];
  const withData: [string, JsonSchema] = [code, example({ ...plain, data })];
  return dataOptional ? [[`${code} without data`, example(plain)], withData] : [withData];
}

const errorSchemas = new Map<string, JsonSchema>();

/** Returns the schema of codes that share a status, made once: most operations have the same codes for a status. */
function errorSchema(codes: readonly ApiErrorCode[]): JsonSchema {
  const key = codes.join();
  const schema = errorSchemas.get(key) ?? createErrorSchema(codes);
  errorSchemas.set(key, schema);
  return schema;
}

function createErrorSchema(codes: readonly ApiErrorCode[]): JsonSchema {
  const byData = [...Map.groupBy(codes, dataSchemaOf)].map(([data, sharing]) => {
    const shape = { success: z.literal(false), error: z.string(), code: z.enum(sharing) };
    return z.strictObject(data === null ? shape : { ...shape, data });
  });
  return toJsonSchema(byData.length === 1 ? (byData[0] as z.ZodType) : z.union(byData), 'output');
}

const optionalHint = hintData.optional();

function dataSchemaOf(code: ApiErrorCode): z.ZodType | null {
  const { exampleData } = ERRORS[code];
  if (exampleData === undefined) return null;
  if (exampleData.hint !== undefined) return optionalHint;
  if (exampleData.issues !== undefined) return issuesData;
  return exampleData.verificationId === undefined ? statusData : duplicateData;
}

function ownHeaders(code: ApiErrorCode): string[] {
  if (code === 'METHOD_NOT_ALLOWED') return ['Allow'];
  return ERRORS[code].retryAfterSeconds === undefined ? [] : ['Retry-After'];
}
