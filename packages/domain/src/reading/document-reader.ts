import type { EvidenceContentType } from '../evidence/evidence-file.ts';
import type { DocumentReading } from './document-reading.ts';

/** A picture for a reader. It names neither verification nor person. */
export interface ReadRequest {
  /** The stored picture: re-encoded, without metadata. */
  readonly content: Uint8Array;
  readonly contentType: EvidenceContentType;
  /** The type of the document that the subject chose, such as `passport`; null if it is unknown. */
  readonly documentType: string | null;
  /** The issuing state that the subject chose, ISO 3166-1 alpha-2; null if it is unknown. */
  readonly issuer: string | null;
}

/**
 * Reads pictures of identity documents. It has no access to storage and bounds its own queue, time and memory: a picture for which it
 * has no place is `off`, which costs it no attempt. It never decides anything about a person.
 */
export interface DocumentReader {
  /** Reads a picture. A rejection counts as `failed` and is reported to `onFault`. */
  read(request: ReadRequest): Promise<DocumentReading>;
}
