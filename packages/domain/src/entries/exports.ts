/** Exports: what goes into a zip of a verification, requests for copies of data and their release. */

export {
  type Archive,
  type ArchiveEntry,
  archiveEntries,
  DATA_FILE,
  dataFile,
  safeEntries,
} from '../exports/archive.ts';
export type { ClientExport, ExportedVerification } from '../exports/client-exports.ts';
export type { ClientFiles } from '../exports/client-files.ts';
export { type PartsWatcher, partsOf, watchedParts } from '../exports/download-parts.ts';
export {
  askAgainFrom,
  DECLINE_REASONS,
  type DeclineReason,
  EXPORT_CODE_ATTEMPTS,
  EXPORT_DECLINED_MS,
  EXPORT_DOWNLOADS,
  EXPORT_LIFETIME_MS,
  EXPORT_REQUESTERS,
  type ExportRequest,
  type ExportRequester,
  type ExportState,
  exportStateOf,
  isDeclinable,
  isOpenExport,
  isReleased,
  type NewExportRequest,
  NO_RELEASE,
} from '../exports/export-request.ts';
export { type ExportedFile, exportedPath } from '../exports/exported-file.ts';
export type { ExportList, ExportListRequest, ManageExports, ReleasedExport } from '../exports/manage-exports.ts';
export type { ExportDownload, ExportEntry, ExportPage, PersonExports } from '../exports/person-exports.ts';
export { type PersonalData, personalDataOf } from '../exports/personal-data.ts';
export { itemsAskedIn, type PastRequest } from '../exports/requests-for-action.ts';
export type { SubjectExport, SubjectExports } from '../exports/subject-exports.ts';
