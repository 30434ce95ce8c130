import { CountersignError } from '../errors.ts';
import type { Secrets } from '../runtime.ts';

/** A client's API key as it is stored: its hash. The value is shown once and never stored. */
export interface ApiKey {
  readonly id: string;
  readonly clientId: string;
  /** Where the key is used, for people; empty if it has no name. */
  readonly name: string;
  /** SHA-256 of the whole key in lower-case hexadecimal. */
  readonly hash: string;
  /** First and last characters, for display: `csk_ab12…cd34`. */
  readonly display: string;
  readonly permissions: readonly Permission[];
  /** Networks from which the key works, in canonical form (networks.ts); empty if it works from everywhere. */
  readonly networks: readonly string[];
  readonly createdAt: Date;
  /** The user who created it; null if the command line did. */
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** At most five minutes old. */
  readonly lastUsedAt: Date | null;
  /** The days before its end for which mails about it were queued last; null before the first. */
  readonly noticedDays: number | null;
}

/** How many keys of one client may be active: neither revoked nor expired (interface, Authentication 4). */
export const MAX_ACTIVE_KEYS = 10;

/** Lifetimes in days that a key may have (interface, Authentication 5). */
export const KEY_LIFETIMES_DAYS = [30, 90, 180, 365] as const;
/** Days after which a new key expires. */
export type KeyLifetimeDays = (typeof KEY_LIFETIMES_DAYS)[number];

/** The state of a key. A revoked key is `revoked`, even after it would have expired. */
export type ApiKeyState = 'active' | 'expired' | 'revoked';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A key with its state at the time of reading. */
export interface ListedKey extends ApiKey {
  readonly state: ApiKeyState;
  /** Days until it expires, rounded up; null if it never expires or is not active. */
  readonly expiresInDays: number | null;
}

/** Returns the key with its state at a time. */
export function listedKey(key: ApiKey, now: Date): ListedKey {
  const state = apiKeyState(key, now);
  const { expiresAt } = key;
  const expiresInDays =
    state === 'active' && expiresAt !== null ? Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS) : null;
  return { ...key, state, expiresInDays };
}

/** Returns when a key with this lifetime expires; null for a key without a lifetime. */
export function expiryOf(expiresInDays: KeyLifetimeDays | undefined, now: Date): Date | null {
  return expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * DAY_MS);
}

/** Returns the state of a key. A revoked key stays revoked after its expiry; a key expires exactly at `expiresAt`. */
export function apiKeyState(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Date): ApiKeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}

const RANDOM_BYTES = 32;
const FORMAT = /^csk_[0-9a-f]{64}$/;

/** Makes a key value: `csk_` and 64 lower-case hexadecimal characters. */
export function newKeyValue(secrets: Secrets): string {
  return `csk_${secrets.randomHex(RANDOM_BYTES)}`;
}

/** Whether a text has the format of a key. Any other text is refused without a look-up. */
export function isKeyFormat(presented: string): boolean {
  return FORMAT.test(presented);
}

/** Returns the first and last characters of a key value, for display. */
export function keyDisplay(value: string): string {
  return `${value.slice(0, 8)}…${value.slice(-4)}`;
}

/** Permissions of a key (interface, Authentication 3). `*` grants all. */
export const PERMISSIONS = ['verifications:create', 'verifications:read', '*'] as const;
/** What a key may do: one of `PERMISSIONS`. */
export type Permission = (typeof PERMISSIONS)[number];

/** Whether a key with these permissions may run an operation that needs one, or all (`*`). An empty list grants nothing. */
export function isPermitted(granted: readonly Permission[], needed: Permission): boolean {
  return granted.includes('*') || granted.includes(needed);
}

/** Requires a permission. @throws CountersignError `INSUFFICIENT_PERMISSIONS` */
export function requirePermission(granted: readonly Permission[], needed: Permission): void {
  if (isPermitted(granted, needed)) return;
  throw new CountersignError('INSUFFICIENT_PERMISSIONS');
}
