/** Who can ask for an export. */
export const EXPORT_REQUESTERS = ['subject', 'team_member', 'operator'] as const;
/** Asked for the export: one of `EXPORT_REQUESTERS`. */
export type ExportRequester = (typeof EXPORT_REQUESTERS)[number];

/** How long the link and the code of an export work after its release. */
export const EXPORT_LIFETIME_MS: number = 24 * 60 * 60 * 1000;

/** Wrong codes after which an export ends. */
export const EXPORT_CODE_ATTEMPTS = 5;

/** Downloads after which an export ends. */
export const EXPORT_DOWNLOADS = 5;

/** How long after a declined request the subject cannot ask again. Staff can release the copy meanwhile. */
export const EXPORT_DECLINED_MS: number = 7 * 24 * 60 * 60 * 1000;

/**
 * Why a request is declined (GDPR Art. 12(4)). The subject sees it, so that none is about a suspicion, a hold or a duty of secrecy, which
 * the subject must not learn.
 */
export const DECLINE_REASONS = [
  'identity_unclear',
  'rights_of_others',
  'already_given',
  'excessive',
  'other',
] as const;
/** Why an export was declined: one of `DECLINE_REASONS`. */
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/**
 * A request to give a person the data that a verification has about them, and its release. It has ids, times and a hash, no personal
 * data. A verification has one at most.
 */
export interface ExportRequest {
  readonly id: string;
  readonly clientId: string;
  readonly verificationId: string;
  readonly requestedAt: Date;
  readonly requestedBy: ExportRequester;
  /** When it was released last; null before the first release. */
  readonly releasedAt: Date | null;
  /** The user who released it; null for the command line, and before the first release. */
  readonly releasedBy: string | null;
  /** Keyed hash of the code; null before the first release. */
  readonly codeHash: string | null;
  /** Number of its releases. The link of an earlier release opens nothing. */
  readonly linkVersion: number;
  /** When link and code end; null before the first release. */
  readonly expiresAt: Date | null;
  /** Wrong codes since the last release. */
  readonly wrongCodes: number;
  /** When it was downloaded last since the last release; null if it was not. */
  readonly downloadedAt: Date | null;
  /** Downloads since the last release. */
  readonly downloads: number;
  /** When it was declined; null if it was not, or was released afterwards. */
  readonly declinedAt: Date | null;
  /** Why it was declined; null with `declinedAt`. */
  readonly declineReason: DeclineReason | null;
}

type Counts = 'linkVersion' | 'wrongCodes' | 'downloads';
type NoRelease = {
  readonly [K in Exclude<keyof ExportRequest, Counts | keyof NewExportRequest>]: null;
} & { readonly [K in Counts]: 0 };

/** An export as it is requested. */
export type NewExportRequest = Pick<
  ExportRequest,
  'id' | 'clientId' | 'verificationId' | 'requestedAt' | 'requestedBy'
>;

/** What an export has before its first release. */
export const NO_RELEASE: NoRelease = {
  releasedAt: null,
  releasedBy: null,
  codeHash: null,
  linkVersion: 0,
  expiresAt: null,
  wrongCodes: 0,
  downloadedAt: null,
  downloads: 0,
  declinedAt: null,
  declineReason: null,
};

/**
 * `requested`: waits for its release. `released`: can be downloaded. `declined`: refused a short time ago. `ended`: too late, too many
 * wrong codes or downloads, or declined long ago; it can be requested again.
 */
export const EXPORT_STATES = ['requested', 'released', 'declined', 'ended'] as const;
/** The state of an export: one of `EXPORT_STATES`. */
export type ExportState = (typeof EXPORT_STATES)[number];

/** Returns the state of an export now. */
export function exportStateOf(
  one: Pick<ExportRequest, 'expiresAt' | 'wrongCodes' | 'downloads' | 'declinedAt'>,
  now: Date,
): ExportState {
  const { expiresAt, downloads, declinedAt } = one;
  if (declinedAt !== null) return now < askAgainFrom(declinedAt) ? 'declined' : 'ended';
  if (expiresAt === null) return 'requested';
  return isReleased(one, now) && downloads < EXPORT_DOWNLOADS ? 'released' : 'ended';
}

/** Whether an export waits for its release or has one that works: a decline ends it. */
export function isOpenExport(one: Parameters<typeof exportStateOf>[0], now: Date): boolean {
  const state = exportStateOf(one, now);
  return state === 'requested' || state === 'released';
}

/** Whether an export can be declined: the subject requested it, and it is open. */
export function isDeclinable(
  one: Parameters<typeof exportStateOf>[0] & Pick<ExportRequest, 'requestedBy'>,
  now: Date,
): boolean {
  return one.requestedBy === 'subject' && isOpenExport(one, now);
}

/** Whether link and code of a release still work, also for the last download under way. */
export function isReleased(
  { expiresAt, wrongCodes, declinedAt }: Pick<ExportRequest, 'expiresAt' | 'wrongCodes' | 'declinedAt'>,
  now: Date,
): boolean {
  return expiresAt !== null && now < expiresAt && wrongCodes < EXPORT_CODE_ATTEMPTS && declinedAt === null;
}

/** Returns from when the subject can ask again after a declined request. */
export function askAgainFrom(declinedAt: Date): Date {
  return new Date(declinedAt.getTime() + EXPORT_DECLINED_MS);
}
