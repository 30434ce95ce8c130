import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freeChunk, UPLOAD_MAX_BYTES } from '@countersign/domain/evidence';
import { codeOf, diskFault } from '../disk/disk-fault.ts';
import { fileEmpty, fileTooLarge } from '../refusals.ts';
import { release } from './release.ts';

/** A folder where uploads wait, so that memory holds only those that are being checked. */
export interface Spool {
  /**
   * Stores an upload to its end. Rethrows errors of the upload.
   * @throws CountersignError `FILE_EMPTY`, `FILE_TOO_LARGE`, the latter without reading on
   */
  take(upload: AsyncIterable<Uint8Array>): Promise<SpooledUpload>;
}

export interface SpooledUpload {
  /** In bytes. */
  readonly size: number;
  /** Reads the whole upload into bytes of its size. Can be called again. @returns the bytes */
  readInto(bytes: Uint8Array): Promise<Uint8Array>;
  /** Reads the upload in parts. Each part is gone once the next is asked for. Can be called again. */
  parts(): AsyncIterable<Uint8Array>;
  /** Deletes the upload. */
  discard(): Promise<void>;
}

const SUFFIX = '.upload';
const ALGORITHM = 'aes-256-gcm';
/** Size of a write. Smaller chunks are combined, so that a client that sends single bytes causes no extra writes. */
const BLOCK_BYTES = 64 * 1024;
/** Size of a read: larger, because each read waits for its turn among others. */
const READ_BYTES = 512 * 1024;

/**
 * The files have no name while they are used: each is removed as soon as it is open, so that nothing of it is left
 * when the process dies. They are encrypted with a key that is in memory alone, so that nothing readable is left in
 * the blocks of the disk either.
 */
export function createSpool(directory: string): Spool {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Files of a process that was killed between opening and removing. A file that another process uses only loses its
  // name.
  for (const name of readdirSync(directory)) {
    if (name.endsWith(SUFFIX)) rmSync(join(directory, name), { force: true });
  }

  return {
    async take(upload) {
      const file = await openNameless(directory);
      try {
        return await fill(file, upload);
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  };
}

async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `${randomBytes(16).toString('hex')}${SUFFIX}`);
  try {
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        await file.close();
        throw error;
      }
    }
    return file;
  } catch (error) {
    throw diskFault('take an upload in', error);
  }
}

async function fill(file: FileHandle, upload: AsyncIterable<Uint8Array>): Promise<SpooledUpload> {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, key, iv);
  const block = new Uint8Array(BLOCK_BYTES);
  let gathered = 0;
  let size = 0;

  const writeBlock = async (): Promise<void> => {
    const encrypted = cipher.update(block.subarray(0, gathered));
    gathered = 0;
    try {
      await file.appendFile(encrypted);
      release(encrypted);
    } catch (error) {
      throw diskFault('take an upload in', error);
    }
  };

  for await (const chunk of upload) {
    size += chunk.byteLength;
    if (size > UPLOAD_MAX_BYTES) throw fileTooLarge();
    for (let offset = 0; offset < chunk.byteLength; ) {
      const part = chunk.subarray(offset, offset + BLOCK_BYTES - gathered);
      block.set(part, gathered);
      gathered += part.byteLength;
      offset += part.byteLength;
      if (gathered === BLOCK_BYTES) await writeBlock();
    }
    freeChunk(chunk);
  }
  if (size === 0) throw fileEmpty();
  if (gathered > 0) await writeBlock();
  cipher.final();
  const tag = cipher.getAuthTag();

  async function* parts(): AsyncGenerator<Uint8Array> {
    const decipher = createDecipheriv(ALGORITHM, key, iv).setAuthTag(tag);
    const encrypted = new Uint8Array(Math.min(size, READ_BYTES));
    try {
      for (let offset = 0; offset < size; ) {
        const { bytesRead } = await file.read(encrypted, 0, encrypted.byteLength, offset);
        if (bytesRead === 0) throw new Error('The file has become shorter.');
        const part = decipher.update(encrypted.subarray(0, bytesRead));
        yield part;
        release(part);
        offset += bytesRead;
      }
      decipher.final();
    } catch (error) {
      throw diskFault('read an upload back', error);
    } finally {
      release(encrypted);
    }
  }

  return {
    size,
    async readInto(bytes) {
      let offset = 0;
      for await (const part of parts()) {
        bytes.set(part, offset);
        offset += part.byteLength;
      }
      return bytes;
    },
    parts,
    discard: () => file.close(),
  };
}
