import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSecretKeys, SECRET_KEY_BYTES } from './secret-keys.ts';
import { isSystemError } from './system-error.ts';

const FILE = 'secret-keys';

/**
 * The key ring kept in the data directory (mode 0600), made on the first call. Of any number of processes that call
 * at once one makes it, and all get the same: the file appears under its name only when it is complete.
 * @throws SettingError when the file holds something else
 */
export function secretKeysIn(dataDir: string): Uint8Array[] {
  const file = join(dataDir, FILE);
  return ringOf(file, read(file) ?? create(file));
}

/**
 * The same, for whoever must not make one: undefined where none is kept.
 * @throws SettingError when the file holds something else
 */
export function keptSecretKeysIn(dataDir: string): Uint8Array[] | undefined {
  const file = join(dataDir, FILE);
  const text = read(file);
  return text === undefined ? undefined : ringOf(file, text);
}

function ringOf(file: string, text: string): Uint8Array[] {
  return parseSecretKeys(file, text.trim().replaceAll(/\s*[\n,]\s*/g, ','));
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function create(file: string): string {
  const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  write(partial, `${randomBytes(SECRET_KEY_BYTES).toString('base64url')}\n`);
  try {
    // Unlike a rename, a link never replaces what another process has put there meanwhile.
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

/** A key that vanished with the power would take every link signed by it along. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
