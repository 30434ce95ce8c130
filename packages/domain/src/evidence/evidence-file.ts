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

/** Kinds that are written documents. All others must be pictures. */
const PDF_KINDS: readonly EvidenceKind[] = [
  'proof_of_address',
  'registration_extract',
  'articles',
  'ownership_chart',
  'authority',
];

/** Whether a file of this kind may be a PDF too (DESIGN section 8). */
export function acceptsPdf(kind: EvidenceKind): boolean {
  return PDF_KINDS.includes(kind);
}

/** Content types that are kept (DESIGN section 8). Judged by content before it comes here, never by name. */
export const EVIDENCE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type EvidenceContentType = (typeof EVIDENCE_CONTENT_TYPES)[number];

/** The largest file, in bytes. */
export const EVIDENCE_MAX_BYTES: number = 10 * 1024 * 1024;

/** The largest picture, in pixels. */
export const PICTURE_MAX_PIXELS = 40_000_000;

/** Files of one verification at most, with those that a reviewer has seen and that were replaced since. */
export const EVIDENCE_MAX_FILES = 20;

/** What makes a picture hard to read. It is told to the subject and to the reviewer, and refuses nothing. */
export const EVIDENCE_WARNINGS = ['blur', 'glare'] as const;
export type EvidenceWarning = (typeof EVIDENCE_WARNINGS)[number];

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
  readonly warnings: readonly EvidenceWarning[];
  /** ISO 8601, UTC. */
  readonly uploadedAt: string;
}
