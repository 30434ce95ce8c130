/** What an uploaded file shows. */
export const EVIDENCE_KINDS = [
  'document_front',
  'document_back',
  'selfie',
  'proof_of_address',
  'registration_extract',
  'articles',
  'ownership_chart',
  'authority',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Content types that are kept (DESIGN section 8). Judged by content before it comes here, never by name. */
export const EVIDENCE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type EvidenceContentType = (typeof EVIDENCE_CONTENT_TYPES)[number];

/** The largest file, in bytes. */
export const EVIDENCE_MAX_BYTES: number = 10 * 1024 * 1024;

/** Files of one verification at most, replaced ones included. */
export const EVIDENCE_MAX_FILES = 20;

/** What is known of a file of a verification. Its content lies elsewhere. */
export interface EvidenceFile {
  readonly id: string;
  /** The step it was uploaded for. */
  readonly step: string;
  readonly kind: EvidenceKind;
  readonly contentType: EvidenceContentType;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the content in lower-case hexadecimal. */
  readonly sha256: string;
  /** ISO 8601, UTC. */
  readonly uploadedAt: string;
}
