// Starts the launcher for each case: signals, exit codes and installs are about processes.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Running } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  callsIn,
  FETCHED,
  INSTALL_ALL,
  INSTALL_FOR_SERVING,
  INSTALLING_NPM,
  launchIn,
  makeTree,
  noting,
  PNPM_FOLDER,
  placeBundledNode,
  pretendOldNode,
  SERVER,
} from './made-tree.ts';

const build = 'esbuild';
let folder: string;

beforeEach(() => {
  folder = temporaryFolder(tmpdir());
});

const launch = (args: string[], env?: Record<string, string>) => launchIn(folder, args, env);

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

const run = (args: string[], env?: Record<string, string>) => launch(args, env).finished;

describe('a verb', () => {
  test('installs and builds, then runs the program, which alone writes to standard output', async () => {
    makeTree(folder);
    const { stdout, code } = await run(['countersign', 'client', 'list', '--json']);
    expect({ stdout, code }).toEqual({ stdout: '["client","list","--json"]\n', code: 0 });
    expect(callsIn(folder)).toEqual([INSTALL_FOR_SERVING, build, 'server client list --json']);
  });

  test('start: passes its arguments on to serve', async () => {
    makeTree(folder);
    const { stdout } = await run(['start', '--verbose']);
    expect(stdout).toBe('["serve","--verbose"]\n');
  });

  test('unknown: lists the known commands in one line, and runs nothing', async () => {
    makeTree(folder);
    const { code, stderr } = await run(['toString']);
    expect({ code, calls: callsIn(folder) }).toEqual({ code: 1, calls: [] });
    expect(stderr).toMatch(
      /^countersign: unknown command 'toString'\. Known commands: start, countersign, dev, .*\. Help: npm run help\n$/,
    );
  });

  test.each(['check', 'test:rest', 'format', 'lines', 'pack', 'screenshots', 'release-fixtures', 'client-types'])(
    '%s: refuses arguments, and runs nothing',
    async (name) => {
      makeTree(folder);
      const { code, stderr } = await run([name, 'packages/web']);
      expect({ code, calls: callsIn(folder) }).toEqual({ code: 1, calls: [] });
      expect(stderr).toMatch(/^countersign: npm run \S+ takes no arguments, but got 'packages\/web'\. .*\n$/);
    },
  );

  test.each(['help', '--help'])('%s: prints the usage on standard output, and installs nothing', async (name) => {
    makeTree(folder);
    const { code, stdout, stderr } = await run([name]);
    expect({ code, stderr, calls: callsIn(folder) }).toEqual({ code: 0, stderr: '', calls: [] });
    expect(stdout).toContain('Usage: npm start');
  });

  test('start: ends with 1 when the build fails, and starts no server', async () => {
    makeTree(folder, {
      'node_modules/esbuild/index.js': 'export const build = () => Promise.reject(new Error());',
    });
    const { code, stderr } = await run(['start']);
    expect({ code, calls: callsIn(folder) }).toEqual({ code: 1, calls: [INSTALL_FOR_SERVING] });
    expect(stderr).toContain('countersign: the build failed');
    expect(readdirSync(join(folder, 'node_modules/.cache/server'))).toEqual([]);
  });

  test('exits with the exit code of the program', async () => {
    makeTree(folder, { [SERVER]: 'process.exitCode = 7;' });
    expect((await run(['countersign'])).code).toBe(7);
  });

  test('test with a filter: runs the selected tests and builds nothing', async () => {
    makeTree(folder);
    await run(['test', 'packages/domain']);
    expect(callsIn(folder)).toEqual([INSTALL_ALL, 'vitest run packages/domain']);
  });

  test.each([
    { args: ['test'], shared: 'on', slower: 'off' },
    { args: ['test', 'packages/domain'] },
    { args: ['test:all'], shared: 'on' },
    { args: ['test:rest'], shared: 'on', slower: 'only' },
    { args: ['test:unit'], slower: 'off' },
    { args: ['test:unit', 'packages/domain'] },
    { args: ['test:long', 'packages/domain'], long: 'on' },
  ])(
    '$args: slower tests are $slower, long ones $long and shared servers $shared, whatever the shell says',
    async ({ args, shared, slower, long }) => {
      makeTree(folder, {
        'tests/slower-tests.mjs': 'export const filesOfRest = () => [];',
        'node_modules/vitest/vitest.mjs':
          'const { SLOWER_TESTS, LONG_TESTS, TEST_SERVERS, TEST_SHARED_SERVERS } = process.env; console.log(JSON.stringify({ SLOWER_TESTS, LONG_TESTS, TEST_SERVERS, TEST_SHARED_SERVERS }));',
      });
      const shell = { LONG_TESTS: long === undefined ? 'on' : 'off', TEST_SERVERS: 'off' };
      const { stdout } = await run(args, { ...shell, SLOWER_TESTS: slower === undefined ? 'off' : 'on' });
      expect(JSON.parse(stdout)).toEqual({
        ...(slower !== undefined && { SLOWER_TESTS: slower }),
        ...(long !== undefined && { LONG_TESTS: long }),
        ...(shared !== undefined && { TEST_SHARED_SERVERS: shared }),
      });
    },
  );

  test('test:rest: runs the slower tests only, and no check', async () => {
    makeTree(folder, { 'tests/slower-tests.mjs': "export const filesOfRest = () => ['a.test.ts', 'b.test.ts'];" });
    await run(['test:rest']);
    expect(callsIn(folder)).toEqual([INSTALL_ALL, 'vitest run a.test.ts b.test.ts']);
  });

  test.each([
    { args: [], runs: 'vitest run --project unit' },
    { args: ['packages/web'], runs: 'vitest run --project unit packages/web' },
    { args: ['--watch', 'packages/web'], runs: 'vitest watch --project unit packages/web' },
  ])('test:unit $args: starts "$runs" and builds nothing', async ({ args, runs }) => {
    makeTree(folder);
    await run(['test:unit', ...args]);
    expect(callsIn(folder)).toEqual([INSTALL_ALL, runs]);
  });

  test('test: runs the tests also if the check fails, and exits with 1', async () => {
    makeTree(folder);
    const { code, stderr } = await run(['test']);
    expect(code).toBe(1);
    expect(stderr).toContain('FAILED  unused code');
    expect(callsIn(folder)).toContain('vitest run');
  });

  /** Returns a program that waits until the other runs too, and fails if it does not. */
  const meets = (name: string, other: string) => `
    const { existsSync, writeFileSync } = await import('node:fs');
    writeFileSync('${name} runs', '');
    const until = Date.now() + 50_000;
    while (!existsSync('${other} runs') && Date.now() < until) await new Promise((r) => setTimeout(r, 20));
    if (!existsSync('${other} runs')) process.exitCode = 1;`;

  test('test: compiles first, then runs the other steps of the check beside the tests', async () => {
    makeTree(folder, {
      'node_modules/vitest/vitest.mjs': noting('vitest', meets('vitest', 'knip')),
      'node_modules/knip/bin/knip.js': noting('knip', meets('knip', 'vitest')),
    });
    const { stderr } = await run(['test']);
    expect(stderr).toContain('ok      unused code');
    expect(stderr.indexOf('── types\n')).toBeLessThan(stderr.indexOf('── unused code\n'));
    const [, first, ...others] = callsIn(folder);
    expect(first).toBe('tsc -b');
    expect(others).toContain('vitest run');
  });

  test.each([
    { failing: 'nothing', code: 0 },
    { failing: 'vitest/vitest.mjs', code: 3 },
    { failing: 'typescript/bin/tsc', code: 1 },
    { failing: 'cspell/bin.mjs', code: 1 },
  ])('test: ends with $code when $failing fails', async ({ failing, code }) => {
    const steps = ['dependency-cruiser/bin/dependency-cruiser.mjs', 'oxlint/bin/oxlint', 'knip/bin/knip.js'];
    const passing = [...steps, 'cspell/bin.mjs', '@biomejs/biome/bin/biome', 'typescript/bin/tsc'];
    makeTree(folder, {
      ...Object.fromEntries(passing.map((name) => [`node_modules/${name}`, ''])),
      [`node_modules/${failing}`]: failing === 'nothing' ? '' : 'process.exitCode = 3;',
    });
    expect((await run(['test'])).code).toBe(code);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'test: %s ends the tests and the check, and then the launcher',
    async (signal) => {
      const endsLast = `
      const { readFileSync } = await import('node:fs');
      const endAfterTests = () => {
        try {
          process.kill(Number(readFileSync('vitest id', 'utf8')), 0);
        } catch {
          process.exit(0);
        }
      };
      process.once('${signal}', () => setInterval(endAfterTests, 10));`;
      const waits = (name: string, other: string) => `
      ${meets(name, other)}
      writeFileSync('${name} id', String(process.pid));
      setInterval(() => {}, 1000);`;
      makeTree(folder, {
        'node_modules/vitest/vitest.mjs': waits('vitest', 'knip'),
        'node_modules/knip/bin/knip.js': waits('knip', 'vitest') + endsLast,
      });
      const launcher = launch(['test']);
      const ids = ['vitest id', 'knip id'].map((name) => join(folder, name));
      await until(() => ids.every((file) => existsSync(file) && readFileSync(file, 'utf8') !== ''));
      launcher.signal(signal);
      expect((await launcher.finished).code).toBe(128 + constants.signals[signal]);
      expect(ids.filter((file) => isRunning(Number(readFileSync(file, 'utf8'))))).toEqual([]);
    },
  );

  test('check: prints the output of each step below its name, though steps run at the same time', async () => {
    const slow = (name: string) =>
      `console.log('${name} begins'); await new Promise((r) => setTimeout(r, 100)); console.log('${name} ends');`;
    makeTree(folder, {
      'node_modules/knip/bin/knip.js': slow('knip'),
      'node_modules/oxlint/bin/oxlint': slow('oxlint'),
    });
    const { stderr } = await run(['check']);
    expect(stderr).toContain('── unused code\nknip begins\nknip ends\n');
    expect(stderr).toContain('── lint with types\noxlint begins\noxlint ends\n');
    expect(stderr).toMatch(/ok {4} {2}unused code, \d/);
  });
});

describe('the build', () => {
  const source = 'packages/domain/src/index.ts';

  /** @returns what the second of two runs starts, with a change in between */
  async function secondRun(change: () => void): Promise<string[]> {
    makeTree(folder);
    await run(['countersign']);
    callsIn(folder);
    change();
    await run(['countersign']);
    return callsIn(folder);
  }
  const write = (file: string, text: string) => () => writeFileSync(join(folder, file), text);

  test('the build is skipped when nothing changed', async () => {
    expect(await secondRun(() => undefined)).toEqual(['server']);
  });

  test('the build is skipped after a change of a test', async () => {
    expect(await secondRun(write('packages/domain/src/new.test.ts', ''))).toEqual(['server']);
  });

  test.each([
    { change: 'a source file changed', apply: write(source, 'export {};') },
    { change: 'a source file was added', apply: write('packages/domain/src/new.ts', '') },
    { change: 'a source file was deleted', apply: () => rmSync(join(folder, source)) },
    { change: 'a tsconfig changed', apply: write('packages/domain/tsconfig.json', '{ }') },
    { change: 'the shared tsconfig changed', apply: write('tsconfig.base.json', '{ }') },
    {
      change: 'the build script changed',
      apply: () => {
        const script = join(folder, 'scripts/server-bundle.mjs');
        writeFileSync(script, `${readFileSync(script, 'utf8')}\n`);
      },
    },
  ])('the build is repeated when $change', async ({ apply }) => {
    expect(await secondRun(apply)).toEqual([build, 'server']);
  });

  test('the build is repeated when the lockfile changed, after the install', async () => {
    expect(await secondRun(write('pnpm-lock.yaml', 'changed: true'))).toEqual([
      INSTALL_FOR_SERVING,
      build,
      'server',
    ]);
  });

  test('the build is repeated when a file of the same size was written and its old time set again', async () => {
    const calls = await secondRun(() => {
      const file = join(folder, SERVER);
      const { atime, mtime } = statSync(file);
      writeFileSync(file, readFileSync(file, 'utf8').replace('server', 'SERVER'));
      utimesSync(file, atime, mtime);
    });
    expect(calls).toEqual([build, 'SERVER']);
  });

  test('serves the earlier bundle again when a change is taken back', async () => {
    makeTree(folder);
    await run(['countersign']);
    writeFileSync(join(folder, 'packages/domain/src/new.ts'), '');
    await run(['countersign']);
    rmSync(join(folder, 'packages/domain/src/new.ts'));
    callsIn(folder);
    await run(['countersign']);
    expect(callsIn(folder)).toEqual(['server']);
  });

  test('two commands that build at the same time leave one bundle, and both run', async () => {
    makeTree(folder);
    await run(['test:unit']);
    const finished = await Promise.all([run(['countersign', 'a']), run(['countersign', 'b'])]);
    expect(finished.map(({ stdout, code }) => [stdout, code])).toEqual([
      ['["a"]\n', 0],
      ['["b"]\n', 0],
    ]);
    expect(readdirSync(join(folder, 'node_modules/.cache/server'))).toHaveLength(1);
  });
});

describe('on a Node that is too old', () => {
  /** Runs a command on an old Node. */
  const runOnOld = () => run(['countersign', 'a b'], pretendOldNode(folder));
  const fetched = () => readdirSync(join(folder, FETCHED)).filter((name) => !PNPM_FOLDER.endsWith(name));

  test('every verb runs on the bundled Node and says nothing about it', async () => {
    makeTree(folder);
    placeBundledNode(folder);
    const { stdout, stderr, code } = await runOnOld();
    expect({ stdout, code }).toEqual({ stdout: '["a b"]\n', code: 0 });
    expect(stderr).not.toContain('Node');
    expect(callsIn(folder)).toEqual([INSTALL_FOR_SERVING, build, 'server a b']);
  });

  test('the install of the bundled Node is announced once, in one line', async () => {
    makeTree(folder, { 'npm/npm-cli.js': INSTALLING_NPM });
    const { stderr } = await runOnOld();
    expect(stderr).toContain(
      'countersign: using bundled Node 24.21.0 (this machine has 20.20.2, which is too old)\n',
    );
    expect((await runOnOld()).stderr).toBe('');
  });

  test('pnpm is fetched while the bundled Node is', async () => {
    const npm = `
      const { existsSync, writeFileSync } = await import('node:fs');
      if (process.argv.at(-1).startsWith('@pnpm/')) writeFileSync('pnpm is fetched', '');
      else while (!existsSync('pnpm is fetched')) await new Promise((resolve) => setTimeout(resolve, 20));`;
    makeTree(folder, { 'npm/npm-cli.js': `${npm}{${INSTALLING_NPM}}` });
    rmSync(join(folder, PNPM_FOLDER), { recursive: true });
    expect((await runOnOld()).code).toBe(0);
  });

  test('a bundled Node that does not start on this machine is not kept', async () => {
    const npm = `
      const { mkdirSync, writeFileSync } = await import('node:fs');
      const bin = process.argv[4] + '/node_modules/node-' + process.platform + '-' + process.arch + '/bin';
      mkdirSync(bin, { recursive: true });
      writeFileSync(bin + '/node', '#!/bin/sh\\nexit 1\\n', { mode: 0o755 });`;
    makeTree(folder, { 'npm/npm-cli.js': npm });
    expect((await runOnOld()).stderr).toContain('Install Node 24');
    expect(fetched()).toEqual([]);
  });

  test('a bundled Node that is too old itself is named, and runs nothing', async () => {
    makeTree(folder);
    const old = pretendOldNode(folder).NODE_OPTIONS;
    const bundled = placeBundledNode(folder, `#!/bin/sh\nexec ${process.execPath} ${old} "$@"\n`);
    const { stderr, code } = await runOnOld();
    expect({ stderr, code }).toEqual({
      stderr: `countersign: ${bundled} is Node 20.20.2, not 24.21.0. Delete it, and run this command again.\n`,
      code: 1,
    });
  });

  test('an interrupted or failed install of the bundled Node leaves nothing behind', async () => {
    makeTree(folder, { 'npm/npm-cli.js': noting('npm', "console.error('ENOTFOUND'); process.exit(1);") });
    const { code, stderr } = await runOnOld();
    expect(code).toBe(1);
    expect(stderr).toContain('installing Node 24.21.0 failed: the npm registry cannot be reached');
    expect(fetched()).toEqual([]);
  });

  test('without a bundled Node for this machine, the error says which Node to install', async () => {
    makeTree(folder, { 'npm/npm-cli.js': "console.error('npm error code E404'); process.exit(1);" });
    expect((await runOnOld()).stderr).toContain('Install Node 24 (22.14 or newer works too).');
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  const server = `
    const running = setInterval(() => {}, 1000);
    process.on('${signal}', () => { console.log('stopped by ${signal}'); process.exitCode = 5; clearInterval(running); });
    console.log('serving');`;

  test.each(['this Node', 'an old Node'])(
    'reaches the server on %s, and its exit code is returned',
    async (node) => {
      makeTree(folder, { [SERVER]: server });
      placeBundledNode(folder);
      const launcher = launch(['start'], node === 'an old Node' ? pretendOldNode(folder) : {});
      await launcher.says(/serving/);
      launcher.signal(signal);
      const { code, stdout } = await launcher.finished;
      expect({ code, stdout }).toEqual({ code: 5, stdout: `serving\nstopped by ${signal}\n` });
    },
  );
});

test('the server ends when the launcher is killed', async () => {
  const server = "setInterval(() => {}, 1000); console.log('serving');";
  makeTree(folder, { [SERVER]: server });
  placeBundledNode(folder);
  const launcher = launch(['start'], pretendOldNode(folder));
  await launcher.says(/serving/);
  launcher.signal('SIGKILL');
  // Standard output ends with the last process that has it open.
  const { signal } = await launcher.finished;
  expect(signal).toBe('SIGKILL');
});

describe('npm run dev', () => {
  const serverSaying = (text: string) => `setInterval(() => {}, 1000); console.log('${text}');`;
  const save = (text: string) => writeFileSync(join(folder, SERVER), text);

  /** Starts `dev` on any free port for the debugger. */
  async function startDev(): Promise<Running> {
    makeTree(folder, { [SERVER]: serverSaying('serving one') });
    const launcher = launch(['dev', '--inspect=0']);
    await launcher.says(/serving one/);
    return launcher;
  }

  test('a save restarts the server', async () => {
    const launcher = await startDev();
    save(serverSaying('serving two'));
    await launcher.says(/serving two/);
    await launcher.says(/restarted after \d+ ms/);
    launcher.signal('SIGTERM');
    const { stdout } = await launcher.finished;
    expect(stdout).toBe('serving one\nserving two\n');
  });

  test('a save with a syntax error keeps the server, and the next good save restarts it', async () => {
    const launcher = await startDev();
    save('syntax error');
    await launcher.says(/esbuild found a syntax error/);
    save(serverSaying('serving three'));
    await launcher.says(/serving three/);
    launcher.signal('SIGTERM');
    const { stdout } = await launcher.finished;
    expect(stdout).toBe('serving one\nserving three\n');
  });
});
