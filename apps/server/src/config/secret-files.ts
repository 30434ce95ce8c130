import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSystemError, SettingError } from './errors.ts';

// Errors name the file and never quote its content.

/** A file that a secret was read from. */
export interface SecretFile {
  /** The variable that names the file, such as `SECRET_KEYS_FILE`. */
  readonly variable: string;
  /** An absolute path. */
  readonly file: string;
  /** Whether every user of the machine can read the file. */
  readonly isReadableByAll: boolean;
}

/** Largest file of a secret in bytes: a ring of hundreds of keys. */
export const SECRET_FILE_MAX_BYTES = 16_384;

const READABLE_BY_ALL = 0o004;

/** Returns the name of the variable that names the file of a secret: `REDIS_URL_FILE` for `REDIS_URL`. */
export function fileVariableOf(variable: string): string {
  return `${variable}_FILE`;
}

/**
 * Reads the value of a secret from a file, without the line break at its end.
 * @param variable the variable that names the file
 * @param isList whether each line is an entry of the value; other values have one line
 * @throws SettingError
 */
export function readSecretFile(
  variable: string,
  path: string,
  { isList }: { readonly isList: boolean },
): SecretFile & { readonly value: string } {
  const file = resolve(path);
  const refuse = (problem: string, options?: ErrorOptions): never => {
    throw new SettingError(variable, `is ${JSON.stringify(file.slice(0, 200))}: ${problem}`, options);
  };
  const { bytes, mode } = readRegularFile(file, refuse);
  if (bytes.byteLength > SECRET_FILE_MAX_BYTES) {
    return refuse(`the file is too large, expected one secret in at most ${SECRET_FILE_MAX_BYTES} bytes`);
  }
  const text = decoded(bytes)?.replace(/\s+$/, '');
  // A carriage return stays only inside a value.
  const lines = text?.split(/\r?\n/) ?? [];
  if (text === undefined || lines.some((line) => /\p{Cc}/u.test(line))) {
    return refuse('the file is not text in UTF-8, expected the value of the setting alone');
  }
  if (text === '') return refuse('the file is empty, expected the value of the setting');
  if (lines.length > 1 && !isList)
    return refuse(`the file has ${lines.length} lines, expected the value on one line`);
  return { variable, file, value: lines.join('\n'), isReadableByAll: (mode & READABLE_BY_ALL) !== 0 };
}

/** Opens without waiting: a pipe would hold the start up. Reads one byte more than allowed at most. */
function readRegularFile(
  file: string,
  refuse: (problem: string, options?: ErrorOptions) => never,
): { readonly bytes: Uint8Array; readonly mode: number } {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return refuse(`${kindOf(status)}, expected a file`);
    const buffer = Buffer.alloc(SECRET_FILE_MAX_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.byteLength; length += read) {
      read = readSync(descriptor, buffer, length, buffer.byteLength - length, null);
    }
    return { bytes: buffer.subarray(0, length), mode: status.mode };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refuse(`${reasonOf(error)}, expected a file that the server's user can read`, { cause: error });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function kindOf(status: { isDirectory(): boolean }): string {
  return status.isDirectory() ? 'this is a directory' : 'this is a pipe or a device';
}

function reasonOf({ code }: { readonly code: string }): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'the file does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    default:
      return code;
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // It throws nothing but TypeError, for bytes that are not UTF-8.
    return undefined;
  }
}

/** Returns a line for each file of a secret that every user of the machine can read. */
export function secretFileWarnings(files: readonly SecretFile[]): string[] {
  return files
    .filter(({ isReadableByAll }) => isReadableByAll)
    .map(
      ({ variable, file }) =>
        `${variable} is ${file}, which every user of this machine can read: give read access only to the server's user`,
    );
}
