import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSystemError, SettingError } from './errors.ts';

/** A shorter secret would weaken HMAC-SHA256 (RFC 2104, section 3). */
export const SECRET_KEY_BYTES = 32;

const EXPECTED = `expected secrets of at least ${SECRET_KEY_BYTES} bytes in base64 or hexadecimal, newest first, separated by commas`;

/**
 * Parses a key ring, whose entries are separated by commas or lines. An entry of hexadecimal digits only is hexadecimal, any other is base64 or base64url. Errors give
 * the position of an invalid entry and never quote it.
 * @param source named in errors: the variable or the file
 * @throws SettingError
 */
export function parseSecretKeys(source: string, text: string): Uint8Array[] {
  const entries = text.trim().split(/\s*[\n,]\s*/);
  const secrets = entries.map((entry, index) => {
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
  for (const [index, secret] of secrets.entries()) {
    const first = secrets.findIndex((other) => Buffer.compare(other, secret) === 0);
    if (first < index) {
      throw new SettingError(
        source,
        `entry ${index + 1} is the same secret as entry ${first + 1}: remove one of them`,
      );
    }
  }
  return secrets;
}

function decode(entry: string): Uint8Array | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(entry)) return Buffer.from(entry, 'hex');
  const bare = entry.replace(/={1,2}$/, '');
  if (!/^(?:[\w-]+|[A-Za-z0-9+/]+)$/.test(bare) || bare.length % 4 === 1) return undefined;
  return Buffer.from(bare, 'base64url');
}

/**
 * Parses names of secrets, as `doctor` and a start that is refused print them. Errors never quote an entry, which may be a secret.
 * @throws SettingError
 */
export function parseSecretNames(variable: string, text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  const wrong = entries.findIndex((entry) => !/^(?:[0-9a-f]{16}|\d{1,10})$/.test(entry));
  if (wrong === -1) return entries;
  throw new SettingError(
    variable,
    `entry ${wrong + 1} of ${entries.length} is not the name of a secret: expected names as doctor prints them, separated by commas`,
  );
}

/** Returns the file of the key ring in the data directory. */
export function secretKeysFileIn(dataDir: string): string {
  return join(dataDir, 'secret-keys');
}

/**
 * Returns the key ring in the data directory (mode 0600), and creates it on the first call. Of several processes that
 * call at once, one creates it and all return the same ring: the file gets its name only when it is complete.
 * @throws SettingError when the file holds no key ring
 */
export function secretKeysIn(dataDir: string): Uint8Array[] {
  const file = secretKeysFileIn(dataDir);
  return ringOf(file, read(file) ?? create(file));
}

/**
 * Returns the key ring in the data directory without creating it.
 * @returns undefined when there is none
 * @throws SettingError when the file holds no key ring
 */
export function keptSecretKeysIn(dataDir: string): Uint8Array[] | undefined {
  const file = secretKeysFileIn(dataDir);
  const text = read(file);
  return text === undefined ? undefined : ringOf(file, text);
}

function ringOf(file: string, text: string): Uint8Array[] {
  return parseSecretKeys(file, text);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function create(file: string): string {
  const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  write(partial, `${randomBytes(SECRET_KEY_BYTES).toString('base64url')}\n`);
  try {
    // Unlike a rename, a link never replaces a file that another process has created meanwhile.
    linkSync(partial, file);
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(partial);
  }
  syncDirectory(dirname(file));
  return readFileSync(file, 'utf8');
}

function write(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Flushes the directory: a key lost in a power failure would invalidate every link it signed. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
