import { CountersignError } from '../errors.ts';

/** What a key may do (interface, Authentication 3). `*` grants all. */
export const PERMISSIONS = ['verifications:create', 'verifications:read', '*'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A permission that an operation can ask for. */
export type NeededPermission = Exclude<Permission, '*'>;

/**
 * Fails closed: nothing granted means nothing allowed.
 * @throws CountersignError `INSUFFICIENT_PERMISSIONS`
 */
export function requirePermission(granted: readonly Permission[], needed: NeededPermission): void {
  if (granted.includes('*') || granted.includes(needed)) return;
  throw new CountersignError('INSUFFICIENT_PERMISSIONS', 'Insufficient permissions');
}
