/** Names one file of one verification. */
export interface EvidencePlace {
  readonly clientId: string;
  readonly verificationId: string;
  readonly fileId: string;
}

/** The contents of files. What is known of them stands with the verification (`EvidenceFile`). */
export interface EvidenceStore {
  /** Keeps a new file, whole or not at all; it is safe on the disk when this resolves. A place is never written twice. */
  put(place: EvidencePlace, content: Uint8Array): Promise<void>;
  /** The content, or null where there is none. Rejects where it is damaged. */
  get(place: EvidencePlace): Promise<Uint8Array | null>;
  /** Takes the file away for good. That it is not there is no error. */
  delete(place: EvidencePlace): Promise<void>;
  /** The places of all files written before the moment given, in any order: for finding what belongs to nothing. */
  listWrittenBefore(moment: Date): AsyncIterable<EvidencePlace>;
}
