import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErasureLogEntry } from '@countersign/domain/retention';
import { codeOf } from '../disk/disk-fault.ts';
import { ErasureLogFault } from './erasure-log-fault.ts';

// Entry 12345 is the file `000012/000012345.json`: a line of JSON with the checksum of the entry at its end.

const ENTRIES_IN_SHARD = 1_000;
/** Far more than ids and times need. */
const MAX_BYTES = 4_096;
const FORMAT = 'countersign-erasure-1';

/** Returns the name of the folder that holds an entry. */
export function shardOf(number: number): string {
  return String(Math.floor(number / ENTRIES_IN_SHARD)).padStart(6, '0');
}

/** Returns the path of an entry in the folder of the log. */
export function pathOf(number: number): string {
  return join(shardOf(number), `${String(number).padStart(9, '0')}.json`);
}

export function isShard(name: string): boolean {
  return /^\d{6,}$/.test(name);
}

/** Returns the number of the entry with this file name in a shard; null for other files. */
export function numberOf(shard: string, name: string): number | null {
  const number = Number.parseInt(name, 10);
  return number > 0 && pathOf(number) === join(shard, name) ? number : null;
}

/** @throws Error if the ids are too long for an entry */
export function contentOf(entry: ErasureLogEntry): Uint8Array {
  const { number, clientId, verificationId } = entry;
  const facts = { format: FORMAT, number, clientId, verificationId, at: entry.at.toISOString() };
  const sha256 = hash('sha256', JSON.stringify(facts));
  const content = new TextEncoder().encode(`${JSON.stringify({ ...facts, sha256 })}\n`);
  if (content.byteLength > MAX_BYTES) throw new Error('An id is too long for the erasure log.');
  return content;
}

/**
 * Reads an entry.
 * @throws ErasureLogFault; Error of the system
 */
export async function readEntry(directory: string, number: number): Promise<ErasureLogEntry> {
  const path = pathOf(number);
  const entry = parse(await readSmallFile(directory, path), path);
  if (entry.number !== number) throw new ErasureLogFault('ENTRY_FOREIGN', path);
  return entry;
}

/** @throws ErasureLogFault if the file is missing, no file or too large; Error of the system */
export async function readSmallFile(directory: string, path: string): Promise<Buffer> {
  let handle: FileHandle;
  try {
    // Neither follows a link nor waits for a pipe.
    handle = await open(join(directory, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') throw new ErasureLogFault('ENTRY_MISSING', path, { cause });
    if (codeOf(cause) === 'ELOOP') throw new ErasureLogFault('ENTRY_DAMAGED', path, { cause });
    throw cause;
  }
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > MAX_BYTES) throw new ErasureLogFault('ENTRY_DAMAGED', path);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Accepts an entry only if it is byte for byte what `contentOf` makes of it. */
function parse(content: Buffer, path: string): ErasureLogEntry {
  try {
    const parsed: unknown = JSON.parse(content.toString());
    if (isEntry(parsed)) {
      const { number, clientId, verificationId } = parsed;
      const entry = { number, clientId, verificationId, at: new Date(parsed.at) };
      if (Buffer.compare(content, contentOf(entry)) === 0) return entry;
    }
  } catch (cause) {
    throw new ErasureLogFault('ENTRY_DAMAGED', path, { cause });
  }
  throw new ErasureLogFault('ENTRY_DAMAGED', path);
}

function isEntry(
  value: unknown,
): value is { number: number; clientId: string; verificationId: string; at: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { number, clientId, verificationId, at } = value as Partial<Record<string, unknown>>;
  return typeof number === 'number' && [clientId, verificationId, at].every((text) => typeof text === 'string');
}
