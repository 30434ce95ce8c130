import type { Environment, Finished } from '@countersign/test-support/processes/child-process';
import { runCountersign } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, it } from 'vitest';

/** Expects a failed exit without a crash, with one line on stderr. */
function expectOneLine({ code, signal, stdout, stderr }: Finished, pattern: RegExp): void {
  expect({ signal, stdout }).toEqual({ signal: null, stdout: '' });
  expect(stderr).toMatch(/^countersign: [^\n]+\n$/);
  expect(stderr).toMatch(pattern);
  expect(code).toBeGreaterThan(0);
}

/** One of each kind. The tests of `readServerSettings` and of `serve` have the others. */
describe.concurrent('serve refuses an invalid setting', () => {
  const secret = Buffer.alloc(32, 7).toString('base64');
  const production = { NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://verify.example', SECRET_KEYS: secret };

  it.each<[variable: string, env: Environment]>([
    ['PUBLIC_BASE_URL', { ...production, PUBLIC_BASE_URL: '' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://user:hunter2@localhost:x/x' }],
    ['SECRET_KEYS', { SECRET_KEYS: `${secret},hunter2` }],
  ])('%s: exits with one line that names it: %o', async (variable, env) => {
    const dataDir = temporaryFolder();

    const ended = await runCountersign(['serve'], { DATA_DIR: dataDir, PORT: String(await freePort()), ...env });

    expectOneLine(ended, new RegExp(`^countersign: ${variable} `));
    expect(ended.stderr).not.toContain('hunter2');
  });
});
