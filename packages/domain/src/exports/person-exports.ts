import type { FilePart } from '../evidence/evidence-keeper.ts';
import type { Flow } from '../verification/flow.ts';
import type { PersonalData } from './personal-data.ts';

/** What the download page shows before the code is entered: nothing of the person. */
export interface ExportPage {
  readonly clientName: string;
  /** When link and code end. */
  readonly expiresAt: Date;
}

/** The link of a release, the code that the person entered, and the network address of the request. */
export interface ExportEntry {
  /** The last part of the link: `{id}.{token}`. */
  readonly link: string;
  /** Upper or lower case, with or without spaces and hyphens; `O` counts as `0`, `I` and `L` as `1`. */
  readonly code: string;
  readonly from: string;
}

/** An export whose code was right. */
export interface ExportDownload {
  readonly data: PersonalData;
  /** The flow that the verification began with; its fields label the answers. */
  readonly flow: Flow;
  /**
   * Reads a file of `data.files`. Nothing is returned of an export that ended in the meantime or whose verification is being erased.
   * @throws CountersignError `EXPORT_NOT_FOUND` then, `FILE_NOT_FOUND` for another id or a missing content
   */
  readFile(fileId: string): Promise<FilePart>;
}

/** Downloads of exports by people, who have a link and a code. */
export interface PersonExports {
  /**
   * Opens the page of a link. Changes nothing.
   * @throws CountersignError `EXPORT_NOT_FOUND` if the link is unknown, replaced by a later release, or has ended; or the data is erased
   */
  openPage(link: string): Promise<ExportPage>;
  /**
   * Reads the data if the code is right, as often as the person wants. Each download and each wrong code is recorded in the audit log.
   * @throws CountersignError `EXPORT_NOT_FOUND` as `openPage`; `EXPORT_CODE_WRONG` with `data.attemptsLeft`: with 0 the export has ended;
   * `INVALID_PARAMETERS` for an empty or very long code, which is not counted
   */
  download(entry: ExportEntry): Promise<ExportDownload>;
}
