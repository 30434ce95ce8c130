import { hash } from 'node:crypto';

/**
 * Session lifetimes: 12 hours in total, one hour without use. NIST SP 800-63B-4, section 2.2.3, recommends at most 24
 * hours and 1 hour for users who read personal data.
 */
export const SESSION_SECONDS: number = 12 * 60 * 60;
export const IDLE_MS: number = 60 * 60 * 1_000;

/** Minimum time between two updates of a session's last use. */
export const SEEN_EVERY_MS: number = 5 * 60 * 1_000;

/** Hashes a random token of at least 128 bits for storage, so that a copy of the database opens no session. */
export function hashOfToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
