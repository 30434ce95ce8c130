import type { EvidenceContentType, EvidenceWarning } from './evidence-file.ts';

/** An upload that was judged by its content, and of a picture what is left after it was drawn anew. */
export interface ReceivedFile {
  readonly content: Uint8Array;
  readonly contentType: EvidenceContentType;
  /** SHA-256 of `content` in lower-case hexadecimal. */
  readonly sha256: string;
  readonly warnings: readonly EvidenceWarning[];
}

/** What is to be taken, and of whom. */
export interface IntakeTerms {
  readonly pdf: boolean;
  /** Whoever sends much waits for others, and they do not wait for all of it. Default: nobody else's. */
  readonly sender?: string | undefined;
}

/** Turns what somebody uploads into what may be kept. */
export interface EvidenceIntake {
  /**
   * Reads the upload to its end, or until it is refused; nothing of it is left behind then.
   * @throws CountersignError `FILE_EMPTY`, `FILE_TOO_LARGE` (over `EVIDENCE_MAX_BYTES`), `FILE_TYPE_REFUSED` (neither
   *   JPEG, PNG, WebP nor, where it is accepted, PDF), `FILE_DAMAGED` (a picture that cannot be read to its end),
   *   `PICTURE_TOO_LARGE` (over 40 megapixels)
   */
  receive(upload: AsyncIterable<Uint8Array>, terms: IntakeTerms): Promise<ReceivedFile>;
}
