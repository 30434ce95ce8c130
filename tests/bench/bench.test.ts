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

it('measures the server beside references that give the same answers', () => {
  expectFigures(bench('sqlite', '--short'));
});

describeWith(['postgres'], 'on Postgres', () => {
  it('measures the server beside a reference that gives the same answers', () => {
    expectFigures(bench('postgres', '--short'));
  });
});

it('says what it expects', () => {
  const { status, stderr } = bench('mysql');
  expect(stderr).toContain('Usage: npm run bench -- sqlite');
  expect(status).toBe(2);
});
