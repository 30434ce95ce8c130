import { describeWith } from '@countersign/test-support/servers/index';
import { expect, it } from 'vitest';
import { bench, benchOnSharedPostgres } from './run-bench.ts';

function expectAnswers({ status, stdout, stderr }: ReturnType<typeof bench>): void {
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^p50 after 200 answers, of a fresh verification: \d+\.\d\d \(at most 2\)$/m);
  expect(stdout).toMatch(/^growth of the database: -?\d+\.\d\d MB \(less than 1\)$/m);
  expect(stdout).toMatch(/after 200 answers to one step: .* 2 events$/m);
  expect(status).toBe(0);
}

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

it('measures the installed program, from an empty npm cache to the first verification', () => {
  const { status, stdout, stderr } = bench('install', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^until the first verification: [\d.]+ s \(less than 30\)$/m);
  expect(stdout).toMatch(/^start to \/readyz, compiled: \d+ ms, \d+ ms of processor time$/m);
  expect(status).toBe(0);
});

it('measures a first start of a new clone', () => {
  const { status, stdout, stderr } = bench('checkout', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^first start: [\d.]+ s \(at most 15\), [\d.]+ s of processor time$/m);
  expect(stdout).toMatch(/^next start: \d+ ms \(at most 700\)$/m);
  expect(status).toBe(0);
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

it('measures the API while data is erased', () => {
  const { status, stdout, stderr } = bench('retention', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^together {2}p50 [\d.]+ ms {3}p99 [\d.]+ ms {3}[1-9]\d* erased in \d+ s$/m);
  expect(stdout).toMatch(/p99 of others while data is erased, of calm: [\d.]+ \(at most 2\)/);
  expect(status).toBe(0);
});

it('measures the API while blind indexes are rebuilt', () => {
  const { status, stdout, stderr } = bench('rebuild', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^together {4}p50 [\d.]+ ms {3}p99 [\d.]+ ms {3}\d+ labelled in \d+ s$/m);
  expect(stdout).toMatch(/p99 of others while indexes are rebuilt, of calm: [\d.]+ \(at most 1.5\)/);
  expect(stdout).toMatch(/^labelled: (\d+) of \1$/m);
  expect(status).toBe(0);
});

it('measures verifications with blind indexes and warnings', () => {
  const { status, stdout, stderr } = bench('submission', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^labels and warnings +[\d.]+ ms of CPU a verification, ratio [\d.]+$/m);
  expect(stdout).toMatch(/of one without labels and warnings: [\d.]+ \(at most 1.10\)/);
  expect(status).toBe(0);
});

it('measures the queue and the searches of reviewers', () => {
  const { status, stdout, stderr } = bench('review', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^sqlite: 200 waiting cases of 3 clients$/m);
  expect(stdout).toMatch(/CPU of the page search by unknown number, ms: \d+\.\d\d \(at most 10\)/);
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
  expect(stdout).toMatch(/^reference +\d+ +– +[\d.]+ +[\d.]+/m);
  expect(stdout).toMatch(/p99: [\d.]+ ms \(at most 1.5; the reference: [\d.]+\)/);
  expect(stdout).toMatch(/^ok {7}accepted after the revocation returned: 0 of [1-9]\d*$/m);
  expect(status).toBe(0);
});

describeWith(['postgres'], 'on Postgres', () => {
  // The short form compares on SQLite, and measures creations of one client beside the same reference program.
  it('measures the server against a reference with the same responses', () => {
    const { status, stdout, stderr } = benchOnSharedPostgres('postgres', '--short');
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/^POST {2}server +\d+ /m);
    expect(stdout).toMatch(/GET \/verifications\/\{id\}, of the reference: \d+\.\d\d/);
    expect(status).toBe(0);
  });

  it('measures a verification whose subject answers one step again and again', () => {
    expectAnswers(benchOnSharedPostgres('answers-postgres', '--short'));
  });

  it('measures operations over partitions of two sizes', () => {
    const { status, stdout, stderr } = benchOnSharedPostgres('scale', '--short');
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/time of create, 64 at once, 200 against 100 rows: \d+\.\d\d \(at most 1.5\)/);
    expect(stdout).toMatch(/^verifications_pk +\d/m);
    expect(status).toBe(0);
  });
});

it('measures creations with an e-mail address', () => {
  const { stdout, stderr } = bench('notify', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(
    /^POST over HTTP, one after the other, p50: \d+ µs, with an address \d+ µs \(\d\.\d{3}\)$/m,
  );
});
