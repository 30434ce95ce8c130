// Damages an installation for each fault that the doctor names.
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFileErasureLog, createFileEvidenceStore } from '@countersign/evidence';
import { createKeyRing, createSealedEvidenceStore, createSealing } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { change, define, overwritePageOf } from '@countersign/test-support/installation/database-file';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { FILE_CONTENT, givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import type { Environment } from '../config/parse-environment.ts';
import type { ServerStatus } from '../serve/status-file.ts';
import type { DoctorReport } from './doctor.ts';

const [SECRET, OTHER] = [1, 2].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer];
const otherName = createKeyRing([OTHER]).newest;
const VERIFICATION = '0198c0de-0000-7000-8000-000000000000';
const ENDPOINT = 'dddddddd-0000-7000-8000-000000000001';

/** A copy of a sound installation. */
interface Installation {
  readonly dataDir: string;
  readonly file: string;
  readonly clientId: string;
  /** Path of the uploaded file. */
  readonly upload: string;
}

interface Fault {
  /** Plants the fault. May return settings that go with it. */
  readonly plant: (installation: Installation) => unknown;
  /** A problem that doctor names. */
  readonly problem: RegExp;
  /** What `--json` also says. */
  readonly report?: object;
  /** Whether only `--deep` finds it. */
  readonly isDeep?: boolean;
}

const HOUR_MS = 60 * 60 * 1_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

const WRONG_SIZE = new RegExp(
  `^File file-1 of verification ${VERIFICATION} is damaged, its size is wrong: restore it from a backup$`,
);

/** Each fault on SQLite, by its name. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'the database is missing': {
    plant: ({ file }) => rmSync(file),
    problem: /^There is no database at .*countersign\.db$/,
    report: { database: null },
  },
  'the database is no database': {
    plant: ({ file }) => writeFileSync(file, 'a diary '.repeat(2_000)),
    problem: /is not a SQLite database$/,
  },
  'the database belongs to another program': {
    plant: ({ file }) => define(file, 'PRAGMA application_id = 7'),
    problem: /another application/,
  },
  'a page of the database is overwritten': {
    plant: ({ file }) => overwritePageOf(file, 'clients'),
    problem: /^The database .* is damaged, restore it from a backup with `countersign restore`: /,
    report: { database: expect.any(Object) },
  },
  'a newer version migrated the database': {
    plant: ({ file }) =>
      change(file, "INSERT INTO countersign_migrations (hash, created_at) VALUES ('x', 4102444800000)"),
    problem: /newer version/,
  },
  'a restore was interrupted': {
    plant: ({ file }) => writeFileSync(`${file}-restore`, ''),
    problem: /^A restore into .* was interrupted: run `countersign restore` again$/,
  },
  'the tables of users need a migration': {
    plant: ({ file }) =>
      change(file, 'DELETE FROM staff_migrations WHERE name = (SELECT max(name) FROM staff_migrations)'),
    problem: /^The tables of accounts need migrations: run `countersign migrate`$/,
  },
  'a newer version migrated the tables of users': {
    plant({ file }) {
      change(file, "INSERT INTO staff_migrations VALUES ('9999_new', 'x', '2026-01-01')");
      // Known without the secrets, too.
      return { SECRET_KEYS: '' };
    },
    problem: /^The tables of accounts were changed by a newer version/,
  },
  'counts of verifications are wrong': {
    plant: ({ file }) => change(file, 'UPDATE verification_counts SET pending = -7'),
    problem: /^Wrong counts of client .* pending -7 instead of 1$/,
  },
  'a verification is damaged': {
    plant: ({ file }) => change(file, "UPDATE verifications SET answers = '{'"),
    problem: new RegExp(`^Verification ${VERIFICATION} cannot be read: restore it from a backup$`),
  },
  'a data key is damaged': {
    plant: ({ file }) => change(file, "UPDATE verifications SET data_key = 'AAAA'"),
    problem: new RegExp(`^Verification ${VERIFICATION} cannot be read`),
  },
  'a secret of a data key is missing': {
    plant: ({ file }) => change(file, `UPDATE verifications SET data_key_wrapped_by = '${otherName}'`),
    problem: new RegExp(
      `^SECRET_KEYS lacks secrets that sealed stored data, ${otherName}: add them, or name them in LOST_SECRETS if `,
    ),
    report: { sealing: { olderDataKeys: 1 } },
  },
  'a secret of a webhook is missing': {
    plant: ({ file }) => change(file, `UPDATE webhook_endpoints SET secret_wrapped_by = '${otherName}'`),
    problem: new RegExp(`^SECRET_KEYS lacks secrets that sealed stored data, ${otherName}: `),
  },
  'a webhook secret of an older secret is damaged': {
    plant({ file }) {
      const older = createKeyRing([OTHER]).newest;
      change(file, `UPDATE webhook_endpoints SET secret = 'AAAA', secret_wrapped_by = '${older}'`);
      return { SECRET_KEYS: `${SECRET.toString('hex')},${OTHER.toString('hex')}` };
    },
    problem: new RegExp(`^The secret of webhook endpoint ${ENDPOINT} is damaged$`),
  },
  'a secret of a second factor is missing': {
    plant({ file }) {
      define(
        file,
        `INSERT INTO staff_users (id, name, email, email_verified, role, created_at, updated_at)
         VALUES ('user-1', 'Ada', 'ada@example.com', 1, 'operator', '2026-01-01', '2026-01-01');
         INSERT INTO staff_two_factors (id, user_id, verified, secret, backup_codes)
         VALUES ('factor-1', 'user-1', 1, '$ba$12345$aa', '$ba$12345$bb')`,
      );
    },
    problem: /^SECRET_KEYS lacks secrets that sealed stored data, 12345: /,
  },
  'the folder of the evidence is a file': {
    plant({ dataDir }) {
      rmSync(join(dataDir, 'evidence'), { recursive: true });
      writeFileSync(join(dataDir, 'evidence'), '');
    },
    problem: /^The evidence folder .* is not a writable directory: check its permissions$/,
  },
  'a file is missing': {
    plant: ({ upload }) => rmSync(upload),
    problem: new RegExp(`^File file-1 of verification ${VERIFICATION} is missing: restore it from a backup$`),
    report: {
      verifications: { unreadable: 0, files: 2, missingFiles: 1, damagedFiles: 0, unopenedFiles: null },
    },
  },
  'a file is cut off': {
    plant: ({ upload }) => truncateSync(upload, 50),
    problem: WRONG_SIZE,
    report: { verifications: { files: 2, missingFiles: 0, damagedFiles: 1 } },
  },
  'a file is empty': {
    plant: ({ upload }) => truncateSync(upload, 0),
    problem: WRONG_SIZE,
    report: { verifications: { files: 2, missingFiles: 0, damagedFiles: 1 } },
  },
  'a bit of a file is changed': {
    plant({ upload }) {
      const content = readFileSync(upload);
      writeFileSync(upload, content.fill((content.at(-1) ?? 0) ^ 1, content.length - 1));
    },
    problem: new RegExp(
      `^File file-1 of verification ${VERIFICATION} is damaged, its content is not what was uploaded: `,
    ),
    isDeep: true,
  },
  'the erasure log is that of another database': {
    async plant({ dataDir, file }) {
      await createFileErasureLog({ directory: join(dataDir, 'erasures') }).identify(
        '0198c0de-0000-7000-8000-000000000009',
      );
      change(file, "INSERT INTO erasure_logs VALUES (1, '0198c0de-0000-7000-8000-000000000008')");
    },
    problem: /^The erasure log belongs to another database\. /,
  },
  'the erasure log is lost': {
    plant: ({ file, clientId }) =>
      change(
        file,
        `INSERT INTO erasures (client_id, number, verification_id, at, rule, steps, files, events, hash, finished_at)
         VALUES ('${clientId}', 1, 'gone', 0, 'requested', 0, 0, 0, '${'0'.repeat(64)}', 0)`,
      ),
    problem:
      /^The erasure log of the database is missing: its folder is empty or new, or its storage is not mounted\. /,
  },
  'the erasure log is in a folder that restore moved aside': {
    plant: ({ dataDir }) => ({
      ERASURE_LOG_URL: `file:${dataDir}/before-restore-2026-11-23T01-02-03-004Z/erasures`,
    }),
    problem: /^ERASURE_LOG_URL is in .*, which restore moved aside: /,
  },
  'an erasure has not finished': {
    plant: ({ file }) =>
      change(
        file,
        `UPDATE verifications SET status = 'rejected', resolved_at = ?1, erased_at = ?1, retention_check_at = ?1`,
        ago(1).getTime(),
      ),
    problem: new RegExp(`^The erasure of verification ${VERIFICATION} began at .* and has not finished: `),
  },
  'copies of erased values are in the file': {
    plant: ({ file }) => change(file, 'INSERT INTO uncleared_erasures VALUES (1, ?)', ago(49).getTime()),
    problem: /^Copies of values of 1 erasures since .*: run `countersign clear-erased-space`$/,
  },
  'a retention policy is under the floor': {
    async plant({ dataDir, clientId }) {
      const periods = ['--approved-after-end', 'P6Y', '--approved-longest', 'P8Y', '--unfinished', 'P90D'];
      const rest = ['--rejected', 'P6Y', '--replaced-uploads', 'P30D'];
      await run(dataDir, ['client', 'set-retention', clientId, ...periods, ...rest]);
      return { RETENTION_APPROVED_AFTER_END: 'P7Y', RETENTION_FLOOR_APPROVED: 'P7Y' };
    },
    problem:
      /^Retention policy of client (\S+): approvedAfterEnd P6Y is shorter than the floor P7Y, which applies instead\. Run client set-retention \1$/,
    report: { retentionPolicies: { own: 1, underFloor: 1 } },
  },
  'a mail has waited for an hour': {
    plant({ file }) {
      change(
        file,
        `INSERT INTO mails (id, kind, planned_at, due_at, attempts) VALUES ('mail-1', 'verification.link', ?1, ?1, 0)`,
        ago(1).getTime(),
      );
      return { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@verify.example' };
    },
    problem: /^Mails have waited since /,
  },
  'the mail server does not answer': {
    plant: () => ({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@verify.example' }),
    problem: /^The mail server 127\.0\.0\.1:1 cannot be reached: /,
  },
  'Redis does not answer': {
    plant: () => ({ REDIS_URL: 'redis://127.0.0.1:1' }),
    problem: /^Redis .*ECONNREFUSED/,
  },
  'an identity provider does not answer': {
    plant({ dataDir }) {
      const file = join(dataDir, 'providers.json');
      const provider = {
        id: 'gone',
        name: 'Gone',
        issuer: 'http://localhost:1',
        clientId: 'x',
        clientSecret: 'x',
      };
      writeFileSync(file, JSON.stringify({ providers: [provider] }));
      return { SSO_PROVIDERS_FILE: file };
    },
    problem: /^Identity provider gone .* does not answer: /,
  },
  'the last entry of the audit log was changed': {
    plant: ({ file }) => tamperWithAudit(file, 'UPDATE audit_entries SET detail = \'{"x":1}\' WHERE sequence = 2'),
    problem: /^The audit log is BROKEN at entry 2: its content was changed$/,
  },
  'an entry near the end of the audit log is gone': {
    plant: ({ file }) => tamperWithAudit(file, 'DELETE FROM audit_entries WHERE sequence = 1'),
    problem: /^The audit log is BROKEN at entry 2: the entry before it is missing$/,
  },
  'the audit log was shortened after its head was noted': {
    plant: async ({ dataDir }) =>
      void (await run(dataDir, ['audit', 'verify', '--noted', `9:${'a'.repeat(64)}`], 1)),
    problem: /^The audit log was last compared with a noted head .*: not_the_noted_one: /,
  },
  'a job of a server failed': {
    plant: ({ dataDir }) => writeStatus(dataDir, { ok: false }),
    problem: /^The job erase_data of the server on port 8080 failed at /,
  },
  'a job of a server is late': {
    plant: ({ dataDir }) => writeStatus(dataDir, { endedAt: ago(10).toISOString() }),
    problem: /^The job erase_data of the server on port 8080 has not finished since /,
  },
  'a proxy is not trusted': {
    plant: ({ dataDir }) => writeStatus(dataDir, {}, { counted: 20, forwardedIgnored: 20, forwardedMissing: 0 }),
    problem: /had X-Forwarded-For, but TRUST_PROXY is 0/,
  },
  'a trusted proxy forwards no addresses': {
    plant: ({ dataDir }) => writeStatus(dataDir, {}, { counted: 20, forwardedIgnored: 0, forwardedMissing: 20 }),
    problem: /had fewer addresses in X-Forwarded-For than TRUST_PROXY/,
  },
};

/** Changes the audit log as an attacker could who may write to the file. */
function tamperWithAudit(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`);
  database.exec(sql);
  database.close();
}

/** Writes what a running server notes. */
function writeStatus(
  dataDir: string,
  job: Partial<ServerStatus['jobs'][number]>,
  requests: ServerStatus['requests'] = { counted: 0, forwardedIgnored: 0, forwardedMissing: 0 },
): void {
  const now = new Date().toISOString();
  const erasing = { name: 'erase_data', everyMs: 1_000, endedAt: now, ok: true, failures: 0, ...job };
  const status: ServerStatus = {
    version: '0.2.0',
    port: 8080,
    startedAt: ago(24).toISOString(),
    writtenAt: now,
    isStopped: false,
    trustedProxies: 0,
    requests,
    jobs: [erasing],
  };
  writeFileSync(join(dataDir, 'server-status-8080.json'), JSON.stringify(status));
}

const settingsOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  PORT: '65535',
  SECRET_KEYS: SECRET.toString('hex'),
});

async function run(dataDir: string, args: readonly string[], expected = 0): Promise<string> {
  const { exitCode, out, err } = await runCommand(args, settingsOf(dataDir));
  expect(exitCode, err).toBe(expected);
  return out;
}

async function reportOf(dataDir: string, environment: Environment, ...args: string[]): Promise<DoctorReport> {
  const { exitCode, out, err } = await runCommand(['doctor', '--json', ...args], {
    ...settingsOf(dataDir),
    ...environment,
  });
  expect(err).toBe('');
  const report = JSON.parse(out) as DoctorReport;
  expect([report.ok, exitCode]).toEqual(report.problems.length === 0 ? [true, 0] : [false, 1]);
  return report;
}

const problemsOf = async (...input: Parameters<typeof reportOf>) => (await reportOf(...input)).problems;

let sound: Installation;
beforeAll(async () => {
  const dataDir = temporaryFolder();
  const file = join(dataDir, 'countersign.db');
  await run(dataDir, ['migrate']);
  const { id: clientId } = JSON.parse(
    await run(dataDir, ['client', 'create', '--name', 'Acme', '--plan', 'standard', '--json']),
  ) as { id: string };
  const storage = await createSqliteStorage({ file });
  const fileIds = ['file-1', 'file-2'];
  await givenSealedVerifications(storage, { clientId, count: 1, secretKeys: [SECRET], fileIds });
  const keys = createKeyRing([SECRET]);
  const files = createFileEvidenceStore({ directory: join(dataDir, 'evidence') });
  const store = createSealedEvidenceStore(files, { keys, dataKeys: storage.dataKeys });
  for (const fileId of fileIds) await store.put({ clientId, verificationId: VERIFICATION, fileId }, FILE_CONTENT);
  await createSealing({ keys })
    .sealWebhooks(storage.webhooks)
    .add(webhookEndpoint({ id: ENDPOINT, clientId }));
  await storage.close();
  sound = { dataDir, file, clientId, upload: join(dataDir, 'evidence', clientId, VERIFICATION, 'file-1') };
});

describe('doctor on SQLite', () => {
  let installation: Installation;
  beforeEach(() => {
    const dataDir = temporaryFolder();
    cpSync(sound.dataDir, dataDir, { recursive: true });
    const placed = (path: string) => path.replace(sound.dataDir, dataDir);
    installation = { ...sound, dataDir, file: placed(sound.file), upload: placed(sound.upload) };
  });

  test('finds nothing in a sound installation, and opens its file with --deep', async () => {
    expect(await problemsOf(installation.dataDir, {})).toEqual([]);
    expect(await problemsOf(installation.dataDir, {}, '--deep')).toEqual([]);
  });

  test.each(Object.entries(FAULTS))('names the fault: %s', async (_, { plant, problem, report, isDeep }) => {
    const { dataDir } = installation;
    const environment = ((await plant(installation)) ?? {}) as Environment;
    const before = readdirSync(dataDir).includes('countersign.db');

    if (isDeep) expect(await problemsOf(dataDir, environment)).toEqual([]);
    const found = await reportOf(dataDir, environment, ...(isDeep ? ['--deep'] : []));

    expect(found.problems).toContainEqual(expect.stringMatching(problem));
    expect(found).toMatchObject(report ?? {});
    expect(readdirSync(dataDir).includes('countersign.db')).toBe(before);
  });

  test('the list has 24 faults or more, of which --deep alone finds one', () => {
    expect(Object.keys(FAULTS).length).toBeGreaterThanOrEqual(24);
    expect(Object.values(FAULTS).filter(({ isDeep }) => isDeep)).toHaveLength(1);
  });
});

describeWith(['postgres'], 'doctor on Postgres', () => {
  let url: string;
  beforeAll(async () => {
    const postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
    return () => postgres.stop();
  });

  test('names the fault: the database has no tables; its direct address, or the database itself, does not answer', async () => {
    const dataDir = temporaryFolder();
    const gone = 'postgres://u:hunter2@127.0.0.1:1/x';
    const found = async (environment: Environment) => (await problemsOf(dataDir, environment)).join('\n');
    expect(await found({ DATABASE_URL: url })).toMatch(/^Migrations are pending, run countersign migrate: 0000_/);
    expect(await found({ DATABASE_URL: url, DATABASE_DIRECT_URL: gone })).toContain(
      'Could not connect to 127.0.0.1:1 for migrations: check DATABASE_DIRECT_URL',
    );
    expect(await found({ DATABASE_URL: gone })).toMatch(/127\.0\.0\.1:1|ECONNREFUSED/);
  });
});
