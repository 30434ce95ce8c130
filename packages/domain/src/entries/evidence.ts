/** Files of verifications: which are accepted, and the ports that check and keep them. */

export { EvidenceFault } from '../evidence/evidence-fault.ts';
export {
  ALL_DOWNLOADS_AT_ONCE,
  acceptsPdf,
  DOWNLOADS_AT_ONCE,
  EVIDENCE_CONTENT_TYPES,
  EVIDENCE_KINDS,
  EVIDENCE_MAX_BYTES,
  EVIDENCE_MAX_FILES,
  type EvidenceContentType,
  type EvidenceFile,
  type EvidenceKind,
  type EvidenceWarning,
  fileNameOf,
  isDrawn,
  isThumbnailId,
  PDF_PAGES_MAX,
  PICTURE_MAX_PIXELS,
  PICTURE_MIN_SIDE,
  PICTURE_WARNINGS,
  type PictureWarning,
  type StoredContent,
  SUBJECT_DOWNLOADS_AT_ONCE,
  storedContentsOf,
  type Thumbnail,
  thumbnailIdOf,
  UPLOAD_MAX_BYTES,
  UPLOADS_AT_ONCE,
} from '../evidence/evidence-file.ts';
export type { Evidence, FilePart, FilePartName } from '../evidence/evidence-keeper.ts';
export type {
  EvidenceIntake,
  EvidencePlace,
  EvidenceStore,
  IntakeTerms,
  ReceivedFile,
} from '../evidence/evidence-store.ts';
export { canHaveBytes, partOfContent } from '../evidence/file-content.ts';
export { freeChunk, ownedChunk } from '../evidence/owned-chunks.ts';
export type { TidyEvidence } from '../evidence/tidy-evidence.ts';
export type { Upload } from '../input/upload.ts';
export type { AttachedFile, NewEvidenceFile, SubjectFiles, UploadTarget } from '../verification/subject-files.ts';
export { namedFiles } from '../verification/verification.ts';
