import type { SingleSignOnOptions } from '@countersign/accounts';
import type { RequestRates } from '@countersign/domain';
import type { MailLimits } from '@countersign/domain/mail';
import type { RetentionRules } from '@countersign/domain/retention';
import type { MailSender, MailServer } from '@countersign/mail';
import type { PostgresSettings, SqliteSettings } from './database-settings.ts';
import type { EvidenceSettings } from './evidence-setting.ts';
import type { SecretFile } from './secret-files.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Settings of commands that open the database. */
export interface StorageSettings {
  /** An absolute path. */
  readonly dataDir: string;
  readonly database: SqliteSettings | PostgresSettings;
  /** Where files of verifications are. */
  readonly evidence: EvidenceSettings;
  /** Folder for the list of all erasures. An absolute path. */
  readonly erasureLogDir: string;
  /** Whether opening the database migrates it. If false, an outdated database is refused. */
  readonly migrate: boolean;
}

/** Settings of commands that manage clients. */
export interface AdministrationSettings extends StorageSettings {
  /** Whether clients may let subjects return to `localhost`. */
  readonly localReturnAddresses: boolean;
  /** How long data is kept, where a client has no policy of its own, and the floor of all policies. */
  readonly retention: RetentionRules;
}

/** Settings of commands that seal or unseal personal data. */
export interface SealingSettings extends StorageSettings {
  /** Newest first. Undefined outside production: the server keeps a key ring in the data directory. */
  readonly secretKeys: readonly Uint8Array[] | undefined;
  /** Names of secrets that are lost for good: what they sealed stays unreadable. */
  readonly lostSecrets: readonly string[];
}

/** Where webhooks may be sent to. */
export interface WebhookSettings {
  /** Internal networks in CIDR notation that may receive webhooks, by `http://` too. */
  readonly allowedNetworks: readonly string[];
  /** Whether `http://` is allowed for public addresses, too. */
  readonly allowHttp: boolean;
}

/** How mails are sent. */
export interface MailSettings {
  readonly server: MailServer;
  readonly from: MailSender;
}

/** Settings of commands that print links, send test webhooks or change verifications. */
export interface LinkSettings extends SealingSettings {
  /** Without a slash at the end. */
  readonly publicBaseUrl: string;
  readonly webhooks: WebhookSettings;
  /** How long data is kept, where a client has no policy of its own, and the floor of all policies. */
  readonly retention: RetentionRules;
}

/** Settings of `doctor`. */
export interface DoctorSettings extends SealingSettings {
  readonly redisUrl: string | undefined;
  /** Whether pictures of identity documents are read. */
  readonly readsDocuments: boolean;
  /** Undefined: no mails are sent. */
  readonly mail: MailSettings | undefined;
  /** How long data is kept, where a client has no policy of its own, and the floor of all policies. */
  readonly retention: RetentionRules;
  /** Identity providers at which users sign in. Undefined: passwords only. */
  readonly singleSignOn: SingleSignOnOptions | undefined;
  /** The files that secrets were read from. */
  readonly secretFiles: readonly SecretFile[];
}

export interface MetricsSettings {
  readonly host: string;
  readonly port: number;
}

/** Traces are sent to a collector. The SDK of OpenTelemetry reads its other settings itself. */
export interface TracingSettings {
  /** `name=value` pairs, separated by commas. May hold credentials. */
  readonly headers: string | undefined;
  /** What an HTTPS connection to the collector trusts and shows, in PEM. */
  readonly tls: {
    readonly ca: Buffer | undefined;
    readonly cert: Buffer | undefined;
    readonly key: Buffer | undefined;
  };
}

/** Settings of `serve`. */
export interface ServerSettings extends DoctorSettings, LinkSettings, AdministrationSettings {
  readonly production: boolean;
  /** Whether `/design` shows the parts of pages: `npm run dev` only. */
  readonly designPages?: boolean;
  readonly host: string;
  readonly port: number;
  readonly requestRates: RequestRates;
  readonly mailLimits: MailLimits;
  /** Days from the end of its link after which a verification that was not submitted expires; 0: never. */
  readonly expireAfterDays: number;
  /** The highest version of the flows that new verifications begin with. Undefined: the newest. */
  readonly flowVersion: number | undefined;
  /** The hour of the day in which a large SQLite file is cleared of copies of erased values; undefined: never. */
  readonly clearErasedSpaceHour: number | undefined;
  /** Whether reviewers and operators need a second factor. */
  readonly requireSecondFactor: boolean;
  /** Number of proxies in front of the server whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number;
  /** How long a stopping server still takes requests, so that load balancers stop sending them first. */
  readonly stopDelaySeconds: number;
  readonly logLevel: LogLevel;
  /** Address of the metrics. Undefined: no metrics are kept. */
  readonly metrics: MetricsSettings | undefined;
  /** Undefined: no traces are made. */
  readonly tracing: TracingSettings | undefined;
  /** Lines about settings that a production server should have, for its log. */
  readonly warnings: readonly string[];
}
