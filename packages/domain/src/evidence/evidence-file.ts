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
/** What a file shows: one of `EVIDENCE_KINDS`. */
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Kinds that may be PDFs. All others must be pictures. */
const PDF_KINDS: readonly EvidenceKind[] = [
  'proof_of_address',
  'registration_extract',
  'articles',
  'ownership_chart',
  'authority',
];

/** Whether a file of this kind may be a PDF (DESIGN section 8). */
export function acceptsPdf(kind: EvidenceKind): boolean {
  return PDF_KINDS.includes(kind);
}

/** Accepted content types (DESIGN section 8), detected from the content, never from the file name. */
export const EVIDENCE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
/** Content type of an accepted file: one of `EVIDENCE_CONTENT_TYPES`. */
export type EvidenceContentType = (typeof EVIDENCE_CONTENT_TYPES)[number];

/** Largest size of an accepted upload, in bytes. A picture is re-encoded to at most `EVIDENCE_MAX_BYTES`. */
export const UPLOAD_MAX_BYTES: number = 25 * 1024 * 1024;

/** Largest size of a stored file, in bytes. PDFs are kept byte for byte, so it is also the largest size of an uploaded PDF. */
export const EVIDENCE_MAX_BYTES: number = 10 * 1024 * 1024;

/** Minimum length of the shorter side of an uploaded picture, in pixels: small print is not readable below it. */
export const PICTURE_MIN_SIDE = 600;

/** Largest size of a picture, in pixels. */
export const PICTURE_MAX_PIXELS = 40_000_000;

/** Most files of one verification, including replaced files that a reviewer has seen. */
export const EVIDENCE_MAX_FILES = 20;

/** Most uploads of one verification that run at once in one process. */
export const UPLOADS_AT_ONCE = 4;

/** Most downloads of one caller that run at once in one process: of a client, a user of the service, or a subject. */
export const DOWNLOADS_AT_ONCE = 4;

/** Most downloads of all callers together that run at once in one process. Each holds one file in memory, of at most 10 MB. */
export const ALL_DOWNLOADS_AT_ONCE = 16;

/** Most of these for subjects, so that they cannot keep clients and reviewers from files. */
export const SUBJECT_DOWNLOADS_AT_ONCE = 8;

/** Most pages of a PDF that are drawn for the reviewer. */
export const PDF_PAGES_MAX = 10;

/** What can make a picture hard to read. Shown to the subject and the reviewer; the picture is accepted all the same. */
export const PICTURE_WARNINGS = ['blur', 'glare'] as const;
/** What makes a picture hard to read: one of `PICTURE_WARNINGS`. */
export type PictureWarning = (typeof PICTURE_WARNINGS)[number];

/**
 * What a reviewer should know before opening the original of a PDF: it has a script, other files in it, fields to fill in or
 * starts programs; and that it has more pages than were drawn.
 */
export const PDF_WARNINGS = ['script', 'attachment', 'form', 'launch', 'pages_left_out'] as const;

/** Warnings about a file. None of them refuses it. */
export const EVIDENCE_WARNINGS: readonly [...typeof PICTURE_WARNINGS, ...typeof PDF_WARNINGS] = [
  ...PICTURE_WARNINGS,
  ...PDF_WARNINGS,
];
/** A warning about a picture or a PDF. */
export type EvidenceWarning = (typeof EVIDENCE_WARNINGS)[number];

/** A small picture of a file, a JPEG. It is stored beside the file, under `thumbnailIdOf` its id. */
export type Thumbnail = Pick<EvidenceFile, 'size' | 'sha256'>;

/** Metadata of an uploaded file. Its content is in the `EvidenceStore`. */
export interface EvidenceFile {
  readonly id: string;
  /** The step that it was uploaded for. */
  readonly step: string;
  readonly kind: EvidenceKind;
  readonly contentType: EvidenceContentType;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of the content in lower-case hexadecimal. */
  readonly sha256: string;
  readonly warnings: readonly EvidenceWarning[];
  /** Number of drawn pages of a PDF, which are part of its content. Default 0. */
  readonly pages?: number;
  /** Drawn once when the file was received. Files of earlier versions and of intakes that draw nothing have none. */
  readonly thumbnail?: Thumbnail;
  /** ISO 8601, UTC. */
  readonly uploadedAt: string;
  /** Set for a file that no answer named at a submission: only a hold keeps it. */
  readonly isKeptByHold?: true;
  /** Set if a reviewer asked for the step again and the subject sent or kept the same content: a warning for reviewers. */
  readonly isUnchanged?: true;
}

const EXTENSIONS: Readonly<Record<EvidenceContentType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/**
 * Returns a plain name for a file that is handed out: its kind and the extension of its type.
 * @param number tells files of one kind apart: `document_front-2.jpg`. 1 adds nothing
 */
export function fileNameOf(
  { kind, contentType }: Pick<EvidenceFile, 'kind' | 'contentType'>,
  number: number = 1,
): string {
  return `${kind}${number === 1 ? '' : `-${number}`}.${EXTENSIONS[contentType]}`;
}

const THUMBNAIL_ENDING = '-thumbnail';

/** Returns the id under which the thumbnail of a file is stored. */
export function thumbnailIdOf(fileId: string): string {
  return `${fileId}${THUMBNAIL_ENDING}`;
}

/** Whether a content in the store is a thumbnail, not a file. */
export function isThumbnailId(id: string): boolean {
  return id.endsWith(THUMBNAIL_ENDING);
}

/** Whether a file can be shown as a picture: it is one, or its pages are drawn. */
export function isDrawn({ contentType, pages = 0 }: Pick<EvidenceFile, 'contentType' | 'pages'>): boolean {
  return contentType !== 'application/pdf' || pages > 0;
}

/** A content in the store. */
export type StoredContent = Pick<EvidenceFile, 'id' | 'size' | 'sha256' | 'pages'>;

/** Lists the stored contents of a file: the file itself with its drawn pages, and its thumbnail. */
export function storedContentsOf(file: EvidenceFile): readonly StoredContent[] {
  const { id, thumbnail } = file;
  return thumbnail === undefined ? [file] : [file, { id: thumbnailIdOf(id), ...thumbnail }];
}
