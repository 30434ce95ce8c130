export { evidencePathOf, evidencePlaceOf, isEvidenceName, isEvidencePath } from './evidence-path.ts';
export {
  checkedContent,
  checkedHead,
  createStoredFileCheck,
  HEAD_BYTES,
  type StoredFileCheck,
} from './stored-file.ts';
export type { DeletionHold, StoredFile, StoredFiles } from './stored-files.ts';
