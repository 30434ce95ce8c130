import type { RequestRates } from '@countersign/domain';
import type { PostgresSettings, SqliteSettings } from './database-settings.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What every command needs that touches the database. */
export interface StorageSettings {
  /** An absolute path. */
  readonly dataDir: string;
  readonly database: SqliteSettings | PostgresSettings;
  /** Whether to bring the database to this version's schema when it is opened; else an outdated one is refused. */
  readonly migrate: boolean;
}

/** What is needed besides by whoever seals. */
export interface SealingSettings extends StorageSettings {
  /** Newest first; undefined outside production means the ring that is kept in the data directory. */
  readonly secretKeys: readonly Uint8Array[] | undefined;
}

/** What commands need that print links. */
export interface LinkSettings extends SealingSettings {
  /** Without a slash at the end. */
  readonly publicBaseUrl: string;
}

/** What `doctor` looks at. */
export interface DoctorSettings extends SealingSettings {
  /** Where files of verifications are kept; an absolute path. */
  readonly evidenceDir: string;
  readonly redisUrl: string | undefined;
}

export interface MetricsSettings {
  readonly host: string;
  readonly port: number;
}

/** What `serve` needs. */
export interface ServerSettings extends DoctorSettings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. */
  readonly publicBaseUrl: string;
  readonly requestRates: RequestRates;
  /** Whether reviewers and operators must have a second factor before they see anything. */
  readonly requireSecondFactor: boolean;
  /** Proxies in front of the server whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: number;
  readonly logLevel: LogLevel;
  /** Where the metrics are to be read; undefined means that none are kept. */
  readonly metrics: MetricsSettings | undefined;
}
