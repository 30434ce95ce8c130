import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeWith } from '@countersign/test-support/servers/index';
import { sharedUrl } from '@countersign/test-support/servers/shared-postgres';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('./run.mjs', import.meta.url));

function bench(...args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
}

/** Runs a benchmark on the Postgres that the test files of a run share. Then it cannot tell the CPU of the database. */
function benchOnSharedPostgres(...args: string[]) {
  const env = { ...process.env, TEST_POSTGRES_URL: process.env.TEST_POSTGRES_URL ?? sharedUrl() };
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
}

function expectFigures({ status, stdout, stderr }: ReturnType<typeof bench>): void {
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^POST {2}server +\d+ /m);
  expect(stdout).toMatch(/GET \/verifications\/\{id\}, of the reference: \d+\.\d\d/);
  expect(status).toBe(0);
}

function expectAnswers({ status, stdout, stderr }: ReturnType<typeof bench>): void {
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^p50 after 200 answers, of a fresh verification: \d+\.\d\d \(at most 2\)$/m);
  expect(stdout).toMatch(/^growth of the database: -?\d+\.\d\d MB \(less than 1\)$/m);
  expect(stdout).toMatch(/after 200 answers to one step: .* 2 events$/m);
  expect(status).toBe(0);
}

it('measures the server on SQLite against references with the same responses', () => {
  expectFigures(bench('sqlite', '--short'));
});

describeWith(['postgres'], 'on Postgres', () => {
  it('measures the server against a reference with the same responses', () => {
    expectFigures(benchOnSharedPostgres('postgres', '--short'));
  });

  it('measures a verification whose subject answers one step again and again', () => {
    expectAnswers(benchOnSharedPostgres('answers-postgres', '--short'));
  });

  it('measures lists over databases of two sizes', () => {
    const { status, stdout, stderr } = benchOnSharedPostgres('lists-postgres', '--short');
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/^rare status and type, resolvedAt asc( +[\d.]+){2} +[\d.]+ ×/m);
    expect(stdout).toMatch(/p50 of first, 200 against 100 rows: at worst [\d.]+ \(.*; at most 1.5\)/);
    expect(stdout).toMatch(
      /p99 of another client's GET beside lists without pause and an export, of calm: [\d.]+/,
    );
    expect(status).toBe(0);
  });

  it('measures operations over partitions of two sizes', () => {
    const { status, stdout, stderr } = benchOnSharedPostgres('scale', '--short');
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/time of create, 64 at once, 200 against 100 rows: \d+\.\d\d \(at most 1.5\)/);
    expect(stdout).toMatch(/^verifications_pk +\d/m);
    expect(status).toBe(0);
  });

  it('measures creations of one client at once', () => {
    const { status, stdout, stderr } = bench('one-client', '--short');
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/^64 at once {3}one client +\d+ +\d+ +\d+ +\d+$/m);
    expect(stdout).toMatch(/64 at once, one client, of the reference: [\d.]+ \(at least 2.50\)/);
    expect(stdout).toMatch(/one creation after the other, of the same without queues: [\d.]+ \(at least 0.95\)/);
    expect(status).toBe(0);
  });
});

it('measures the API while dashboard pages are reloaded, and single pages', () => {
  const { status, stdout, stderr } = bench('pages', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^API meanwhile {2}p50 [\d.]+ ms {3}p99 [\d.]+ ms$/m);
  expect(stdout).toMatch(/^memory by round, MB: \d+ \d+$/m);
  expect(stdout).toMatch(/p99 of the API meanwhile, of calm: \d+\.\d\d \(at most 3\)/);
  expect(stdout).toMatch(/p50 of the console queue over 100 rows, ms: \d+\.\d\d \(at most 10\)/);
  expect(status).toBe(0);
});

it('measures a verification whose subject answers one step again and again', () => {
  expectAnswers(bench('answers', '--short'));
});

it('measures creations of a client with an endpoint', () => {
  const { status, stdout, stderr } = bench('webhooks', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^90 webhooks sent, of a backlog \d+ a second$/m);
  expect(stdout).toMatch(/^p50 of a creation with one endpoint, of one without: [\d.]+ \(at most 1.03\)$/m);
  expect(status).toBe(0);
});

it('measures the API while abandoned verifications expire', () => {
  const { status, stdout, stderr } = bench('expiry', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^expiring {2}p50 [\d.]+ ms {3}p99 [\d.]+ ms {3}[1-9]\d* expired$/m);
  expect(stdout).toMatch(/p99 of others while verifications expire, of calm: [\d.]+ \(at most 2\)/);
  expect(status).toBe(0);
});

it('measures the uploads of a subject beside attackers', () => {
  const { status, stdout, stderr } = bench('uploads', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^camera attacked {2}p50 \d+ ms {3}p95 \d+ ms$/m);
  expect(stdout).toMatch(/p95 of an upload meanwhile, phone, of calm: \d+\.\d\d \(at most 3\)/);
  expect(status).toBe(0);
});

it('measures responses at a steady rate while a key is revoked', () => {
  const { status, stdout, stderr } = bench('open-loop', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^p50 [\d.]+ ms {3}p99 [\d.]+ ms {3}p99\.9 [\d.]+ ms/m);
  expect(stdout).toMatch(/^ok {7}accepted after the revocation returned: 0 of [1-9]\d*$/m);
  expect(status).toBe(0);
});

it('prints its usage and exits with 2 for an unknown database', () => {
  const { status, stderr } = bench('mysql');
  expect(stderr).toContain('Usage: npm run bench -- sqlite');
  expect(status).toBe(2);
});

it('draws no figures of a short run, which mean nothing', () => {
  const { status, stderr } = bench('lists', '--short', '--draw');
  expect(stderr).toContain('--draw');
  expect(status).toBe(2);
});
