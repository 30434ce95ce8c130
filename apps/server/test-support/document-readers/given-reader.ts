import type { DocumentReading, ReadRequest } from '@countersign/domain';
import { onTestFinished } from 'vitest';
import {
  type ApartReader,
  createDocumentReader,
  type DocumentReaderOptions,
} from '../../src/document-reader/document-reader.ts';
import { type ReaderProgram, ZONES } from '../../src/document-reader/reader-process.ts';

/** A program that does what each picture says. */
export const OBEDIENT = new URL('./obedient.mjs', import.meta.url);
export const KILLED = new URL('./killed-at-start.mjs', import.meta.url);
/** A program that does not start. */
export const EXPIRED = new URL('./no-start.mjs', import.meta.url);

export function programOf(main: URL, limit: ReaderProgram['limit'] = ZONES.limit): ReaderProgram {
  return { main, limit };
}

export function request(content: Uint8Array, contentType: ReadRequest['contentType'] = 'image/jpeg'): ReadRequest {
  return { content, contentType, documentType: null, issuer: null };
}

/** A reader for one test, after which it is closed. */
interface GivenReader {
  readonly reader: ApartReader;
  /** Why pictures were not read. */
  readonly failures: readonly string[];
  /** Gives the program an order, in the place of a picture. */
  order(text: string): Promise<DocumentReading>;
}

/** Creates a reader that starts `OBEDIENT`, unless the options name other programs. */
export function givenReader(options: Partial<DocumentReaderOptions> = {}): GivenReader {
  const failures: string[] = [];
  const reader = createDocumentReader({
    zones: programOf(OBEDIENT),
    barcodes: programOf(OBEDIENT),
    onFailure: (reason) => failures.push(reason),
    ...options,
  });
  onTestFinished(() => reader.close());
  const order = (text: string) => reader.read(request(Buffer.from(text)));
  return { reader, failures, order };
}
