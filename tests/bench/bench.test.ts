import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeWith } from '@countersign/test-support/servers/index';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('./run.mjs', import.meta.url));

function bench(...args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
}

function expectFigures({ status, stdout, stderr }: ReturnType<typeof bench>): void {
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^POST {2}server +\d+ /m);
  expect(stdout).toMatch(/GET \/verifications\/\{id\}, of the reference: \d+\.\d\d/);
  expect(status).toBe(0);
}

it('measures the server on SQLite against references with the same responses', () => {
  expectFigures(bench('sqlite', '--short'));
});

describeWith(['postgres'], 'on Postgres', () => {
  it('measures the server against a reference with the same responses', () => {
    expectFigures(bench('postgres', '--short'));
  });
});

it('prints its usage and exits with 2 for an unknown database', () => {
  const { status, stderr } = bench('mysql');
  expect(stderr).toContain('Usage: npm run bench -- sqlite');
  expect(status).toBe(2);
});
