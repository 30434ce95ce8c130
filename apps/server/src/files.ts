import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, realpathSync } from 'node:fs';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSystemError } from './config/errors.ts';

/** Size and content of a file. */
export interface FileDigest {
  readonly bytes: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/** Reads a file to its end. */
export function digestOf(file: string): Promise<FileDigest> {
  return digestOfChunks(chunksOf(file));
}

/** Reads a file in chunks. */
export function chunksOf(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file, { highWaterMark: CHUNK_BYTES });
}

/** Reads chunks to their end. @param take receives each of them */
async function digestOfChunks(
  chunks: AsyncIterable<Uint8Array>,
  take?: (chunk: Uint8Array) => Promise<void> | void,
): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.byteLength;
    await take?.(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies a file into a new one (mode 0600), in a folder that exists, and flushes it to the disk. */
export function copyFile(from: string, to: string): Promise<FileDigest> {
  return writeChunks(chunksOf(from), to);
}

/**
 * Writes chunks into a new file (mode 0600), in a folder that exists, and flushes it to the disk.
 * @param see receives each chunk
 */
export async function writeChunks(
  chunks: AsyncIterable<Uint8Array>,
  to: string,
  see: (chunk: Uint8Array) => void = () => undefined,
): Promise<FileDigest> {
  const target = await open(to, 'wx', 0o600);
  try {
    const digest = await digestOfChunks(chunks, (chunk) => {
      see(chunk);
      return target.appendFile(chunk);
    });
    await target.sync();
    return digest;
  } finally {
    await target.close();
  }
}

/** Writes a file (mode 0600), which is complete and on the disk when it gets its name. Replaces an older one. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const partial = `${file}.${randomBytes(8).toString('hex')}.partial`;
  const handle = await open(partial, 'wx', 0o600);
  try {
    try {
      await handle.appendFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameDurably(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Renames a file or a folder and flushes both of its parents. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
  if (dirname(from) !== dirname(to)) await syncFolder(dirname(from));
}

/** Flushes the names in a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function removeAll(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

/** Returns whether something is at the path. */
export async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== null;
}

/** Returns the size of a file, or null if nothing is there. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** Returns the bytes that this user can still write in the file system of a path, or of its nearest existing parent. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(nearestExisting(path));
  return bavail * bsize;
}

/** Returns the size of the file system of a path, or of its nearest existing parent, in bytes. */
export async function diskBytes(path: string): Promise<number> {
  const { blocks, bsize } = await statfs(nearestExisting(path));
  return blocks * bsize;
}

/** Resolves the links in the existing part of an absolute path. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR') || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), path.slice(dirname(path).length));
  }
}

function nearestExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR') || dirname(path) === path) throw error;
    return nearestExisting(dirname(path));
  }
}

/** Parses a text for a schema, which refuses undefined: the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
