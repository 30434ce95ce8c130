// Starts the command line for settings that are refused.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { readServerSettings, SERVER_VARIABLES } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://verify.example', SECRET_KEYS: SECRET };
const POSTGRES = { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' };
const TRACES = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

/** Settings that `serve` refuses: the variable that both commands name, and the environment. */
const BAD: readonly (readonly [variable: string, environment: Environment])[] = [
  ['NODE_ENV', { NODE_ENV: 'prod' }],
  ['PORT', { PORT: '0' }],
  ['HOST', { HOST: 'verify.example:80' }],
  ['PUBLIC_BASE_URL', { PUBLIC_BASE_URL: 'https://verify.example/' }],
  ['PUBLIC_BASE_URL', { ...PRODUCTION, PUBLIC_BASE_URL: '' }],
  ['PUBLIC_BASE_URL', { ...PRODUCTION, PUBLIC_BASE_URL: 'http://verify.example' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://u:hunter2@localhost/x' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://u:hunter2@localhost:x/x' }],
  ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://u:hunter2@localhost/x' }],
  ['DATABASE_DIRECT_URL', { ...POSTGRES, DATABASE_DIRECT_URL: 'localhost' }],
  ['DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '5' }],
  ['DATABASE_POOL_SIZE', { ...POSTGRES, DATABASE_POOL_SIZE: '0' }],
  ['DATABASE_NAMED_STATEMENTS', { ...POSTGRES, DATABASE_NAMED_STATEMENTS: 'no' }],
  ['MIGRATE', { MIGRATE: 'never' }],
  ['REDIS_URL', { REDIS_URL: 'http://:hunter2@cache' }],
  ['EVIDENCE_URL', { EVIDENCE_URL: 'https://host/bucket' }],
  ['EVIDENCE_URL', { EVIDENCE_URL: 's3://key:hunter2@host/bucket' }],
  ['ERASURE_LOG_URL', { ERASURE_LOG_URL: 's3://bucket/erasures' }],
  ['READER', { READER: 'maybe' }],
  ['SECRET_KEYS', { SECRET_KEYS: 'hunter2' }],
  ['SECRET_KEYS', { SECRET_KEYS: `${SECRET},` }],
  ['SECRET_KEYS', { ...PRODUCTION, SECRET_KEYS: '' }],
  ['SECRET_KEYS_FILE', { SECRET_KEYS: SECRET, SECRET_KEYS_FILE: '/no/keys' }],
  ['SECRET_KEYS_FILE', { SECRET_KEYS_FILE: '/no/keys' }],
  ['LOST_SECRETS', { LOST_SECRETS: SECRET }],
  ['STANDARD_REQUESTS_PER_MINUTE', { STANDARD_REQUESTS_PER_MINUTE: '0' }],
  ['ENTERPRISE_REQUESTS_PER_MINUTE', { ENTERPRISE_REQUESTS_PER_MINUTE: 'many' }],
  ['ANONYMOUS_REQUESTS_PER_MINUTE', { ANONYMOUS_REQUESTS_PER_MINUTE: '1.5' }],
  ['SIGNED_IN_REQUESTS_PER_MINUTE', { SIGNED_IN_REQUESTS_PER_MINUTE: '-1' }],
  ['EXPIRE_AFTER_DAYS', { EXPIRE_AFTER_DAYS: '4000' }],
  ['FLOW_VERSION', { FLOW_VERSION: '0' }],
  ['SSO_PROVIDERS_FILE', { SSO_PROVIDERS_FILE: '/no/providers.json' }],
  ['SECOND_FACTOR', { SECOND_FACTOR: 'off' }],
  ['WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '10.1.2.3/8' }],
  ['SMTP_URL', { SMTP_URL: 'http://ada:hunter2@smtp.example', MAIL_FROM: 'a@verify.example' }],
  ['SMTP_URL', { SMTP_URL: 'smtps://ada:hunter2@smtp.example' }],
  ['MAIL_FROM', { SMTP_URL: 'smtps://smtp.example', MAIL_FROM: 'nobody' }],
  ['VERIFICATION_MAILS_PER_DAY', { VERIFICATION_MAILS_PER_DAY: '0' }],
  ['CLIENT_VERIFICATION_MAILS_PER_DAY', { CLIENT_VERIFICATION_MAILS_PER_DAY: '21' }],
  ['USER_MAILS_PER_HOUR', { USER_MAILS_PER_HOUR: 'none' }],
  ['CLIENT_USER_MAILS_PER_DAY', { USER_MAILS_PER_HOUR: '5' }],
  ['TEAM_MAILS_PER_DAY', { TEAM_MAILS_PER_DAY: '1e3' }],
  ['CLIENT_TEAM_MAILS_PER_DAY', { CLIENT_TEAM_MAILS_PER_DAY: '0' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
  ['STOP_DELAY_SECONDS', { STOP_DELAY_SECONDS: '301' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['METRICS_PORT', { METRICS_PORT: '65536' }],
  ['METRICS_PORT', { PORT: '9100', METRICS_PORT: '9100' }],
  ['METRICS_HOST', { METRICS_HOST: '::1' }],
  ['RETENTION_REJECTED', { RETENTION_REJECTED: '5 years' }],
  ['RETENTION_REJECTED', { RETENTION_FLOOR_REJECTED: 'P7Y' }],
  ['RETENTION_TIME_ZONE', { RETENTION_TIME_ZONE: 'Berlin' }],
  ['CLEAR_ERASED_SPACE_HOUR', { CLEAR_ERASED_SPACE_HOUR: '24' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { ...TRACES, OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' }],
  ['OTEL_TRACES_SAMPLER', { ...TRACES, OTEL_TRACES_SAMPLER: 'always' }],
];

/** Variables of which every value is a name of a folder: whether it can be used depends on the machine. */
const FOLDERS = ['DATA_DIR'];

let dataDir: string;
beforeAll(async () => {
  dataDir = temporaryFolder();
  expect((await runCommand(['migrate'], { DATA_DIR: dataDir })).exitCode).toBe(0);
});

/** Runs `doctor`, and returns all that it prints. */
async function examine(environment: Environment): Promise<{ exitCode: number; text: string }> {
  const { exitCode, out, err } = await runCommand(['doctor'], {
    DATA_DIR: dataDir,
    PORT: '65535',
    ...environment,
  });
  return { exitCode, text: out + err };
}

describe('doctor names a setting that serve refuses', () => {
  test.each(BAD)('%s: %o', async (variable, environment) => {
    expect(() => readServerSettings({ DATA_DIR: dataDir, ...environment })).toThrow(new RegExp(`^${variable} `));

    const { exitCode, text } = await examine(environment);

    expect(exitCode).not.toBe(0);
    expect(text).toMatch(new RegExp(`^(?:countersign: )?${variable} (?:is|entry|has|cannot)`, 'm'));
    expect(text).not.toMatch(/hunter2/);
  });

  test('every variable is in the list', () => {
    const listed = new Set(BAD.map(([variable]) => variable));
    expect(SERVER_VARIABLES.filter((variable) => !listed.has(variable) && !FOLDERS.includes(variable))).toEqual(
      [],
    );
    expect(BAD.length).toBeGreaterThanOrEqual(35);
  });

  test('a setting to remove after a rolling upgrade is a warning', async () => {
    const { exitCode, text } = await examine({ FLOW_VERSION: '1' });
    expect(exitCode).toBe(0);
    expect(text).toMatch(
      /^Warning: FLOW_VERSION is 1: .*Unset it once no server of an earlier version is running$/m,
    );
  });

  test('an address at which browsers refuse the camera is a warning', async () => {
    const { exitCode, text } = await examine({ PUBLIC_BASE_URL: 'http://192.168.1.20:3000' });
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^Warning: PUBLIC_BASE_URL is .*no access to the camera/m);
  });

  test('a mistyped name is not reported: it may belong to another program', async () => {
    expect(await examine({ PUBLIK_BASE_URL: 'https://verify.example' })).toMatchObject({ exitCode: 0 });
  });
});

describe('doctor names a setting that this machine does not allow', () => {
  test('an address that the machine does not have', async () => {
    const { exitCode, text } = await examine({
      HOST: '192.0.2.1',
      METRICS_HOST: '203.0.113.1',
      METRICS_PORT: '9100',
    });
    expect(exitCode).toBe(1);
    expect(text).toContain('HOST is "192.0.2.1": expected an address of this machine\n');
    expect(text).toContain('METRICS_HOST is "203.0.113.1": expected an address of this machine\n');
  });

  test('a port at which another program listens, with HTTP or another protocol', async () => {
    const site = createServer((_, response) => void response.end('hello')).listen(0, '127.0.0.1');
    const other = createTcpServer((socket) => void socket.end('220 ready\r\n')).listen(0, '127.0.0.1');
    for (const server of [site, other]) onTestFinished(() => void server.close());
    await Promise.all([once(site, 'listening'), once(other, 'listening')]);
    const [port, metricsPort] = [site, other].map((server) => (server.address() as AddressInfo).port);

    const { exitCode, text } = await examine({ PORT: String(port), METRICS_PORT: String(metricsPort) });

    expect(exitCode).toBe(1);
    expect(text).toContain(`\nPORT is ${port}: another program listens there, expected a free port\n`);
    expect(text).toContain(
      `\nMETRICS_PORT is ${metricsPort}: another program listens there, expected a free port\n`,
    );
  });

  test('a port of localhost at which nothing listens is accepted, although localhost can be two addresses', async () => {
    expect(await examine({ HOST: 'localhost' })).toMatchObject({ exitCode: 0 });
  });

  test('the port of a running server of Countersign is accepted', async () => {
    const server = createServer((_, response) => void response.end('{"status":"ok"}')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { exitCode } = await examine({ PORT: String((server.address() as AddressInfo).port) });
    expect(exitCode).toBe(0);
  });

  test('a data directory that is a file, and one that cannot be created', async () => {
    const file = join(temporaryFolder(), 'data');
    writeFileSync(file, '');
    const given = { DATABASE_URL: `file:${dataDir}/countersign.db`, EVIDENCE_URL: 'file:/tmp/evidence' };
    expect((await examine({ ...given, DATA_DIR: file })).text).toContain(
      `DATA_DIR is ${JSON.stringify(file)}: it is not a writable directory\n`,
    );
    const below = join(file, 'data');
    expect((await examine({ ...given, DATA_DIR: below })).text).toContain(
      `DATA_DIR is ${JSON.stringify(below)}: it cannot be created: ${file} is not a writable directory\n`,
    );
  });

  test('several faults: a wrong setting of the server hides no other fault', async () => {
    writeFileSync(
      join(dataDir, 'audit-verified.json'),
      '{"at":"2026-03-10T12:00:00.000Z","noted":3,"outcome":"broken"}',
    );
    const { exitCode, text } = await examine({ LOG_LEVEL: 'loud' });
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^LOG_LEVEL is "loud"/m);
    expect(text).toMatch(
      /^The audit log was last compared with a noted head 2026-03-10T12:00:00.000Z: broken: find/m,
    );
  });
});
