// Runs the benchmarks briefly, so that a broken one is noticed before it is needed.
import { describeWith } from '@countersign/test-support/servers/index';
import { expect, it } from 'vitest';
import { bench, benchOnSharedPostgres } from './run-bench.ts';

it('measures the server on SQLite against references with the same responses', () => {
  const { status, stdout, stderr } = bench('sqlite', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^POST {2}server +\d+ /m);
  expect(stdout).toMatch(/GET \/verifications\/\{id\}, of the reference: \d+\.\d\d/);
  expect(status).toBe(0);
});

it('measures cases on the storage in memory', () => {
  const { status, stdout, stderr } = bench('memory-cases', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/processor time of 30 cases: [\d.]+ s \(at most 1.35\)/);
  expect(status).toBe(0);
});

describeWith(['postgres'], 'on Postgres', () => {
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

  it('measures sign-ins and the API beside each other', () => {
    const { status, stdout, stderr } = benchOnSharedPostgres('sign-in', '--short');
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/p99 of sign-ins beside 200 requests a second, of calm: [\d.]+ \(at most 1.5\)/);
    expect(stdout).toMatch(/p99 of the API beside 2 sign-ins a second, of calm: [\d.]+ \(at most 1.5\)/);
    expect(status).toBe(0);
  });

  it('measures simultaneous creations of one client', () => {
    const { status, stdout, stderr } = bench('one-client', '--short');
    expect(stderr).not.toContain('Error');
    expect(stdout).toMatch(/^64 at once {3}one client +\d+ +\d+ +\d+ +\d+$/m);
    expect(stdout).toMatch(/64 at once, one client, of the reference: [\d.]+ \(at least 2.50\)/);
    expect(stdout).toMatch(/one creation after the other, of the same without queues: [\d.]+ \(at least 0.95\)/);
    expect(status).toBe(0);
  });
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
