import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

/** A file of a zip. */
export interface UnzippedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly lastModified: Date;
}

/**
 * Reads a zip with a library that is independent of the one that wrote it, and compares each checksum.
 * @throws Error if the zip is damaged or a name leads out of the folder that it is unpacked to
 */
export async function readZip(zip: Uint8Array): Promise<UnzippedFile[]> {
  const opened = await fromBufferPromise(Buffer.from(zip), { strictFileNames: true });
  const files: UnzippedFile[] = [];
  for await (const entry of opened.eachEntry()) {
    const content = await buffer(await opened.openReadStreamPromise(entry));
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} has another checksum`);
    files.push({ name: entry.fileName, content, lastModified: entry.getLastModDate() });
  }
  return files;
}
