import { hash } from 'node:crypto';

/** Hashes a random token of at least 128 bits for storage, so that a copy of the database opens no session. */
export function hashOfToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
