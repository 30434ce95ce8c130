import { join, resolve } from 'node:path';
import type { RequestRates } from '@countersign/domain';
import { z } from 'zod';
import { databaseFileOf } from './database-url.ts';
import { parseSecretKeys } from './secret-keys.ts';
import { SettingError } from './setting-error.ts';
import { baseUrl, listenHost, oneOf, wholeNumber } from './setting-values.ts';

/** The environment as it comes: names and texts. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What every command needs that touches the database. */
export interface StorageSettings {
  readonly dataDir: string;
  /** The SQLite file, as an absolute path. */
  readonly databaseFile: string;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What `serve` needs. */
export interface ServerSettings extends StorageSettings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. */
  readonly publicBaseUrl: string;
  /** Newest first; undefined outside production means the ring that is kept in the data directory. */
  readonly secretKeys: readonly Uint8Array[] | undefined;
  readonly requestRates: RequestRates;
  /** Proxies in front of the server whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: number;
  readonly logLevel: LogLevel;
}

const PRODUCTION = 'production';
const ratePerMinute = wholeNumber(1, 1_000_000_000);

/** One schema for each variable (docs: README, Settings). The names are the public contract. */
const variables = {
  NODE_ENV: oneOf([PRODUCTION, 'development', 'test']).default('development'),
  PORT: wholeNumber(1, 65_535).default(8080),
  HOST: listenHost.default('127.0.0.1'),
  PUBLIC_BASE_URL: baseUrl.optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z.string().optional(),
  SECRET_KEYS: z.string().optional(),
  STANDARD_REQUESTS_PER_MINUTE: ratePerMinute.default(100),
  ENTERPRISE_REQUESTS_PER_MINUTE: ratePerMinute.default(500),
  ANONYMOUS_REQUESTS_PER_MINUTE: ratePerMinute.default(100),
  TRUST_PROXY: wholeNumber(0, 32).default(0),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
};

const storageSchema = z.object({ DATA_DIR: variables.DATA_DIR, DATABASE_URL: variables.DATABASE_URL });
const serverSchema = z.object(variables);

/** Settings of the design that this version cannot honour. Ignoring one would let its owner believe it holds. */
const NOT_YET: Environment = {
  REDIS_URL: 'this version counts requests in its own memory and shares nothing: unset it',
  EVIDENCE_URL: 'this version keeps no files: unset it',
};

/** @throws SettingError */
export function readStorageSettings(environment: Environment): StorageSettings {
  return storageSettings(parse(storageSchema, environment));
}

/** @throws SettingError */
export function readServerSettings(environment: Environment): ServerSettings {
  for (const [variable, reason] of Object.entries(NOT_YET)) {
    if (environment[variable]) throw new SettingError(variable, `is set, but ${reason}`);
  }
  const values = parse(serverSchema, environment);
  const production = values.NODE_ENV === PRODUCTION;
  if (production) {
    required('PUBLIC_BASE_URL', values.PUBLIC_BASE_URL, 'the address at which subjects reach this server');
    required('SECRET_KEYS', values.SECRET_KEYS, 'at least one secret of 32 bytes in base64 or hexadecimal');
  }
  return {
    ...storageSettings(values),
    production,
    host: values.HOST,
    port: values.PORT,
    publicBaseUrl: values.PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`,
    secretKeys: values.SECRET_KEYS === undefined ? undefined : parseSecretKeys('SECRET_KEYS', values.SECRET_KEYS),
    requestRates: {
      standard: values.STANDARD_REQUESTS_PER_MINUTE,
      enterprise: values.ENTERPRISE_REQUESTS_PER_MINUTE,
      anonymous: values.ANONYMOUS_REQUESTS_PER_MINUTE,
    },
    trustedProxies: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
  };
}

function storageSettings(values: z.output<typeof storageSchema>): StorageSettings {
  const dataDir = resolve(values.DATA_DIR);
  const databaseFile =
    values.DATABASE_URL === undefined
      ? join(dataDir, 'countersign.db')
      : databaseFileOf('DATABASE_URL', values.DATABASE_URL);
  return { dataDir, databaseFile };
}

function required(variable: string, value: string | undefined, expected: string): void {
  if (value === undefined)
    throw new SettingError(variable, `is not set, but production needs it: expected ${expected}`);
}

/** An empty variable counts as not set: that is how compose files and unit files write "nothing". */
function parse<S extends z.ZodObject>(schema: S, environment: Environment): z.output<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, environment[name] || undefined]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const variable = String(issue?.path[0]);
  throw new SettingError(variable, `is ${quoted(given[variable] ?? '')}: ${issue?.message}`);
}

/** On one line, not too long, and without what may be a password. */
function quoted(value: string): string {
  return JSON.stringify(value.replace(/\/\/.*@/, '//…@').slice(0, 100));
}
