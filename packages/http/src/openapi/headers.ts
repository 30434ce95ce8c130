import type { JsonSchema } from './json-schema.ts';

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number | boolean;
}

const count: JsonSchema = { type: 'integer', minimum: 0 };

/** Every header of an answer, by name. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Names this request in the logs of the service. Always made by the service.',
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
    description: 'When the window ends: Unix time in seconds.',
    required: true,
    schema: count,
    example: 1767225660,
  },
  'Cache-Control': {
    description: 'Answers are not to be stored.',
    required: true,
    schema: { const: 'no-store' },
    example: 'no-store',
  },
  'X-Content-Type-Options': {
    description: 'The answer is JSON and nothing else.',
    required: true,
    schema: { const: 'nosniff' },
    example: 'nosniff',
  },
  'Retry-After': {
    description: 'Seconds after which a new try makes sense.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  Allow: {
    description: 'The methods that this path answers.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, POST',
  },
  Location: {
    description: 'The new verification, relative to the address of the request.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: 'verifications/01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602',
  },
  'Idempotent-Replayed': {
    description: 'Stands here when an earlier request with the same `Idempotency-Key` made the verification.',
    required: false,
    schema: { const: 'true' },
    example: 'true',
  },
};

const EVERYWHERE = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Cache-Control',
  'X-Content-Type-Options',
];

/** References to the headers of one answer: those of all answers, and its own. */
export function headersWith(...own: readonly string[]): JsonSchema {
  return Object.fromEntries(
    [...EVERYWHERE, ...own].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
