import { type ArchiveEntry, safeEntries } from '@countersign/domain/exports';
import { makeZip } from 'client-zip';
import type { Download } from './download.ts';

/**
 * Makes the download of a zip from files, in their order and without compression: pictures are compressed already. The next file is asked
 * for when the one before is sent, so that one at a time is in memory. If a file fails, or its name is unsafe, the download fails before
 * the directory at the end of the zip is written: no reader takes a part for the whole.
 *
 * @param name under which the zip is saved
 */
export function zipDownload(name: string, entries: AsyncGenerator<ArchiveEntry>): Download {
  return {
    parts: zipParts(entries),
    headers: { 'Content-Type': 'application/zip', 'Content-Disposition': `attachment; filename="${name}"` },
  };
}

async function* zipParts(entries: AsyncGenerator<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const reader = makeZip(filesOf(entries)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Cancelling the reader instead would throw into the entries.
    await entries.return(undefined);
  }
}

async function* filesOf(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<{ name: string; lastModified: Date; input: Uint8Array | string }> {
  for await (const { name, content, lastModified } of safeEntries(entries)) {
    yield { name, lastModified, input: content };
  }
}
