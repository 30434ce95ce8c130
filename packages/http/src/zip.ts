import { type ArchiveEntry, safeEntries } from '@countersign/domain/exports';
import { makeZip } from 'client-zip';

/**
 * Writes files into a zip, in their order and without compression: pictures are compressed already. The next file is asked for when the one
 * before was taken, so that one at a time is in memory. Larger zips than 4 GiB get the form ZIP64.
 */
export async function* zipParts(entries: AsyncGenerator<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const reader = makeZip(inputsOf(entries)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Cancelling the reader instead would throw into the entries.
    await entries.return(undefined);
  }
}

async function* inputsOf(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<{ name: string; lastModified: Date; input: Uint8Array | string }> {
  for await (const { name, content, lastModified } of safeEntries(entries))
    yield { name, lastModified, input: content };
}
