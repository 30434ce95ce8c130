import type { Secrets } from '../runtime/secrets.ts';
import type { Permission } from './permission.ts';

/** A client's key as it is stored. The key itself is shown once and kept nowhere; only its hash is. */
export interface ApiKey {
  readonly id: string;
  readonly clientId: string;
  /** For people: where the key is used. Empty when not given. */
  readonly name: string;
  /** SHA-256 of the whole key in lower-case hexadecimal. */
  readonly hash: string;
  /** First and last characters, for display: `csk_ab12…cd34`. */
  readonly display: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: Date;
  /** The user who made it; null for one from the command line. */
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Exact to five minutes. */
  readonly lastUsedAt: Date | null;
}

/** Keys of one client that are neither revoked nor expired (interface, Authentication 4). */
export const MAX_ACTIVE_KEYS = 10;

/** Days after which a key may be set to expire (interface, Authentication 5). */
export const KEY_LIFETIMES_DAYS = [30, 90, 180, 365] as const;
export type KeyLifetimeDays = (typeof KEY_LIFETIMES_DAYS)[number];

export type ApiKeyState = 'active' | 'expired' | 'revoked';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A key as lists show it, with its state at the moment of reading. */
export interface ListedKey extends ApiKey {
  readonly state: ApiKeyState;
  /** Full days until it expires, rounded up; null if it never expires or no longer works. */
  readonly expiresInDays: number | null;
}

/** Adds the key's present state. */
export function listedKey(key: ApiKey, now: Date): ListedKey {
  const state = apiKeyState(key, now);
  const { expiresAt } = key;
  const expiresInDays =
    state === 'active' && expiresAt !== null ? Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS) : null;
  return { ...key, state, expiresInDays };
}

/** The moment at which a key with this lifetime expires; null for a key without one. */
export function expiryOf(expiresInDays: KeyLifetimeDays | undefined, now: Date): Date | null {
  return expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * DAY_MS);
}

/** Revocation is final and outweighs expiry. A key expires exactly at `expiresAt`. */
export function apiKeyState(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Date): ApiKeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

const RANDOM_BYTES = 32;
const FORMAT = /^csk_[0-9a-f]{64}$/;

/** A new key value: `csk_` and 64 lower-case hexadecimal characters. */
export function newKeyValue(secrets: Secrets): string {
  return `csk_${secrets.randomHex(RANDOM_BYTES)}`;
}

/** Whether a presented text can be a key at all, so that anything else is refused without a look-up. */
export function isKeyFormat(presented: string): boolean {
  return FORMAT.test(presented);
}

/** What may be shown of a key once its value is gone. */
export function keyDisplay(value: string): string {
  return `${value.slice(0, 8)}…${value.slice(-4)}`;
}
