import { createHash } from 'node:crypto';
import { createStoredFileCheck, type StoredFiles } from '@countersign/evidence-format';

/** Digest of a file as it is stored. */
export interface CheckedDigest {
  readonly bytes: number;
  readonly sha256: string;
  /** Whether the content differs from the checksum at the start of the file. */
  readonly isDamaged: boolean;
}

/** Reads a stored file in chunks. Returns null if there is none. */
export async function digestAt(files: StoredFiles, path: string): Promise<CheckedDigest | null> {
  const chunks = await files.read(path);
  if (chunks === null) return null;
  const observed = observe(chunks);
  for await (const _ of observed.chunks);
  return observed.digest();
}

/** Passes chunks on. Once the last is passed on, `digest` returns that of all. */
export function observe(chunks: AsyncIterable<Uint8Array>): {
  readonly chunks: AsyncIterable<Uint8Array>;
  digest(): CheckedDigest;
} {
  const hash = createHash('sha256');
  const check = createStoredFileCheck();
  let bytes = 0;
  let last: CheckedDigest | undefined;
  async function* passed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      check.add(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  return {
    chunks: passed(),
    digest() {
      last ??= { bytes, sha256: hash.digest('hex'), isDamaged: check.isDamaged() };
      return last;
    },
  };
}
