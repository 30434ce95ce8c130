import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, start } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach, describe, expect, test } from 'vitest';
import { callsIn, makeTree, noting, pretendOldNode } from './made-tree.ts';

const install = 'npm exec --yes --prefer-offline --package=pnpm@12.21.0 -- pnpm install --frozen-lockfile';
const build = 'tsc -b tsconfig.build.json';
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function launch(args: string[], env: Record<string, string> = {}): Running {
  const npm = { npm_execpath: join(folder, 'npm/npm-cli.js') };
  return start(process.execPath, ['scripts/run.mjs', ...args], { cwd: folder, env: { ...npm, ...env } });
}

const run = (args: string[], env?: Record<string, string>) => launch(args, env).finished;

describe('a verb', () => {
  test('installs, builds and hands over, and leaves standard output to the program', async () => {
    makeTree(folder);
    const { stdout, code } = await run(['countersign', 'client', 'list', '--json']);
    expect({ stdout, code }).toEqual({ stdout: '["client","list","--json"]\n', code: 0 });
    expect(callsIn(folder)).toEqual([install, build, 'server client list --json']);
  });

  test('start serves, with the arguments that follow', async () => {
    makeTree(folder);
    const { stdout } = await run(['start', '--verbose']);
    expect(stdout).toBe('["serve","--verbose"]\n');
  });

  test('that does not exist is answered with the usage', async () => {
    makeTree(folder);
    const { code, stderr } = await run(['toString']);
    expect({ code, calls: callsIn(folder) }).toEqual({ code: 1, calls: [] });
    expect(stderr).toContain('Usage: npm start');
  });

  test('does not hand over what did not build', async () => {
    makeTree(folder, { 'node_modules/typescript/bin/tsc': 'process.exit(2);' });
    const { code, stderr } = await run(['start']);
    expect({ code, calls: callsIn(folder) }).toEqual({ code: 2, calls: [install] });
    expect(stderr).toContain('countersign: the build failed');
  });

  test('gives back the exit code of the program', async () => {
    makeTree(folder, { 'apps/server/dist/main.js': 'process.exitCode = 7;' });
    expect((await run(['countersign'])).code).toBe(7);
  });

  test('test with a filter builds and runs just those tests', async () => {
    makeTree(folder);
    await run(['test', 'packages/domain']);
    expect(callsIn(folder)).toEqual([install, build, 'vitest run packages/domain']);
  });

  test('test runs the tests even if the check failed, and fails', async () => {
    makeTree(folder);
    const { code, stderr } = await run(['test']);
    expect(code).toBe(1);
    expect(stderr).toContain('FAILED  unused code');
    expect(callsIn(folder)).toContain('vitest run');
  });
});

describe('the install', () => {
  test('is left out while nothing changed', async () => {
    makeTree(folder);
    await run(['countersign']);
    callsIn(folder);
    await run(['countersign']);
    expect(callsIn(folder)).toEqual([build, 'server']);
  });

  test.each(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'packages/domain/package.json'])(
    'is done again after a change of %s',
    async (file) => {
      makeTree(folder);
      await run(['countersign']);
      callsIn(folder);
      writeFileSync(join(folder, file), '{ "changed": true }');
      await run(['countersign']);
      expect(callsIn(folder)).toContain(install);
    },
  );

  test('is done again when node_modules is gone', async () => {
    makeTree(folder);
    await run(['countersign']);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    callsIn(folder);
    makeTree(folder);
    await run(['countersign']);
    expect(callsIn(folder)).toContain(install);
  });

  test('that failed is not taken for one that worked', async () => {
    makeTree(folder, { 'npm/npm-cli.js': noting('npm', "console.error('no space left'); process.exit(1);") });
    for (const _ of [1, 2]) {
      const { code, stderr } = await run(['countersign']);
      expect(code).toBe(1);
      expect(stderr).toContain('no space left');
      expect(callsIn(folder)).toEqual([install]);
    }
  });

  test('without a network says so in one line', async () => {
    const failing = "console.error('npm error code ECONNREFUSED\\nnpm error more'); process.exit(1);";
    makeTree(folder, { 'npm/npm-cli.js': noting('npm', failing) });
    const { stderr } = await run(['countersign']);
    expect(stderr.trim().split('\n').slice(1)).toEqual([
      "countersign: installing dependencies failed: the npm registry cannot be reached. Check the network and npm's registry setting.",
    ]);
  });
});

describe('on a Node that is too old', () => {
  test('it goes on with the newer one, says so in one line, and keeps standard output clean', async () => {
    makeTree(folder);
    const { stdout, stderr, code } = await run(['countersign', 'a b'], pretendOldNode(folder));
    expect({ stdout, code }).toEqual({ stdout: '["a b"]\n', code: 0 });
    expect(stderr).toContain('countersign: Node 20.20.2 is too old, running on Node 24.21.0\n');
    expect(callsIn(folder)).toEqual([install, build, 'server a b']);
  });

  test('an interrupted or failed fetch of the newer one leaves nothing behind', async () => {
    makeTree(folder, { 'npm/npm-cli.js': noting('npm', "console.error('ENOTFOUND'); process.exit(1);") });
    const environment = pretendOldNode(folder);
    rmSync(join(folder, 'cache'), { recursive: true });
    const { code, stderr } = await run(['countersign'], environment);
    expect(code).toBe(1);
    expect(stderr).toContain('fetching Node 24.21.0 failed: the npm registry cannot be reached');
    expect(readdirSync(join(folder, 'cache/countersign'))).toEqual([]);
  });

  test('and no newer one for this machine, it says which Node to install', async () => {
    makeTree(folder, { 'npm/npm-cli.js': "console.error('npm error code E404'); process.exit(1);" });
    const environment = pretendOldNode(folder);
    rmSync(join(folder, 'cache'), { recursive: true });
    const { stderr } = await run(['countersign'], environment);
    expect(stderr).toContain('Please install Node 24 (or any from 22.14 on).');
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  const server = `
    const running = setInterval(() => {}, 1000);
    process.on('${signal}', () => { console.log('stopped by ${signal}'); process.exitCode = 5; clearInterval(running); });
    console.log('serving');`;

  test.each(['this Node', 'an old Node'])('reaches the server on %s, whose exit code comes back', async (node) => {
    makeTree(folder, { 'apps/server/dist/main.js': server });
    const launcher = launch(['start'], node === 'an old Node' ? pretendOldNode(folder) : {});
    await launcher.says(/serving/);
    launcher.signal(signal);
    const { code, stdout } = await launcher.finished;
    expect({ code, stdout }).toEqual({ code: 5, stdout: `serving\nstopped by ${signal}\n` });
  });
});

test('a server does not outlive the launcher that was killed', async () => {
  const server = "setInterval(() => {}, 1000); console.log('serving');";
  makeTree(folder, { 'apps/server/dist/main.js': server });
  const launcher = launch(['start'], pretendOldNode(folder));
  await launcher.says(/serving/);
  launcher.signal('SIGKILL');
  // It is finished when standard output has ended: when the last process that held it is gone.
  const { signal } = await launcher.finished;
  expect(signal).toBe('SIGKILL');
});
