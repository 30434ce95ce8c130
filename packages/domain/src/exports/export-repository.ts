import type { DeclineReason, ExportRequest, NewExportRequest } from './export-request.ts';

/** Names one release of an export. */
export interface ExportRelease {
  readonly id: string;
  readonly linkVersion: number;
}

/** Filters and page of a list of exports. */
export interface ExportQuery {
  /** Default: all clients. */
  readonly clientId?: string | undefined;
  /** Whether only those that wait for their first release are listed: neither released nor declined. */
  readonly waiting: boolean;
  /** The last id of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Stores the exports of people's data: one at most for each verification. `RetentionRepository.erase` deletes it in the step that
 * removes the data. Each operation is atomic. Ids come from links and clients unchecked: a text that cannot be an id finds nothing.
 */
export interface ExportRepository {
  /**
   * Stores a request, unless the verification has one that has not ended at `requestedAt` (`exportStateOf`). One that has ended is
   * replaced: its id is unknown from then on.
   *
   * Concurrency: of several calls at once, one stores its request, and all return that one.
   * @returns the request that the verification has now; null if the client has no such verification, or its erasure has begun
   */
  request(request: NewExportRequest): Promise<ExportRequest | null>;

  /**
   * Releases an export with a new code: `linkVersion` grows by one, `wrongCodes` and `downloads` become 0, and `downloadedAt`,
   * `declinedAt` and `declineReason` null.
   *
   * Concurrency: of several calls at once, each is stored whole, and the last one stays.
   * @returns the export with this release; null if it is unknown
   */
  release(
    release: Pick<ExportRequest, 'id' | 'clientId' | 'releasedBy'> & {
      readonly releasedAt: Date;
      readonly codeHash: string;
      readonly expiresAt: Date;
    },
  ): Promise<ExportRequest | null>;

  /**
   * Declines an export that waits or is released. A release ends with it.
   *
   * Concurrency: of several calls at once, the first is stored and the others change nothing.
   * @returns the declined export; null if it is unknown, declined already, or has ended at `declinedAt` (`exportStateOf`)
   */
  decline(
    refusal: Pick<ExportRequest, 'id' | 'clientId'> & {
      readonly declinedAt: Date;
      readonly declineReason: DeclineReason;
    },
  ): Promise<ExportRequest | null>;

  /** Ends a release at a time, unless it ended before, is declined or was replaced: `expiresAt` becomes this time. */
  end(release: ExportRelease, at: Date): Promise<void>;

  /** Ends every release of every client that has not expired at a time, as `end` does. @returns how many it ended */
  endAll(at: Date): Promise<number>;

  /**
   * Counts a wrong code of a release, up to `EXPORT_CODE_ATTEMPTS`. A declined export has no release.
   *
   * Concurrency: calls at once are counted one by one.
   * @returns the wrong codes with this one; null and no change if the export is unknown, has another release or its attempts are used up
   */
  countWrongCode(release: ExportRelease): Promise<number | null>;

  /**
   * Counts a download of a release, up to `EXPORT_DOWNLOADS`, and stores its time. Decides between a right code and wrong ones at once: the
   * right one counts only if it comes before the last attempt is used up.
   * @returns `ended` and changes nothing if the export is unknown, has another release, or has ended at that time (`exportStateOf`)
   */
  markDownloaded(release: ExportRelease, at: Date): Promise<{ outcome: 'marked' } | { outcome: 'ended' }>;

  /** Finds the export with this id of any client: a link has no other. Null if there is none. */
  find(id: string): Promise<ExportRequest | null>;

  /** Finds the export of a verification; null if the client has none for it. */
  ofVerification(place: Pick<ExportRequest, 'clientId' | 'verificationId'>): Promise<ExportRequest | null>;

  /** Lists exports, newest request first (by id, descending). */
  list(query: ExportQuery): Promise<readonly ExportRequest[]>;

  /** Deletes up to `limit` exports whose `expiresAt` or `declinedAt` is before a time. @returns the number of deleted ones */
  forget(request: { readonly before: Date; readonly limit: number }): Promise<number>;
}
