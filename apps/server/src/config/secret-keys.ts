import { SettingError } from './setting-error.ts';

/** A shorter secret would weaken HMAC-SHA256 (RFC 2104, section 3). */
export const SECRET_KEY_BYTES = 32;

const EXPECTED = `expected secrets of at least ${SECRET_KEY_BYTES} bytes in base64 or hexadecimal, newest first, separated by commas`;

/**
 * A key ring from its text. What consists of hexadecimal digits only is read as such, anything else as base64 or
 * base64url. Messages tell the place of a bad entry and never quote it.
 * @param source what is to blame: the variable, or the file
 * @throws SettingError
 */
export function parseSecretKeys(source: string, text: string): Uint8Array[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.map((entry, index) => {
    const entryIs = entries.length === 1 ? 'is' : `entry ${index + 1} of ${entries.length} is`;
    if (entry === '') throw new SettingError(source, `${entryIs} empty: ${EXPECTED}`);
    const secret = decode(entry);
    if (secret === undefined) {
      throw new SettingError(source, `${entryIs} neither base64 nor hexadecimal: ${EXPECTED}`);
    }
    if (secret.byteLength < SECRET_KEY_BYTES) {
      throw new SettingError(source, `${entryIs} too short, ${secret.byteLength} bytes: ${EXPECTED}`);
    }
    return secret;
  });
}

function decode(entry: string): Uint8Array | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(entry)) return Buffer.from(entry, 'hex');
  const bare = entry.replace(/={1,2}$/, '');
  if (!/^(?:[\w-]+|[A-Za-z0-9+/]+)$/.test(bare) || bare.length % 4 === 1) return undefined;
  return Buffer.from(bare, 'base64url');
}
