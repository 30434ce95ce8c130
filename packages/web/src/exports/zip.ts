import { makeZip } from 'client-zip';
import { downloadStream } from '../site/download-stream.ts';

/** A file to put into a zip. */
export interface ZipEntry {
  /** Path in the zip, with `/` between folders. Unique. */
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly lastModified: Date;
}

/**
 * Makes a zip from files, in their order and without compression: pictures are compressed already. The next file is asked for when the
 * one before is sent, so that one at a time is in memory. If a file fails, or its name is unsafe, the stream fails before the directory
 * at the end of the zip is written: no reader takes a part for the whole.
 *
 * @param onFault gets the fault; the reader of the stream gets a general error
 */
export function zipStream(
  entries: AsyncGenerator<ZipEntry>,
  onFault: (fault: unknown) => void,
): ReadableStream<Uint8Array> {
  return downloadStream(zipChunks(entries), onFault);
}

async function* zipChunks(entries: AsyncGenerator<ZipEntry>): AsyncGenerator<Uint8Array> {
  const reader = makeZip(filesOf(entries)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Cancelling the reader instead would throw into the entries.
    await entries.return(undefined);
  }
}

async function* filesOf(
  entries: AsyncIterable<ZipEntry>,
): AsyncGenerator<{ name: string; lastModified: Date; input: Uint8Array | string }> {
  const seen = new Set<string>();
  for await (const { name, content, lastModified } of entries) {
    // Programs that unpack on Windows and macOS take names that differ by case for the same file.
    const key = name.toLowerCase();
    if (!isSafeName(name) || seen.has(key)) throw new Error('A name in a zip is unsafe or not unique');
    seen.add(key);
    yield { name, lastModified, input: content };
  }
}

/** Whether a path stays below the folder that a zip is unpacked to, and every operating system can store it. */
function isSafeName(name: string): boolean {
  return name.split('/').every((part) => /^\w[\w-]*(\.[\w-]+)*$/.test(part));
}
