// Takes more than 5 s: it starts the launcher 80 times, because what a command installs depends on earlier ones.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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
  PNPM_CODE,
  PNPM_FOLDER,
  PNPM_PACKAGE,
  SERVER,
} from './made-tree.ts';

const SERVE = ['countersign'];
const TEST = ['test', 'packages/domain'];
/** What pnpm wrote about its last install. */
const PNPM_RECORD = 'node_modules/.modules.yaml';
/** Tests run from a full install. */
const recordOfThisInstall = readFileSync(join(import.meta.dirname, '../..', PNPM_RECORD), 'utf8');
/** Replaces pnpm: fails. */
const FAILING = noting('pnpm', "console.error('no space left'); process.exit(1);");
/** Replaces pnpm: ends when a file exists, or when the folder of its test is gone. */
const HELD = noting(
  'pnpm',
  `const { existsSync } = await import('node:fs');
  while (!existsSync('enough') && existsSync('calls')) await new Promise((resolve) => setTimeout(resolve, 20));`,
);

let folder: string;

beforeEach(() => {
  folder = temporaryFolder(tmpdir());
});

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const launch = (args: readonly string[]) => launchIn(folder, args);
const run = (args: readonly string[]) => launch(args).finished;

/** Returns the installs since the last call. */
const installs = () => callsIn(folder).filter((call) => /^p?npm /.test(call));

/** @returns the installs of a command */
async function installsOf(args: readonly string[]): Promise<readonly string[]> {
  installs();
  await run(args);
  return installs();
}

test.each(['start', 'countersign'])('%s installs what serving needs', async (verb) => {
  makeTree(folder);
  expect(await installsOf([verb])).toEqual([INSTALL_FOR_SERVING]);
});

test.each(['dev', 'test', 'check', 'pack', 'bench'])('%s installs everything', async (verb) => {
  // Ends soon after the install.
  makeTree(folder, { 'node_modules/esbuild/index.js': '', 'apps/server/src/main.ts': '' });
  expect(await installsOf([verb])).toEqual([INSTALL_ALL]);
});

test('an unknown verb installs nothing', async () => {
  makeTree(folder);
  expect(await installsOf(['toString'])).toEqual([]);
});

describe.each([
  { size: 'what serving needs', command: SERVE, installed: INSTALL_FOR_SERVING },
  { size: 'everything', command: TEST, installed: INSTALL_ALL },
])('an install of $size', ({ command, installed }) => {
  beforeEach(async () => {
    makeTree(folder);
    await run(command);
  });

  test('an install is skipped when nothing changed', async () => {
    expect(await installsOf(command)).toEqual([]);
  });

  test.each(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'packages/domain/package.json'])(
    'an install is repeated when %s changed',
    async (file) => {
      write(file, '{ "changed": true }');
      expect(await installsOf(command)).toEqual([installed]);
    },
  );

  test('an install is repeated when node_modules is gone', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true });
    makeTree(folder);
    expect(await installsOf(command)).toEqual([installed]);
  });

  test('an install that failed is repeated by the next run', async () => {
    write('pnpm-lock.yaml', 'changed: true');
    write(PNPM_CODE, FAILING);
    callsIn(folder);
    for (const _ of [1, 2]) {
      const { code, stderr } = await run(command);
      expect(code).toBe(1);
      expect(stderr).toContain('no space left');
      expect(callsIn(folder)).toEqual([installed]);
    }
    write(PNPM_CODE, noting('pnpm'));
    expect(await installsOf(command)).toEqual([installed]);
  });
});

describe('the two sizes', () => {
  test('a test installs the rest of what serving needs, once', async () => {
    makeTree(folder);
    await run(SERVE);
    expect(await installsOf(TEST)).toEqual([INSTALL_ALL]);
    expect(await installsOf(TEST)).toEqual([]);
  });

  test('a server starts on a full install, which is kept up to date in full', async () => {
    makeTree(folder);
    await run(TEST);
    expect(await installsOf(SERVE)).toEqual([]);
    write('pnpm-lock.yaml', 'changed: true');
    expect(await installsOf(SERVE)).toEqual([INSTALL_ALL]);
    expect(await installsOf(TEST)).toEqual([]);
  });

  test('a full install that failed is not replaced by a small one', async () => {
    makeTree(folder, { [PNPM_CODE]: FAILING });
    await run(TEST);
    write(PNPM_CODE, noting('pnpm'));
    expect(await installsOf(SERVE)).toEqual([INSTALL_ALL]);
  });

  test('a full install without a stamp, made by hand or by an earlier launcher, is not replaced by a small one', async () => {
    makeTree(folder, { [PNPM_RECORD]: recordOfThisInstall });
    expect(await installsOf(SERVE)).toEqual([INSTALL_ALL]);
  });

  test('an install for serving without a stamp stays small', async () => {
    const record = recordOfThisInstall.replace(/("devDependencies": )true/, '$1false');
    expect(record).not.toBe(recordOfThisInstall);
    makeTree(folder, { [PNPM_RECORD]: record });
    expect(await installsOf(SERVE)).toEqual([INSTALL_FOR_SERVING]);
  });

  test('a full install that failed leaves what serving needs, for the same lockfile only', async () => {
    makeTree(folder);
    await run(SERVE);
    write(PNPM_CODE, FAILING);
    await run(TEST);
    expect(await installsOf(SERVE)).toEqual([]);

    write('pnpm-lock.yaml', 'changed: true');
    await run(TEST);
    write('pnpm-lock.yaml', 'lockfileVersion: 9');
    expect(await installsOf(SERVE)).toEqual([INSTALL_ALL]);
  });

  test('a server starts while the rest is installed', async () => {
    makeTree(folder);
    await run(SERVE);
    write(PNPM_CODE, HELD);
    const testing = launch(TEST);
    await until(() => installs().includes(INSTALL_ALL));
    expect((await run(SERVE)).stdout).toBe('[]\n');
    write('enough', '');
    expect((await testing.finished).code).toBe(0);
  });
});

describe('commands at the same time', () => {
  test('the second command waits for the install of the first one, and installs what it lacks', async () => {
    makeTree(folder, { [PNPM_CODE]: HELD });
    const serving = launch(SERVE);
    await until(() => installs().includes(INSTALL_FOR_SERVING));
    const others = [launch(SERVE), launch(TEST)];
    await Promise.all(others.map((other) => other.says(/waiting for another command that installs/)));
    expect(installs()).toEqual([]);
    write('enough', '');
    const finished = await Promise.all([serving, ...others].map((command) => command.finished));
    expect(finished.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(installs()).toEqual([INSTALL_ALL]);
    const left = readdirSync(join(folder, 'node_modules')).filter((name) => name.includes('install-lock'));
    expect(left).toEqual([]);
  });

  test('a command changes no dependencies under a running server, and installs after it has ended', async () => {
    const server =
      "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000); console.log('serving');";
    makeTree(folder, { [SERVER]: server });
    const serving = launch(['start']);
    await serving.says(/serving/);
    write('pnpm-lock.yaml', 'changed: true');
    installs();
    for (const command of [SERVE, TEST]) {
      const { code, stderr } = await run(command);
      expect(code).toBe(1);
      expect(stderr).toContain('Stop it and run this command again, or use another clone.');
    }
    expect(installs()).toEqual([]);
    serving.signal('SIGTERM');
    await serving.finished;
    expect(await installsOf(TEST)).toEqual([INSTALL_ALL]);
  });

  test('a command that was killed in its install has installed nothing', async () => {
    makeTree(folder, { [PNPM_CODE]: HELD });
    const killed = launch(SERVE);
    await until(() => installs().includes(INSTALL_FOR_SERVING));
    killed.signal('SIGKILL');
    write('enough', '');
    await killed.finished;
    // The next command would wait 10 s for it.
    rmSync(join(folder, 'node_modules/.countersign-install-lock'), { recursive: true });
    expect(await installsOf(SERVE)).toEqual([INSTALL_FOR_SERVING]);
    expect(await installsOf(SERVE)).toEqual([]);
  });
});

test('the install without a network ends with one line that says so', async () => {
  const failing = "console.error('error sending request\\nmore'); process.exit(1);";
  makeTree(folder, { [PNPM_CODE]: noting('pnpm', failing) });
  const { stderr } = await run(SERVE);
  expect(stderr.trim().split('\n').slice(1)).toEqual([
    "countersign: installing dependencies failed: the npm registry cannot be reached. Check the network and npm's registry setting.",
  ]);
});

describe('pnpm', () => {
  /** Makes a tree without pnpm. */
  function makeWithout(npm: string): void {
    makeTree(folder, { 'npm/npm-cli.js': noting('npm', npm) });
    rmSync(join(folder, PNPM_FOLDER), { recursive: true });
  }

  test('npm fetches the package for this machine once, without install scripts', async () => {
    makeWithout(INSTALLING_NPM);
    const [fetch, ...others] = await installsOf(SERVE);
    expect(fetch?.replace(/--prefix \S+/, '--prefix …')).toBe(
      `npm install --prefix … --no-save --no-package-lock --ignore-scripts --no-audit --no-fund ${PNPM_PACKAGE}@12.21.0`,
    );
    expect(others).toEqual([]);
    expect(readdirSync(join(folder, FETCHED))).toEqual([basename(PNPM_FOLDER)]);
    expect(await installsOf(TEST)).toEqual([]);
  });

  test('npm fetches pnpm with the settings of the clone, which the cache does not keep', async () => {
    makeWithout(
      `const { readFileSync } = await import('node:fs');
      const settings = readFileSync(process.argv[process.argv.indexOf('--prefix') + 1] + '/.npmrc', 'utf8');
      if (settings !== 'registry=http://127.0.0.1:9/') process.exit(1);
      {${INSTALLING_NPM}}`,
    );
    write('.npmrc', 'registry=http://127.0.0.1:9/');
    expect(await run(SERVE)).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, PNPM_FOLDER, '.npmrc'))).toBe(false);
  });

  test('a cached folder without the program is replaced', async () => {
    makeWithout(INSTALLING_NPM);
    mkdirSync(join(folder, PNPM_FOLDER, 'node_modules'), { recursive: true });
    expect(await run(SERVE)).toMatchObject({ code: 0 });
    expect(await installsOf(TEST)).toEqual([]);
  });

  test('the error names a folder that is not writable', async () => {
    makeWithout(INSTALLING_NPM);
    rmSync(join(folder, 'cache'), { recursive: true });
    write('cache', '');
    const { code, stderr } = await run(SERVE);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${FETCHED} (ENOTDIR). Make it writable`),
    });
  });

  test.each([
    {
      why: 'the network is missing',
      npm: "console.error('npm error code ECONNREFUSED\\nnpm error more'); process.exit(1);",
      says: 'installing pnpm@12.21.0 failed: the npm registry cannot be reached',
    },
    { why: 'npm installs no program', npm: '', says: `${PNPM_PACKAGE} does not start on this machine` },
  ])('the error tells that $why, and the next run fetches again', async ({ npm, says }) => {
    makeWithout(npm);
    for (const _ of [1, 2]) {
      const { code, stderr } = await run(SERVE);
      expect(code).toBe(1);
      expect(stderr).toContain(says);
      expect(installs()).toHaveLength(1);
      expect(readdirSync(join(folder, FETCHED))).toEqual([]);
    }
  });
});
