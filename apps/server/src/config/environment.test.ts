import { join, resolve } from 'node:path';
import { DEFAULT_MAIL_LIMITS } from '@countersign/domain/mail';
import { describe, expect, test } from 'vitest';
import {
  readAdministrationSettings,
  readSealingSettings,
  readServerSettings,
  readStorageSettings,
} from './environment.ts';
import { retentionSettings } from './retention-settings.ts';

const secret = Buffer.alloc(32, 7).toString('base64');
const production = { NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://verify.example', SECRET_KEYS: secret };

describe('settings of an empty environment', () => {
  test('settings of an empty environment are the documented defaults', () => {
    expect(readServerSettings({})).toEqual({
      production: false,
      readsDocuments: true,
      host: '127.0.0.1',
      port: 8080,
      publicBaseUrl: 'http://localhost:8080',
      dataDir: resolve('data'),
      database: { kind: 'sqlite', file: resolve('data/countersign.db') },
      migrate: true,
      redisUrl: undefined,
      evidence: { kind: 'folder', directory: resolve('data/evidence') },
      erasureLogDir: resolve('data/erasures'),
      secretKeys: undefined,
      lostSecrets: [],
      requestRates: { standard: 100, enterprise: 500, anonymous: 100, signedIn: 300 },
      mailLimits: DEFAULT_MAIL_LIMITS,
      expireAfterDays: 30,
      flowVersion: undefined,
      clearErasedSpaceHour: 3,
      localReturnAddresses: true,
      webhooks: { allowedNetworks: ['127.0.0.0/8', '::1/128'], allowHttp: true },
      retention: retentionSettings({}),
      requireSecondFactor: false,
      trustedProxies: 0,
      stopDelaySeconds: 0,
      logLevel: 'info',
      metrics: undefined,
      tracing: undefined,
      secretFiles: [],
      warnings: [],
    });
  });

  test('equal the settings of empty variables', () => {
    const empty = { PORT: '', HOST: '', PUBLIC_BASE_URL: '', DATA_DIR: '', SECRET_KEYS: '', REDIS_URL: '' };
    expect(readServerSettings(empty)).toEqual(readServerSettings({}));
  });
});

test('readServerSettings: reads every variable', () => {
  const settings = readServerSettings({
    ...production,
    PORT: '9000',
    HOST: '::',
    DATA_DIR: '/var/lib/countersign',
    STANDARD_REQUESTS_PER_MINUTE: '1',
    ENTERPRISE_REQUESTS_PER_MINUTE: '2',
    ANONYMOUS_REQUESTS_PER_MINUTE: '3',
    SIGNED_IN_REQUESTS_PER_MINUTE: '4',
    TRUST_PROXY: '2',
    LOST_SECRETS: '6c22178fcd3c5a45, 12345',
    LOG_LEVEL: 'debug',
    DATABASE_URL: 'postgres://u:hunter2@db/x',
    DATABASE_DIRECT_URL: 'postgresql://u:hunter2@direct/x?sslmode=require',
    DATABASE_POOL_SIZE: '3',
    DATABASE_NAMED_STATEMENTS: 'off',
    MIGRATE: 'off',
    REDIS_URL: 'rediss://:hunter2@cache:6380/1',
    EVIDENCE_URL: 'file:///srv/evidence/',
    ERASURE_LOG_URL: 'file:///srv/erasures/',
    READER: 'off',
    METRICS_PORT: '9100',
    METRICS_HOST: '::1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
    SECOND_FACTOR: 'optional',
    EXPIRE_AFTER_DAYS: '0',
    FLOW_VERSION: '2',
    WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16, fd12:3456::/48',
    SMTP_URL: 'smtps://ada:hunter2@smtp.example',
    MAIL_FROM: 'Example <no-reply@verify.example>',
    RETENTION_TIME_ZONE: 'Asia/Tokyo',
    STOP_DELAY_SECONDS: '10',
  });
  expect(settings).toEqual({
    production: true,
    host: '::',
    port: 9000,
    publicBaseUrl: 'https://verify.example',
    readsDocuments: false,
    dataDir: '/var/lib/countersign',
    database: {
      kind: 'postgres',
      url: 'postgres://u:hunter2@db/x',
      directUrl: 'postgresql://u:hunter2@direct/x?sslmode=require',
      poolSize: 3,
      namedStatements: false,
    },
    migrate: false,
    redisUrl: 'rediss://:hunter2@cache:6380/1',
    mail: {
      server: {
        host: 'smtp.example',
        port: 465,
        encryption: 'tls',
        credentials: { user: 'ada', password: 'hunter2' },
      },
      from: { name: 'Example', address: 'no-reply@verify.example' },
    },
    evidence: { kind: 'folder', directory: '/srv/evidence' },
    erasureLogDir: '/srv/erasures',
    secretKeys: [Buffer.alloc(32, 7)],
    lostSecrets: ['6c22178fcd3c5a45', '12345'],
    requestRates: { standard: 1, enterprise: 2, anonymous: 3, signedIn: 4 },
    mailLimits: DEFAULT_MAIL_LIMITS,
    expireAfterDays: 0,
    flowVersion: 2,
    clearErasedSpaceHour: undefined,
    localReturnAddresses: false,
    webhooks: { allowedNetworks: ['10.20.0.0/16', 'fd12:3456::/48'], allowHttp: false },
    retention: { ...retentionSettings({}), timeZone: 'Asia/Tokyo' },
    requireSecondFactor: false,
    trustedProxies: 2,
    stopDelaySeconds: 10,
    logLevel: 'debug',
    metrics: { host: '::1', port: 9100 },
    tracing: {
      headers: 'authorization=Bearer%20hunter2',
      tls: { ca: undefined, cert: undefined, key: undefined },
    },
    secretFiles: [],
    warnings: [],
  });
});

test.each<[mode: string, url: string | undefined, allowed: boolean]>([
  ['development', undefined, true],
  ['test', 'https://verify.example', true],
  ['production', 'https://verify.example', false],
  ['production', undefined, false],
  ['production', 'http://localhost:8080', true],
  ['production', 'http://127.0.0.1:8080', true],
])('in %s at %s, return addresses may name localhost: %s', (mode, url, allowed) => {
  const settings = readAdministrationSettings({ NODE_ENV: mode, PUBLIC_BASE_URL: url });
  expect(settings.localReturnAddresses).toBe(allowed);
});

test('PUBLIC_BASE_URL: the default has the port of PORT', () => {
  expect(readServerSettings({ PORT: '9000' }).publicBaseUrl).toBe('http://localhost:9000');
});

test.each(['http://10.0.0.1:8080', 'https://verify.example/kyc', 'https://[::1]:8443'])(
  'PUBLIC_BASE_URL: accepts %s',
  (url) => {
    expect(readServerSettings({ PUBLIC_BASE_URL: url }).publicBaseUrl).toBe(url);
  },
);

describe('an invalid value is refused with one line that names the variable', () => {
  const bad: [variable: string, value: string, problem: RegExp][] = [
    ['PORT', '0', /is "0": expected a whole number from 1 to 65535$/],
    ['PORT', '65536', /is "65536": expected a whole number from 1 to 65535$/],
    ['PORT', '80a', /is "80a": expected a whole number/],
    ['PORT', ' 80', /is " 80": expected a whole number/],
    ['PORT', '-1', /is "-1"/],
    ['PORT', '1e3', /is "1e3"/],
    ['HOST', 'localhost:80', /is "localhost:80": expected an IP address or a host name, without a port$/],
    ['HOST', '999.1.1.1', /is "999.1.1.1"/],
    ['HOST', 'http://x', /is/],
    ['PUBLIC_BASE_URL', 'https://verify.example/', /is .*: expected a URL such as .*without a slash/],
    ['PUBLIC_BASE_URL', 'ftp://verify.example', /is/],
    ['PUBLIC_BASE_URL', 'verify.example', /is/],
    ['PUBLIC_BASE_URL', 'https://', /is/],
    ['PUBLIC_BASE_URL', 'https://verify.example?x=1', /is/],
    ['PUBLIC_BASE_URL', 'https://user:hunter2@verify.example', /is/],
    ['PUBLIC_BASE_URL', 'https://verify.example:99999', /is/],
    ['NODE_ENV', 'prod', /is "prod": expected one of production, development, test$/],
    ['DATABASE_URL', 'postgres://u:hunter2@db:x/x', /is not a valid PostgreSQL URL: expected postgres:/],
    ['DATABASE_URL', 'countersign.db', /is neither a file: nor a postgres: URL: expected file:/],
    [
      'DATABASE_DIRECT_URL',
      'postgres://u:hunter2@db/x',
      /is set, but DATABASE_URL is not a PostgreSQL URL: unset it$/,
    ],
    ['DATABASE_POOL_SIZE', '5', /is set, but DATABASE_URL is not a PostgreSQL URL: unset it$/],
    ['DATABASE_POOL_SIZE', '0', /is "0": expected a whole number from 1 to 1000$/],
    ['DATABASE_NAMED_STATEMENTS', 'on', /is set, but DATABASE_URL is not a PostgreSQL URL: unset it$/],
    ['DATABASE_NAMED_STATEMENTS', 'no', /is "no": expected one of on, off$/],
    ['MIGRATE', 'never', /is "never": expected one of on, off$/],
    ['REDIS_URL', 'http://:hunter2@cache', /is not a valid Redis URL: expected redis:/],
    ['REDIS_URL', 'redis://:hunter2@cache:port', /is not a valid Redis URL: expected redis:/],
    ['METRICS_PORT', '0', /is "0": expected a whole number from 1 to 65535$/],
    ['METRICS_PORT', '8080', /is 8080, the port of the API: expected another port$/],
    ['METRICS_HOST', '::1', /is set, but METRICS_PORT is not: set both or neither$/],
    ['SECRET_KEYS', 'short', /is neither/],
    ['STANDARD_REQUESTS_PER_MINUTE', '0', /is "0": expected a whole number from 1 /],
    ['ENTERPRISE_REQUESTS_PER_MINUTE', 'many', /is "many"/],
    ['ANONYMOUS_REQUESTS_PER_MINUTE', '1.5', /is "1.5"/],
    ['SIGNED_IN_REQUESTS_PER_MINUTE', '0', /is "0"/],
    [
      'WEBHOOK_ALLOWED_NETWORKS',
      '10.1.2.3/8',
      /is "10.1.2.3\/8": "10.1.2.3\/8" is not the start of a network: write 10.0.0.0\/8$/,
    ],
    ['WEBHOOK_ALLOWED_NETWORKS', 'intranet', /is "intranet": .* is not a network such as/],
    ['TRUST_PROXY', 'true', /is "true": expected a whole number from 0 to 32$/],
    ['LOG_LEVEL', 'verbose', /is "verbose": expected one of fatal, error, warn, info, debug, trace, silent$/],
    ['EVIDENCE_URL', 's3://key:hunter2@host/bucket', /has credentials: leave them to the SDK/],
    ['EVIDENCE_URL', 'https://host/bucket', /is neither a file: nor an s3: URL: expected file: and a dir/],
    ['EVIDENCE_URL', 'file:data', /contains DATA_DIR: expected file: /],
    ['ERASURE_LOG_URL', 's3://key:hunter2@host/bucket', /is not a file: URL: expected file: and a dir/],
    ['ERASURE_LOG_URL', 'file:data', /contains DATA_DIR: expected file: .*, outside or below DATA_DIR$/],
    ['ERASURE_LOG_URL', 'file:data/evidence', /contains EVIDENCE_URL: /],
    ['ERASURE_LOG_URL', 'file:data/evidence/erasures', /is in the folder of EVIDENCE_URL: expected/],
    ['EVIDENCE_URL', 'file:data/../..', /contains DATA_DIR/],
    ['PORT', '80\n443', /is "80\\n443": expected/],
  ];

  test.each(bad)('%s=%s', (variable, value, problem) => {
    expect(() => readServerSettings({ [variable]: value })).toThrow(new RegExp(`^${variable} ${problem.source}`));
    expect(() => readServerSettings({ [variable]: value })).not.toThrow(/\n|hunter2/);
  });
});

describe('production', () => {
  test('requires only PUBLIC_BASE_URL and SECRET_KEYS', () => {
    expect(readServerSettings(production).production).toBe(true);
  });

  test('sends webhooks to no network inside unless WEBHOOK_ALLOWED_NETWORKS names it', () => {
    expect(readServerSettings(production).webhooks).toEqual({ allowedNetworks: [], allowHttp: false });
  });

  test('requires a second factor unless SECOND_FACTOR says otherwise', () => {
    expect(readServerSettings(production).requireSecondFactor).toBe(true);
    expect(readServerSettings({ ...production, SECOND_FACTOR: 'optional' }).requireSecondFactor).toBe(false);
    expect(readServerSettings({ SECOND_FACTOR: 'required' }).requireSecondFactor).toBe(true);
  });

  test.each(['http://verify.example', 'http://203.0.113.7:8080', 'http://[2001:db8::1]/countersign'])(
    'refuses the unencrypted public address %s',
    (url) => {
      expect(() => readServerSettings({ ...production, PUBLIC_BASE_URL: url })).toThrow(
        /^PUBLIC_BASE_URL is "http:.*", which is not encrypted: production requires https:\/\/ for a public host$/,
      );
      expect(
        readServerSettings({ ...production, PUBLIC_BASE_URL: url.replace('http:', 'https:') }).production,
      ).toBe(true);
      expect(readServerSettings({ PUBLIC_BASE_URL: url }).publicBaseUrl).toBe(url);
    },
  );

  test.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://10.1.2.3',
    'http://172.31.0.1',
    'http://192.168.1.1/kyc',
    'http://[fd00::1]',
    'http://verify',
    'http://verify.internal',
    'http://verify.local',
  ])('accepts the unencrypted private address %s', (url) => {
    expect(readServerSettings({ ...production, PUBLIC_BASE_URL: url }).publicBaseUrl).toBe(url);
  });

  test.each(['PUBLIC_BASE_URL', 'SECRET_KEYS'])('refuses to start without %s', (variable) => {
    const line = new RegExp(`^${variable} is not set, but production requires it: expected `);
    expect(() => readServerSettings({ ...production, [variable]: undefined })).toThrow(line);
    expect(() => readServerSettings({ ...production, [variable]: '' })).toThrow(line);
  });
});

test('ERASURE_LOG_URL: the default is refused inside the evidence folder', () => {
  expect(() => readServerSettings({ DATA_DIR: '/srv/data', EVIDENCE_URL: 'file:/srv/data/erasures' })).toThrow(
    /^ERASURE_LOG_URL is in the folder of EVIDENCE_URL: /,
  );
});

test('ERASURE_LOG_URL: a production server warns without it', () => {
  expect(readServerSettings(production).warnings).toEqual([
    expect.stringMatching(/^ERASURE_LOG_URL is not set: /),
  ]);
  expect(readServerSettings({ ...production, ERASURE_LOG_URL: 'file:/srv/erasures' }).warnings).toEqual([]);
});

test('EVIDENCE_URL: the default is a folder in the data directory', () => {
  expect(readServerSettings({ DATA_DIR: '/srv' }).evidence).toEqual({
    kind: 'folder',
    directory: '/srv/evidence',
  });
});

test('readSealingSettings: reads only the variables of the database, the evidence and the secrets', () => {
  expect(readSealingSettings({ DATA_DIR: '/srv', PORT: 'bad', SECRET_KEYS: secret })).toEqual({
    dataDir: '/srv',
    database: { kind: 'sqlite', file: join('/srv', 'countersign.db') },
    evidence: { kind: 'folder', directory: join('/srv', 'evidence') },
    erasureLogDir: join('/srv', 'erasures'),
    migrate: true,
    secretKeys: [Buffer.alloc(32, 7)],
    lostSecrets: [],
  });
  expect(() => readSealingSettings({ SECRET_KEYS: 'short' })).toThrow(/^SECRET_KEYS is neither/);
});

test('readStorageSettings: reads only the variables of the database and the evidence, in production too', () => {
  const settings = readStorageSettings({ NODE_ENV: 'production', PORT: 'bad', DATA_DIR: '/srv', REDIS_URL: 'x' });
  expect(settings).toEqual({
    dataDir: '/srv',
    database: { kind: 'sqlite', file: join('/srv', 'countersign.db') },
    evidence: { kind: 'folder', directory: join('/srv', 'evidence') },
    erasureLogDir: join('/srv', 'erasures'),
    migrate: true,
  });
});

test('FLOW_VERSION: a version below the newest is allowed, and a line in the log recalls it', () => {
  expect(readServerSettings({ FLOW_VERSION: '1' })).toMatchObject({
    flowVersion: 1,
    warnings: [
      expect.stringMatching(/^FLOW_VERSION is 1: .*Unset it once no server of an earlier version is running$/),
    ],
  });
  expect(readServerSettings({ FLOW_VERSION: '2' }).warnings).toEqual([]);
});
