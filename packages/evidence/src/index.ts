export { type Deadline, killAtDeadline, type RunningDeadline } from './apart/deadline.ts';
export { type ApartOptions, type ApartProcess, startApart } from './apart/start-apart.ts';
export { isHeicInstalled } from './decoder/heic-package.ts';
export { makeFolders } from './disk/make-folders.ts';
export { ErasureLogFault } from './erasure-log/erasure-log-fault.ts';
export { createFileErasureLog, type FileErasureLogOptions } from './erasure-log/file-erasure-log.ts';
export {
  createEvidenceIntake,
  type DecoderStats,
  type DecodingIntake,
  type EvidenceIntakeOptions,
} from './intake/evidence-intake.ts';
export { createEvidenceFolder, listClientFolders } from './store/evidence-folder.ts';
export { createFileEvidenceStore, type FileEvidenceStoreOptions } from './store/file-evidence-store.ts';
export { type BegunUse, beginUse, type FolderUse, type FolderUseOptions } from './store/folder-use.ts';
