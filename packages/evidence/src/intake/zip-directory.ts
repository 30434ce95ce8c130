/** Fixed part of the record that ends a ZIP, in bytes (ZIP specification, 4.3.16). */
const END_BYTES = 22;
/** The record before it in a ZIP64, which leads to the directory (4.3.15). */
const ZIP64_LOCATOR_BYTES = 20;

const END = Buffer.from('PK\x05\x06', 'latin1');
const ZIP64_LOCATOR = Buffer.from('PK\x06\x07', 'latin1');
const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02', 'latin1');

/**
 * Whether a reader of archives finds a ZIP in the content: an end record that leads to a directory. Most readers search for the
 * record from the end of the file, and many accept other bytes behind it; some search the whole file. A reader accepts a directory
 * that ends where the record begins, so that the archive may stand behind other data, or one at the offset in the record.
 *
 * The letters `PK` in compressed data are no archive: nothing stands where the record leads to.
 */
export function hasZipDirectory(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const last = bytes.byteLength - END_BYTES;
  for (let at = bytes.indexOf(END); at !== -1 && at <= last; at = bytes.indexOf(END, at + 1)) {
    if (leadsToDirectory(bytes, at)) return true;
  }
  return false;
}

function leadsToDirectory(bytes: Buffer, at: number): boolean {
  const entries = bytes.readUInt16LE(at + 10);
  const size = bytes.readUInt32LE(at + 12);
  const offset = bytes.readUInt32LE(at + 16);
  const isEmpty = entries === 0 && size === 0 && offset <= at;
  return (
    isEmpty ||
    standsAt(bytes, at - size, DIRECTORY_ENTRY) ||
    standsAt(bytes, offset, DIRECTORY_ENTRY) ||
    standsAt(bytes, at - ZIP64_LOCATOR_BYTES, ZIP64_LOCATOR)
  );
}

function standsAt(bytes: Buffer, position: number, signature: Buffer): boolean {
  return position >= 0 && bytes.subarray(position, position + signature.byteLength).equals(signature);
}
