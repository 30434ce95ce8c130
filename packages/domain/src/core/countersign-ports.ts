import type { RecentRequests } from '../access/recent-requests.ts';
import type { ErasureLog } from '../erasure/erasure.ts';
import type { RetentionSettings } from '../erasure/retained-rules.ts';
import type { Evidence } from '../evidence/evidence-keeper.ts';
import type { MailLimits } from '../mailing/mail-budgets.ts';
import type { Mailer } from '../mailing/mailer.ts';
import type { RequestRates } from '../rate-limit/rate-limit-policy.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { DocumentReader } from '../reading/document-reader.ts';
import type { Clock, Ids, Secrets } from '../runtime.ts';
import type { MailRecipients } from '../staff/mail-recipient.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { BulkReading } from '../staff/reading-limits.ts';
import type { ServiceStatus } from '../staff/service-status.ts';
import type { LogoIntake } from '../subscription/logo-intake.ts';
import type { Flows } from '../verification/flow.ts';
import type { NumberChecks } from '../verification/warnings/review-warning.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import type { Sealing } from './storage.ts';
import type { CorePorts, SomeParts } from './storage-parts.ts';

/** The ports that the core needs. */
export interface CountersignPorts {
  /** The core, and any of the parts (`StorageParts`). Calls of a missing part reject with `NOT_AVAILABLE`. */
  readonly storage: CorePorts & SomeParts;
  /** Encrypts personal data in storage and evidence store. `'none'` stores it as plain text. */
  readonly sealing: Sealing | 'none';
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  /** Contents of files. Without it, uploads and downloads reject. */
  readonly evidence?: Evidence | undefined;
  /** Re-encodes logos. Without it, uploads of logos reject. */
  readonly logos?: LogoIntake | undefined;
  /** The list of erasures outside the database. Without it, a restored backup does not forget what was erased after it was made. */
  readonly erasureLog?: ErasureLog | undefined;
  /** Check digits of national numbers. Without it, no number is checked. */
  readonly numberChecks?: NumberChecks | undefined;
  /** Reads pictures of documents. Without it, none is read. Test mode has fixed readings instead of asking it. */
  readonly reader?: DocumentReader | undefined;
  /** Accounts of users. Without it, actions on teams and users reject. */
  readonly staff?: ManageStaff | undefined;
  /** The last requests of the API. Without it, their list in the dashboard is empty. */
  readonly recentRequests?: RecentRequests | undefined;
  /** Reads how the service runs. Without it, the operators' page of the service is empty. */
  readonly serviceStatus?: ServiceStatus | undefined;
  /** Sends test webhooks. Without it, they reject. */
  readonly webhookSender?: WebhookSender | undefined;
  /** Sends e-mail. Without it, none is queued, and creations with `notify` are refused. */
  readonly mailer?: Mailer | undefined;
  /** Reads users for mails to them. Without it, or without `mailer`, their one-time links are passed on by hand. */
  readonly recipients?: MailRecipients | undefined;
  /** Called when a reviewer reaches one of `READING_LIMITS`. The audit log gets an entry too. */
  readonly onBulkReading?: ((read: BulkReading) => void) | undefined;
  /** Receives faults that no caller waits for, such as a failed write of `lastUsedAt`. Default: they are dropped. */
  readonly onFault?: (fault: unknown) => void;
}

/** Settings of `createCountersign`. All but `publicBaseUrl` have a default. */
export interface CountersignSettings {
  /** The address of the service for subjects, without a slash at the end: `https://verify.example`. */
  readonly publicBaseUrl: string;
  /** Days that a link works; default 30. */
  readonly linkLifetimeDays?: number | undefined;
  /** Days from the end of its link after which a verification that was not submitted expires; default 30. 0: never. */
  readonly expireAfterDays?: number | undefined;
  /** Full years that the subject of a KYC verification must have; default 18. */
  readonly minimumAge?: number | undefined;
  /** Steps and versions of each flow; default the built-in ones. Add to `BUILT_IN_FLOWS`, never replace a version in use. */
  readonly flows?: Flows | undefined;
  /**
   * The highest version of the flows that new verifications begin with; default the newest. Lower it while servers of an earlier version of
   * the program serve the same database: they cannot read verifications of flows that they do not know.
   */
  readonly flowVersion?: number | undefined;
  /** Must be true if the storage lacks the part `retention`: nothing is ever erased then, and no page promises it. */
  readonly withoutErasure?: boolean | undefined;
  /** How long data is kept; default `DEFAULT_RETENTION` and `DEFAULT_RETENTION_FLOOR`, by days in UTC. */
  readonly retention?: RetentionSettings | undefined;
  /** Requests a minute; default `DEFAULT_REQUEST_RATES`. */
  readonly requestRates?: RequestRates | undefined;
  /** Mails that one recipient gets; default `DEFAULT_MAIL_LIMITS`. */
  readonly mailLimits?: MailLimits | undefined;
  /** Whether the URL of an endpoint may begin with `http://`; default false. */
  readonly webhooksOverHttp?: boolean | undefined;
  /** Whether return addresses may name `localhost` and `127.0.0.1`, for developers; default false. */
  readonly localReturnAddresses?: boolean | undefined;
}
