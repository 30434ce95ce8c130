import { readFileSync } from 'node:fs';
import type { DocumentReading } from '@countersign/domain';
import { WEIGHTS_URL } from '@countersign/reading';
import type { DoctorSettings } from '../config/settings.ts';
import type { Findings } from '../database/findings.ts';
import { createDocumentReader, type DocumentReaderOptions } from '../document-reader/document-reader.ts';

/** What `doctor` finds about the reader of documents. */
export interface ReaderFacts {
  readonly on: boolean;
  /** Whether it reads a known picture; null if it is off. */
  readonly reads: boolean | null;
  /** Null if it is off or reads nothing. */
  readonly version: string | null;
}

/** The number of the document in the known picture. */
const KNOWN_NUMBER = 'U39777556';

/** Has the reader read a known picture, unless it is off. */
export async function examineReader(
  { readsDocuments }: Pick<DoctorSettings, 'readsDocuments'>,
  { program }: Pick<DocumentReaderOptions, 'program'> = {},
): Promise<Findings<ReaderFacts>> {
  if (!readsDocuments) {
    return {
      facts: { on: false, reads: null, version: null },
      lines: ['Documents are not read: READER is off'],
      problems: [],
    };
  }
  let reason = 'it reads something else';
  const reader = createDocumentReader({
    program,
    onFailure: (why) => {
      reason = why;
    },
  });
  try {
    const { outcome, fields, readerVersion } = await readKnown(reader.read);
    if (outcome === 'read' && fields.documentNumber?.value === KNOWN_NUMBER) {
      return {
        facts: { on: true, reads: true, version: readerVersion },
        lines: [`Documents are read by ${readerVersion}`],
        problems: [],
      };
    }
  } catch (error) {
    reason = error instanceof Error ? error.message : reason;
  } finally {
    reader.close();
  }
  return {
    facts: { on: true, reads: false, version: null },
    lines: ['Documents are not read'],
    problems: [
      `The reader of documents does not read a known picture: ${reason}. Install Countersign again, or set READER=off`,
    ],
  };
}

async function readKnown(
  read: (request: Parameters<ReturnType<typeof createDocumentReader>['read']>[0]) => Promise<DocumentReading>,
): Promise<DocumentReading> {
  const content = readFileSync(new URL('known.jpg', WEIGHTS_URL));
  return read({ content, contentType: 'image/jpeg', documentType: null, issuer: null });
}
