import { readFileSync } from 'node:fs';
import type { DocumentReader, DocumentReading } from '@countersign/domain';
import { WEIGHTS_URL } from '@countersign/reading';
import type { DoctorSettings } from '../config/settings.ts';
import type { Findings } from '../database/findings.ts';
import { createDocumentReader, type DocumentReaderOptions } from '../document-reader/document-reader.ts';

/** What `doctor` finds about the reader of documents. */
export interface ReaderFacts {
  readonly on: boolean;
  /** Whether it reads the known pictures; null if it is off. */
  readonly reads: boolean | null;
  /** Null if it is off or reads nothing. */
  readonly version: string | null;
}

/** Known pictures: what the subject chose, and the number in each. */
const KNOWN = [
  { file: 'known.jpg', documentType: 'id_card', issuer: 'GB', number: 'U39777556' },
  { file: 'known-licence.jpg', documentType: 'driving_licence', issuer: 'US', number: 'T64235789' },
] as const;

/** Has the reader read known pictures, one of a machine-readable zone and one of a licence's barcode, unless it is off. */
export async function examineReader(
  { readsDocuments }: Pick<DoctorSettings, 'readsDocuments'>,
  programs: Pick<DocumentReaderOptions, 'zones' | 'barcodes'> = {},
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
    ...programs,
    onFailure: (why) => {
      reason = why;
    },
  });
  try {
    const versions: string[] = [];
    for (const known of KNOWN) {
      const { outcome, fields, readerVersion } = await readKnown(reader, known);
      if (outcome === 'read' && fields.documentNumber?.value === known.number) versions.push(readerVersion);
    }
    if (versions.length === KNOWN.length) {
      const version = versions.join(', ');
      return {
        facts: { on: true, reads: true, version },
        lines: [`Documents are read by ${version}`],
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
      `The reader of documents does not read the known pictures: ${reason}. Install Countersign again, or set READER=off`,
    ],
  };
}

async function readKnown(
  reader: DocumentReader,
  { file, documentType, issuer }: (typeof KNOWN)[number],
): Promise<DocumentReading> {
  const content = readFileSync(new URL(file, WEIGHTS_URL));
  return reader.read({ content, contentType: 'image/jpeg', documentType, issuer });
}
