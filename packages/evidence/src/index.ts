export {
  createEvidenceIntake,
  type DecoderStats,
  type DecodingIntake,
  type EvidenceIntakeOptions,
} from './intake/evidence-intake.ts';
export { createFileEvidenceStore, type FileEvidenceStoreOptions } from './store/file-evidence-store.ts';
