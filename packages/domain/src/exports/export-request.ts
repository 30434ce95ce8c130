/** Who can ask for an export. */
export const EXPORT_REQUESTERS = ['subject', 'team_member', 'operator'] as const;
export type ExportRequester = (typeof EXPORT_REQUESTERS)[number];

/** How long the link and the code of an export work after its release. */
export const EXPORT_LIFETIME_MS: number = 24 * 60 * 60 * 1000;

/** Wrong codes after which an export ends. */
export const EXPORT_CODE_ATTEMPTS = 5;

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
}

type NoRelease = {
  readonly [K in 'releasedAt' | 'releasedBy' | 'codeHash' | 'expiresAt' | 'downloadedAt']: null;
} & { readonly [K in 'linkVersion' | 'wrongCodes']: 0 };

/** What an export has before its first release. */
export const NO_RELEASE: NoRelease = {
  releasedAt: null,
  releasedBy: null,
  codeHash: null,
  linkVersion: 0,
  expiresAt: null,
  wrongCodes: 0,
  downloadedAt: null,
};

/** `requested`: waits for its release. `released`: can be downloaded. `ended`: too late, or too many wrong codes. */
export const EXPORT_STATES = ['requested', 'released', 'ended'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** Returns the state of an export now. */
export function exportStateOf(
  { expiresAt, wrongCodes }: Pick<ExportRequest, 'expiresAt' | 'wrongCodes'>,
  now: Date,
): ExportState {
  if (expiresAt === null) return 'requested';
  return now < expiresAt && wrongCodes < EXPORT_CODE_ATTEMPTS ? 'released' : 'ended';
}
