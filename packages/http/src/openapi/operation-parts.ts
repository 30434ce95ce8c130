import type { Permission } from '@countersign/domain';
import type { ApiErrorCode } from '../errors.ts';
import { VERIFICATION_ID } from './examples.ts';
import type { JsonSchema } from './schemas.ts';

/** Codes that any request may get. */
export const ANYWHERE: readonly ApiErrorCode[] = [
  'BAD_REQUEST',
  'INVALID_PARAMETERS',
  'REQUEST_TIMEOUT',
  'RATE_LIMIT_EXCEEDED',
  'REQUEST_HEADER_FIELDS_TOO_LARGE',
  'INTERNAL_ERROR',
];

/** Codes that any request with a key may get. */
export const WITH_KEY: readonly ApiErrorCode[] = [
  ...ANYWHERE,
  'API_KEY_REQUIRED',
  'INVALID_API_KEY',
  'API_KEY_EXPIRED',
  'API_KEY_REVOKED',
  'INSUFFICIENT_PERMISSIONS',
  'SERVICE_UNAVAILABLE',
];

/** The id in a path. */
export const idParameter: JsonSchema = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the verification.',
  schema: { type: 'string' },
  example: VERIFICATION_ID,
};

/** The sentence about the permission with which the description of an operation begins. */
export function needs(permission: Permission): string {
  return permission === '*' ? 'Needs the permission `*`.' : `Needs the permission \`${permission}\` (or \`*\`).`;
}
