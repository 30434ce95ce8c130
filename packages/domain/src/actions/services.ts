import type { ManageApiKeys } from '../access/manage-api-keys.ts';
import type { RecentRequests } from '../access/recent-requests.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ManageRetention } from '../erasure/manage-retention.ts';
import type { RetentionReports } from '../erasure/retention-report.ts';
import type { ClientExports } from '../exports/client-exports.ts';
import type { ManageExports } from '../exports/manage-exports.ts';
import type { ReadOverview } from '../overview/read-overview.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { UserLinks } from '../staff/manage-users.ts';
import type { ServiceStatus } from '../staff/service-status.ts';
import type { StoragePart } from '../storage-part.ts';
import type { ManageAppearances } from '../subscription/manage-appearances.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { ManageFlowSettings } from '../subscription/manage-flow-settings.ts';
import type { ClaimNext } from '../verification/claim-next.ts';
import type { ClientVerifications } from '../verification/client-verifications.ts';
import type { FilesOfClient } from '../verification/files-of-client.ts';
import type { ManageVerification } from '../verification/manage-verification.ts';
import type { QueueSubjects } from '../verification/queue-subjects.ts';
import type { ReadActivity } from '../verification/read-activity.ts';
import type { ReadUsage } from '../verification/read-usage.ts';
import type { ReviewQueue } from '../verification/review-queue.ts';
import type { ReviewVerification } from '../verification/review-verification.ts';
import type { SearchCases } from '../verification/search-cases.ts';
import type { ReadTeamDay } from '../verification/team-day.ts';
import type { ManageWebhooks } from '../webhooks/manage-webhooks.ts';
import type { WebhookLog } from '../webhooks/webhook-log.ts';
import type { TeamCaller } from './caller.ts';
import type { WatchReading } from './watch-reading.ts';

/** The use cases and ports behind the actions. They check no rights, so only `createCountersign` holds them. */
export interface Services {
  /** The parts that the storage has. */
  readonly parts: ReadonlySet<StoragePart>;
  readonly apiKeys: ManageApiKeys;
  readonly recentRequests: RecentRequests;
  readonly clients: ManageClients;
  readonly appearances: ManageAppearances;
  readonly flowSettings: ManageFlowSettings;
  readonly readUsage: ReadUsage;
  readonly readActivity: ReadActivity;
  readonly overview: ReadOverview;
  /** The verifications of the team's client. */
  readonly verificationsOf: (team: TeamCaller) => ClientVerifications;
  /** Throws when it is read, if the installation has no user accounts. */
  readonly staff: ManageStaff;
  readonly userLinks: UserLinks;
  /** Throws when it is read, if the installation sends no webhooks. */
  readonly webhooks: ManageWebhooks;
  /** Throws when it is read, if the installation sends no webhooks. */
  readonly webhookLog: WebhookLog;
  /** Undefined if the installation does not report how it runs. */
  readonly serviceStatus: ServiceStatus | undefined;
  readonly rateLimiter: RateLimiter;
  readonly management: ManageVerification;
  readonly retention: ManageRetention & RetentionReports;
  readonly exports: ManageExports;
  /** Files for the client's team. */
  readonly files: FilesOfClient;
  /** Verifications with their files for the client's team. */
  readonly clientExports: ClientExports;
  readonly review: ReviewVerification &
    ReviewQueue &
    QueueSubjects &
    SearchCases &
    ReadTeamDay & { readonly claimNext: ClaimNext };
  /** Raises an alarm about a reviewer who opens many cases or searches often. */
  readonly watchReading: WatchReading;
  readonly audit: Pick<AuditLog, 'list'>;
  /** Returns the client of a verification, or null. Reads nothing sealed. */
  readonly clientOfVerification: (verificationId: string) => Promise<string | null>;
}
