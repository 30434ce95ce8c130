import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('./run.mjs', import.meta.url));

function bench(...args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
}

it('measures the server beside references that give the same answers', () => {
  const { status, stdout, stderr } = bench('sqlite', '--short');
  expect(stderr).not.toContain('Error');
  expect(stdout).toMatch(/^POST {2}server +\d+ /m);
  expect(stdout).toMatch(/GET \/verifications\/\{id\}, of the reference: \d+\.\d\d/);
  expect(status).toBe(0);
});

it('says what it expects', () => {
  const { status, stderr } = bench('postgres');
  expect(stderr).toContain('Usage: npm run bench -- sqlite');
  expect(status).toBe(2);
});
