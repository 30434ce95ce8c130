import { hash } from 'node:crypto';
import { readSmallFile } from './entry-file.ts';
import { ErasureLogFault } from './erasure-log-fault.ts';

/** File with the id of the log: a line of JSON with the checksum of the id at its end. */
export const MARKER = 'erasure-log.json';

const FORMAT = 'countersign-erasure-log-1';

export function markerOf(id: string): Uint8Array {
  const facts = { format: FORMAT, id };
  const sha256 = hash('sha256', JSON.stringify(facts));
  return new TextEncoder().encode(`${JSON.stringify({ ...facts, sha256 })}\n`);
}

/**
 * Reads the id of the log; null if the folder or its marker does not exist.
 * @throws ErasureLogFault if the marker is damaged; Error of the system
 */
export async function readMarker(directory: string): Promise<string | null> {
  let content: Buffer;
  try {
    content = await readSmallFile(directory, MARKER);
  } catch (error) {
    if (error instanceof ErasureLogFault && error.code === 'ENTRY_MISSING') return null;
    throw error;
  }
  const id = idIn(content);
  if (id === undefined || Buffer.compare(content, markerOf(id)) !== 0) {
    throw new ErasureLogFault('MARKER_DAMAGED', MARKER);
  }
  return id;
}

function idIn(content: Buffer): string | undefined {
  try {
    const { id } = Object(JSON.parse(content.toString())) as { readonly id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    // It is no JSON.
    return undefined;
  }
}
