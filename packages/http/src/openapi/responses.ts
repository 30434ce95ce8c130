import { STATUSES } from '@countersign/domain';
import { z } from 'zod';
import { ERROR_STATUS } from '../errors.ts';
import { type DocumentedError, ERRORS } from './error-catalogue.ts';
import { headersWith } from './headers.ts';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';

const issueData = z.strictObject({
  issues: z
    .array(
      z.strictObject({
        path: z
          .string()
          .meta({ description: 'Where: `metadata.a.0`, or the name of a parameter; empty for the whole.' }),
        message: z.string().meta({ description: 'What is wrong with it.' }),
      }),
    )
    .min(1),
});
const standingData = z.strictObject({ verificationId: z.string(), status: z.enum(STATUSES) });

/** The errors of an operation as OpenAPI responses, one for each status, with every code as an example. */
export function errorResponses(codes: readonly DocumentedError[]): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(codes, (code) => String(ERROR_STATUS[code]));
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, errorResponse(codes)]));
}

/** Codes that share a status. */
export function errorResponse(codes: readonly DocumentedError[]): JsonSchema {
  const examples: Record<string, JsonSchema> = {};
  for (const code of codes) {
    const { meaning, error, data } = ERRORS[code];
    examples[code] = { summary: meaning, value: { success: false, error, code, ...(data && { data }) } };
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: headersWith(...codes.flatMap(ownHeaders)),
    content: { 'application/json': { schema: errorSchema(codes), examples } },
  };
}

/** A success with its data in the envelope. */
export function successResponse(
  description: string,
  { data, headers = [], examples }: { data: JsonSchema; headers?: readonly string[]; examples: JsonSchema },
): JsonSchema {
  return {
    description,
    headers: headersWith(...headers),
    content: { 'application/json': { schema: data, examples } },
  };
}

/** The envelope of a success, around a reference to its data. */
export function successEnvelope(name: string, options: { message: boolean } = { message: false }): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: { const: true },
      data: { $ref: `#/components/schemas/${name}` },
      ...(options.message ? { message: { type: 'string' } } : {}),
    },
    required: ['success', 'data', ...(options.message ? ['message'] : [])],
    additionalProperties: false,
  };
}

function errorSchema(codes: readonly DocumentedError[]): JsonSchema {
  const byData = [...Map.groupBy(codes, dataOf)].map(([data, codes]) => {
    const shape = { success: z.literal(false), error: z.string(), code: z.enum(codes) };
    return z.strictObject(data === null ? shape : { ...shape, data });
  });
  return toJsonSchema(byData.length === 1 ? (byData[0] as z.ZodType) : z.union(byData), 'output');
}

function dataOf(code: DocumentedError): z.ZodType | null {
  const { data } = ERRORS[code];
  if (data === undefined) return null;
  return data.issues === undefined ? standingData : issueData;
}

function ownHeaders(code: DocumentedError): string[] {
  if (code === 'METHOD_NOT_ALLOWED') return ['Allow'];
  return code === 'RATE_LIMIT_EXCEEDED' || code === 'SERVICE_UNAVAILABLE' ? ['Retry-After'] : [];
}
