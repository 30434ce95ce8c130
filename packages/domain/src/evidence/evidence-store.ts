import type { EvidenceContentType, EvidenceWarning } from './evidence-file.ts';
/** Names one file of one verification. */
export interface EvidencePlace {
  readonly clientId: string;
  readonly verificationId: string;
  readonly fileId: string;
}

/** Stores the contents of files. Their metadata is part of the verification (`EvidenceFile`). */
export interface EvidenceStore {
  /**
   * Stores a new file, whole or not at all. It is durable when this resolves.
   *
   * Concurrency: callers never write a place twice, since each file has a new id.
   */
  put(place: EvidencePlace, content: Uint8Array): Promise<void>;
  /** Returns the content, or null if there is none. Rejects if it is damaged. */
  get(place: EvidencePlace): Promise<Uint8Array | null>;
  /**
   * Deletes the file for good. A missing file is no error, so of two calls at once both resolve. A store that is being
   * backed up may keep the file and list it later, so that `TidyEvidence` deletes it after the backup.
   */
  delete(place: EvidencePlace): Promise<void>;
  /**
   * Lists all files of one verification, in any order, whenever they were written, also those that a backup keeps from being
   * deleted: an empty list confirms that no file is left.
   */
  filesOf(verification: Pick<EvidencePlace, 'clientId' | 'verificationId'>): Promise<readonly EvidencePlace[]>;
  /** Lists all files written before a time, in any order, to find files that no verification names. */
  listWrittenBefore(moment: Date): AsyncIterable<EvidencePlace>;
}

/** An accepted upload. A picture has been re-encoded. */
export interface ReceivedFile {
  readonly content: Uint8Array;
  /** The first pages of a PDF, drawn as JPEG. Default none. */
  readonly pages?: readonly Uint8Array[] | undefined;
  /** A small picture of the file, a JPEG, and its SHA-256. Default none. */
  readonly thumbnail?: { readonly content: Uint8Array; readonly sha256: string } | undefined;
  readonly contentType: EvidenceContentType;
  /** SHA-256 of `content` in lower-case hexadecimal. */
  readonly sha256: string;
  readonly warnings: readonly EvidenceWarning[];
}

/** What an upload may be, and its sender. */
export interface IntakeTerms {
  readonly pdf: boolean;
  /** Uploads of one sender are processed in turn with those of other senders. Default: a sender of its own. */
  readonly sender?: string | undefined;
  /** Throws once the sender has disconnected. Called when a file that waited is about to be processed. Default: does nothing. */
  readonly requireSender?: (() => void) | undefined;
}

/** Checks uploads and re-encodes pictures. */
export interface EvidenceIntake {
  /**
   * Reads the upload to its end or until it is refused. A refused upload leaves nothing behind. May free each chunk with
   * `freeChunk` once it has no more use for it.
   * @throws CountersignError `FILE_EMPTY`, `FILE_TOO_LARGE` (over `UPLOAD_MAX_BYTES`), `DOCUMENT_TOO_LARGE` (a PDF over
   *   `EVIDENCE_MAX_BYTES`), `FILE_TYPE_REFUSED` (neither JPEG, PNG, WebP, HEIC nor, where it is accepted, PDF), `HEIC_REFUSED`
   *   (without a decoder for HEIC), `FILE_DAMAGED` (a picture that cannot be read to its end, or a PDF that cannot be drawn),
   *   `FILE_ENCRYPTED` (a protected PDF), `PICTURE_TOO_LARGE` (over `PICTURE_MAX_PIXELS`), `PICTURE_TOO_SMALL` (under
   *   `PICTURE_MIN_SIDE`), `FILE_TOO_COMPLEX` (takes too much memory or time to open),
   *   `UPLOADS_PAUSED` (the sender's last file took too long, and the sender has to wait); rethrows what the upload and
   *   `requireSender` throw
   */
  receive(upload: AsyncIterable<Uint8Array>, terms: IntakeTerms): Promise<ReceivedFile>;
}
