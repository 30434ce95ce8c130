import { hash } from 'node:crypto';

/** As which a random token of at least 128 bits is kept: whoever reads the database can use none. */
export function hashOfToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
