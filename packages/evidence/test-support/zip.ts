import { crc32 } from 'node:zlib';

const NAME = 'Main.class';
const CONTENT = Buffer.from('not a document');

/** How the parts of an archive differ from those of most writers. */
export interface ZipVariant {
  /** Bytes that stand before the archive and that its offsets count. Default 0: readers correct them. */
  readonly offset?: number;
  /** Length of the comment that the end record announces and that is not part of the result. */
  readonly commentBytes?: number;
  /** Bytes between directory and end record. The directory is then found by its offset alone. */
  readonly gap?: number;
  /** Leads to the directory by the records of ZIP64. */
  readonly zip64?: boolean;
}

/** Makes a ZIP of one stored file. */
export function zip({ offset = 0, commentBytes = 0, gap = 0, zip64 = false }: ZipVariant = {}): Buffer {
  const sum = crc32(CONTENT);
  const size = CONTENT.byteLength;
  const name = Buffer.from(NAME);
  const facts = [u16(20), u16(0), u16(0), u32(0), u32(sum), u32(size), u32(size), u16(name.byteLength), u16(0)];
  const file = Buffer.concat([signature(3, 4), ...facts, name, CONTENT]);
  const rest = [u16(0), u16(0), u16(0), u32(0), u32(offset)];
  const directory = Buffer.concat([signature(1, 2), u16(20), ...facts, ...rest, name]);
  const directoryAt = offset + file.byteLength;
  const before = Buffer.concat([file, directory, Buffer.alloc(gap)]);
  const ends = zip64
    ? zip64End(directory.byteLength, directoryAt, offset + before.byteLength)
    : zipEnd({ entries: 1, size: directory.byteLength, offset: directoryAt, commentBytes });
  return Buffer.concat([before, ends]);
}

/** Makes the record that ends a ZIP, without its comment. */
export function zipEnd(record: {
  readonly entries: number;
  readonly size: number;
  readonly offset: number;
  readonly commentBytes: number;
}): Buffer {
  const { entries, size, offset, commentBytes } = record;
  const counts = [u16(0), u16(0), u16(entries), u16(entries)];
  return Buffer.concat([signature(5, 6), ...counts, u32(size), u32(offset), u16(commentBytes)]);
}

function zip64End(size: number, directoryAt: number, at: number): Buffer {
  const counts = [u32(0), u32(0), u64(1), u64(1), u64(size), u64(directoryAt)];
  const record = Buffer.concat([signature(6, 6), u64(44), u16(45), u16(45), ...counts]);
  const locator = Buffer.concat([signature(6, 7), u32(0), u64(at), u32(1)]);
  const end = zipEnd({ entries: 0xffff, size: 0xffffffff, offset: 0xffffffff, commentBytes: 0 });
  return Buffer.concat([record, locator, end]);
}

function signature(first: number, second: number): Buffer {
  return Buffer.from([0x50, 0x4b, first, second]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
