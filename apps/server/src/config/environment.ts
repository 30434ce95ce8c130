import { resolve } from 'node:path';
import { DEFAULT_REQUEST_RATES, EXPIRE_AFTER_DAYS } from '@countersign/domain';
import { z } from 'zod';
import { cameraWarnings } from './camera-warning.ts';
import { databaseSettings } from './database-settings.ts';
import { erasureLogDirectory, erasureLogWarnings } from './erasure-log-setting.ts';
import { SettingError } from './errors.ts';
import { defaultEvidence, evidenceSettings, folderOf } from './evidence-setting.ts';
import { flowVersion, flowVersionWarnings } from './flow-version.ts';
import { mailLimits, mailLimitVariables } from './mail-limits.ts';
import { mailSettings } from './mail-settings.ts';
import {
  baseUrl,
  type Environment,
  listenHost,
  networks,
  oneOf,
  parse,
  parseWithFiles,
  secret,
  secretVariablesOf,
  wholeNumber,
} from './parse-environment.ts';
import { isPublicHost } from './public-host.ts';
import { clearingHour, retentionSettings } from './retention-settings.ts';
import { secretFileWarnings } from './secret-files.ts';
import { parseSecretKeys, parseSecretNames } from './secret-keys.ts';
import { checkedRedisUrl } from './server-urls.ts';
import {
  type AdministrationSettings,
  type DoctorSettings,
  type LinkSettings,
  LOG_LEVELS,
  type MetricsSettings,
  type SealingSettings,
  type ServerSettings,
  type StorageSettings,
  type WebhookSettings,
} from './settings.ts';
import { type SingleSignOnSettings, singleSignOnSettings } from './single-sign-on-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

const PRODUCTION = 'production';
const DEFAULT_HOST = '127.0.0.1';
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** Ten years. */
const EXPIRE_AFTER_DAYS_MAX = 3_650;
const ratePerMinute = wholeNumber(1, 1_000_000_000);

/** The schema of each variable. The names are public; docs/operations.md describes them. Secrets can be in files. */
const variables = {
  NODE_ENV: oneOf([PRODUCTION, 'development', 'test']).default('development'),
  PORT: wholeNumber(1, 65_535).default(8080),
  HOST: listenHost.default(DEFAULT_HOST),
  PUBLIC_BASE_URL: baseUrl.optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: secret(z.string().optional()),
  DATABASE_DIRECT_URL: secret(z.string().optional()),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000).optional(),
  DATABASE_NAMED_STATEMENTS: oneOf(['on', 'off']).optional(),
  MIGRATE: oneOf(['on', 'off']).default('on'),
  REDIS_URL: secret(z.string().optional()),
  EVIDENCE_URL: z.string().optional(),
  ERASURE_LOG_URL: z.string().optional(),
  READER: oneOf(['on', 'off']).default('on'),
  SECRET_KEYS: secret(z.string().optional(), { isList: true }),
  LOST_SECRETS: z.string().optional(),
  STANDARD_REQUESTS_PER_MINUTE: ratePerMinute.default(DEFAULT_REQUEST_RATES.standard),
  ENTERPRISE_REQUESTS_PER_MINUTE: ratePerMinute.default(DEFAULT_REQUEST_RATES.enterprise),
  ANONYMOUS_REQUESTS_PER_MINUTE: ratePerMinute.default(DEFAULT_REQUEST_RATES.anonymous),
  SIGNED_IN_REQUESTS_PER_MINUTE: ratePerMinute.default(DEFAULT_REQUEST_RATES.signedIn),
  EXPIRE_AFTER_DAYS: wholeNumber(0, EXPIRE_AFTER_DAYS_MAX).default(EXPIRE_AFTER_DAYS),
  FLOW_VERSION: flowVersion.optional(),
  SSO_PROVIDERS_FILE: z.string().optional(),
  SECOND_FACTOR: oneOf(['required', 'optional']).optional(),
  WEBHOOK_ALLOWED_NETWORKS: networks.optional(),
  SMTP_URL: secret(z.string().optional()),
  MAIL_FROM: z.string().optional(),
  ...mailLimitVariables,
  TRUST_PROXY: wholeNumber(0, 32).default(0),
  STOP_DELAY_SECONDS: wholeNumber(0, 300).default(0),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_HOST: listenHost.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secret(z.string().optional()),
};

const serverSchema = z.object(variables);

/** The names of all variables but those of retention and of traces, which have lists of their own. */
export const SERVER_VARIABLES: readonly string[] = Object.keys(variables);

/** The variables that hold secrets. */
export const SECRET_VARIABLES: readonly string[] = secretVariablesOf(serverSchema);

const storageSchema = serverSchema.pick({
  DATA_DIR: true,
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  DATABASE_POOL_SIZE: true,
  DATABASE_NAMED_STATEMENTS: true,
  MIGRATE: true,
  EVIDENCE_URL: true,
  ERASURE_LOG_URL: true,
});
const administrationSchema = storageSchema.extend({
  NODE_ENV: variables.NODE_ENV,
  PUBLIC_BASE_URL: variables.PUBLIC_BASE_URL,
});
const sealingSchema = storageSchema.extend({
  SECRET_KEYS: variables.SECRET_KEYS,
  LOST_SECRETS: variables.LOST_SECRETS,
});
const doctorSchema = sealingSchema.extend({
  NODE_ENV: variables.NODE_ENV,
  SSO_PROVIDERS_FILE: variables.SSO_PROVIDERS_FILE,
  REDIS_URL: variables.REDIS_URL,
  READER: variables.READER,
  SMTP_URL: variables.SMTP_URL,
  MAIL_FROM: variables.MAIL_FROM,
});
const linkSchema = sealingSchema.extend({
  NODE_ENV: variables.NODE_ENV,
  PORT: variables.PORT,
  PUBLIC_BASE_URL: variables.PUBLIC_BASE_URL,
  WEBHOOK_ALLOWED_NETWORKS: variables.WEBHOOK_ALLOWED_NETWORKS,
});

/** @throws SettingError */
export function readStorageSettings(environment: Environment): StorageSettings {
  return storageSettings(parse(storageSchema, environment));
}

/** @throws SettingError */
export function readAdministrationSettings(environment: Environment): AdministrationSettings {
  const values = parse(administrationSchema, environment);
  return {
    ...storageSettings(values),
    localReturnAddresses: allowsLocalReturns(values),
    retention: retentionSettings(environment),
  };
}

/** @throws SettingError */
export function readSealingSettings(environment: Environment): SealingSettings {
  return sealingSettings(parse(sealingSchema, environment));
}

/** @throws SettingError */
export function readDoctorSettings(environment: Environment): DoctorSettings {
  const { values, secretFiles } = parseWithFiles(doctorSchema, environment);
  const singleSignOn = singleSignOnOf(values);
  return doctorSettings(values, environment, {
    singleSignOn: singleSignOn?.options,
    secretFiles: [...secretFiles, ...(singleSignOn?.files ?? [])],
  });
}

/** @throws SettingError */
export function readLinkSettings(environment: Environment): LinkSettings {
  const values = parse(linkSchema, environment);
  return {
    ...sealingSettings(values),
    publicBaseUrl: publicBaseUrlOf(values),
    webhooks: webhookSettings(values),
    retention: retentionSettings(environment),
  };
}

/** @throws SettingError */
export function readServerSettings(environment: Environment): ServerSettings {
  const { values, secretFiles } = parseWithFiles(serverSchema, environment);
  const production = values.NODE_ENV === PRODUCTION;
  const publicBaseUrl = publicBaseUrlOf(values);
  if (production) {
    required('SECRET_KEYS', values.SECRET_KEYS, 'at least one secret of 32 bytes in base64 or hexadecimal');
  }
  const singleSignOn = singleSignOnOf(values);
  return {
    ...doctorSettings(values, environment, { singleSignOn: singleSignOn?.options, secretFiles }),
    production,
    host: values.HOST,
    port: values.PORT,
    publicBaseUrl,
    localReturnAddresses: allowsLocalReturns(values),
    webhooks: webhookSettings(values),
    requestRates: {
      standard: values.STANDARD_REQUESTS_PER_MINUTE,
      enterprise: values.ENTERPRISE_REQUESTS_PER_MINUTE,
      anonymous: values.ANONYMOUS_REQUESTS_PER_MINUTE,
      signedIn: values.SIGNED_IN_REQUESTS_PER_MINUTE,
    },
    mailLimits: mailLimits(values),
    expireAfterDays: values.EXPIRE_AFTER_DAYS,
    flowVersion: values.FLOW_VERSION,
    clearErasedSpaceHour: clearingHour(environment, databaseSettings(values, resolve(values.DATA_DIR)).kind),
    requireSecondFactor: (values.SECOND_FACTOR ?? (production ? 'required' : 'optional')) === 'required',
    trustedProxies: values.TRUST_PROXY,
    stopDelaySeconds: values.STOP_DELAY_SECONDS,
    logLevel: values.LOG_LEVEL,
    metrics: metricsSettings(values),
    tracing: tracingSettings(environment, values.OTEL_EXPORTER_OTLP_HEADERS),
    warnings: [
      ...cameraWarnings(publicBaseUrl),
      ...erasureLogWarnings(values.ERASURE_LOG_URL, production),
      ...flowVersionWarnings(values.FLOW_VERSION),
      ...secretFileWarnings([...secretFiles, ...(singleSignOn?.files ?? [])]),
    ],
  };
}

function publicBaseUrlOf(values: z.output<typeof linkSchema>): string {
  if (values.NODE_ENV === PRODUCTION) {
    required('PUBLIC_BASE_URL', values.PUBLIC_BASE_URL, 'the URL at which subjects reach this server');
    requireEncryption(values.PUBLIC_BASE_URL ?? '');
  }
  return values.PUBLIC_BASE_URL ?? `http://localhost:${values.PORT}`;
}

/** In development, receivers run on the same machine. In production, operators name internal networks. */
function webhookSettings(values: z.output<typeof linkSchema>): WebhookSettings {
  const isProduction = values.NODE_ENV === PRODUCTION;
  return {
    allowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS ?? (isProduction ? [] : LOOPBACK),
    allowHttp: !isProduction,
  };
}

/** In production, subjects use other machines than the client's developers, unless no one reaches the server from outside. */
function allowsLocalReturns({
  NODE_ENV: mode,
  PUBLIC_BASE_URL: url,
}: Pick<z.output<typeof serverSchema>, 'NODE_ENV' | 'PUBLIC_BASE_URL'>): boolean {
  return mode !== PRODUCTION || (url !== undefined && !isPublicHost(new URL(url).hostname));
}

/** Links carry tokens, and pages carry passwords and documents. */
function requireEncryption(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || !isPublicHost(hostname)) return;
  throw new SettingError(
    'PUBLIC_BASE_URL',
    `is ${JSON.stringify(url)}, which is not encrypted: production requires https:// for a public host`,
  );
}

function storageSettings(values: z.output<typeof storageSchema>): StorageSettings {
  const { EVIDENCE_URL: evidenceUrl, ERASURE_LOG_URL: erasureLogUrl } = values;
  const dataDir = resolve(values.DATA_DIR);
  const evidence =
    evidenceUrl === undefined
      ? defaultEvidence(dataDir)
      : evidenceSettings('EVIDENCE_URL', evidenceUrl, { DATA_DIR: dataDir });
  return {
    dataDir,
    database: databaseSettings(values, dataDir),
    evidence,
    erasureLogDir: erasureLogDirectory(erasureLogUrl, { dataDir, evidenceDir: folderOf(evidence) }),
    migrate: values.MIGRATE === 'on',
  };
}

function sealingSettings(values: z.output<typeof sealingSchema>): SealingSettings {
  const { SECRET_KEYS: ring } = values;
  return {
    ...storageSettings(values),
    secretKeys: ring === undefined ? undefined : parseSecretKeys('SECRET_KEYS', ring),
    lostSecrets: values.LOST_SECRETS === undefined ? [] : parseSecretNames('LOST_SECRETS', values.LOST_SECRETS),
  };
}

function doctorSettings(
  values: z.output<typeof doctorSchema>,
  environment: Environment,
  read: Pick<DoctorSettings, 'singleSignOn' | 'secretFiles'>,
): DoctorSettings {
  const { REDIS_URL: redisUrl } = values;
  return {
    ...sealingSettings(values),
    redisUrl: redisUrl === undefined ? undefined : checkedRedisUrl('REDIS_URL', redisUrl),
    readsDocuments: values.READER === 'on',
    mail: mailSettings(values),
    retention: retentionSettings(environment),
    ...read,
  };
}

function singleSignOnOf(values: z.output<typeof doctorSchema>): SingleSignOnSettings | undefined {
  return singleSignOnSettings(values.SSO_PROVIDERS_FILE, { production: values.NODE_ENV === PRODUCTION });
}

function metricsSettings(values: z.output<typeof serverSchema>): MetricsSettings | undefined {
  const { METRICS_HOST: host, METRICS_PORT: port } = values;
  if (port !== undefined) {
    const address = { host: host ?? DEFAULT_HOST, port };
    if (port === values.PORT && address.host === values.HOST) {
      throw new SettingError('METRICS_PORT', `is ${port}, the port of the API: expected another port`);
    }
    return address;
  }
  if (host !== undefined)
    throw new SettingError('METRICS_HOST', 'is set, but METRICS_PORT is not: set both or neither');
  return undefined;
}

function required(variable: string, value: string | undefined, expected: string): void {
  if (value === undefined)
    throw new SettingError(variable, `is not set, but production requires it: expected ${expected}`);
}
