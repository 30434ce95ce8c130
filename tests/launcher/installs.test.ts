import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { dependencyState, extentFor, installDependencies, useDependencies } from '../../scripts/install.mjs';
import { INSTALL_ALL, INSTALL_FOR_SERVING } from './made-tree.ts';

type Extent = 'serving' | 'full';
type Pnpm = (args: readonly string[]) => Promise<{ code: number; output: string }>;

const INSTALLS = { serving: INSTALL_FOR_SERVING, full: INSTALL_ALL };
const RECORD = 'node_modules/.modules.yaml';
/** A user without rights. */
const NOBODY = 65_534;
const RUNNING = 'node_modules/.countersign-running';

let clone: string;
/** Takes the place of pnpm: installs nothing. */
const pnpm = vi.fn<Pnpm>();
let said: string;

beforeEach(() => {
  clone = temporaryFolder();
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'packages/domain/package.json']) write(file);
  for (const file of ['package.json', 'apps/server/package.json', 'tests/package.json']) write(file);
  pnpm.mockReset().mockResolvedValue({ code: 0, output: '' });
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit code ${code}`);
  });
});
afterEach(() => void vi.useRealTimers());

function write(file: string, text = ''): void {
  mkdirSync(dirname(join(clone, file)), { recursive: true });
  writeFileSync(join(clone, file), text);
}
const install = (wanted: Extent) => installDependencies(wanted, { clone, pnpm });
const changeLockfile = () => write('pnpm-lock.yaml', 'changed: true');

/** Returns what pnpm was started with since the last call. */
function installs(): readonly string[] {
  const calls = pnpm.mock.calls.map(([args]) => ['pnpm', ...args].join(' '));
  pnpm.mockClear();
  return calls;
}

async function installsOf(wanted: Extent): Promise<readonly string[]> {
  installs();
  await install(wanted);
  return installs();
}

/** Begins an install that ends when its launcher is killed. */
async function interrupt(wanted: Extent): Promise<void> {
  pnpm.mockRejectedValueOnce(new Error('killed'));
  await expect(install(wanted)).rejects.toThrow('killed');
  installs();
}

test('extentFor: start and countersign need what serving needs, and all other scripts need everything', () => {
  const manifest: { scripts: object } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  );
  const verbs = Object.keys(manifest.scripts).filter((verb) => verb !== 'help');
  expect(verbs.length).toBeGreaterThan(10);
  expect(verbs.filter((verb) => extentFor(verb) === 'serving')).toEqual(['start', 'countersign']);
  expect(verbs.filter((verb) => extentFor(verb) === 'full')).toHaveLength(verbs.length - 2);
});

describe.each(['serving', 'full'] as const)('the %s install', (wanted) => {
  const other = wanted === 'serving' ? 'full' : 'serving';

  it('the install runs once, and says so', async () => {
    expect(await installsOf(wanted)).toEqual([INSTALLS[wanted]]);
    expect(said).toBe('countersign: installing dependencies …\n');
    expect(await installsOf(wanted)).toEqual([]);
  });

  it.each([
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    'packages/domain/package.json',
    'apps/server/package.json',
    'tests/package.json',
    'packages/new/package.json',
  ])('the install is repeated once when %s changed', async (file) => {
    await install(wanted);
    write(file, 'changed');
    expect(await installsOf(wanted)).toEqual([INSTALLS[wanted]]);
    expect(await installsOf(wanted)).toEqual([]);
  });

  it('the install is repeated when node_modules is gone', async () => {
    await install(wanted);
    rmSync(join(clone, 'node_modules'), { recursive: true });
    expect(await installsOf(wanted)).toEqual([INSTALLS[wanted]]);
  });

  it.each(['in a new clone', 'for a changed lockfile'])(
    'the install is repeated when it was interrupted %s',
    async (when) => {
      if (when === 'for a changed lockfile') {
        await install(wanted);
        changeLockfile();
      }
      await interrupt(wanted);
      expect(await installsOf(wanted)).toEqual([INSTALLS[wanted]]);
      expect(await installsOf(wanted)).toEqual([]);
    },
  );

  it('the install that failed ends the launcher with the output of pnpm, and is repeated', async () => {
    pnpm.mockResolvedValueOnce({ code: 1, output: 'no space left\n' });
    await expect(install(wanted)).rejects.toThrow('exit code 1');
    expect(said).toContain('no space left\ncountersign: installing dependencies failed');
    expect(await installsOf(wanted)).toEqual([INSTALLS[wanted]]);
  });

  it.each(['serving', 'full'] as const)(
    'the install waits for one of another command (%s), and then makes only what is missing',
    async (first) => {
      vi.useFakeTimers();
      const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
      pnpm.mockReturnValueOnce(promise);
      const running = install(first);
      const waiting = install(wanted);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(said).toContain('waiting for another command that installs dependencies …\n');
      expect(installs()).toEqual([INSTALLS[first]]);
      resolve({ code: 0, output: '' });
      await running;
      await vi.advanceTimersByTimeAsync(1_000);
      await waiting;
      expect(installs()).toEqual(first === 'serving' && wanted === 'full' ? [INSTALL_ALL] : []);
    },
  );

  it(`the install is repeated when the lockfile changes back, also after one of the size ${other}`, async () => {
    await install(other);
    changeLockfile();
    await install(wanted);
    expect(await installsOf(wanted)).toEqual([]);
    write('pnpm-lock.yaml');
    expect(await installsOf(wanted)).not.toEqual([]);
  });
});

describe('both installs in one clone', () => {
  it('a full install adds to one for serving, once', async () => {
    await install('serving');
    expect(await installsOf('full')).toEqual([INSTALL_ALL]);
    expect(await installsOf('full')).toEqual([]);
    expect(await installsOf('serving')).toEqual([]);
  });

  it('a full install suffices for serving, which then keeps it up to date in full', async () => {
    await install('full');
    expect(await installsOf('serving')).toEqual([]);
    changeLockfile();
    expect(await installsOf('serving')).toEqual([INSTALL_ALL]);
    expect(await installsOf('full')).toEqual([]);
  });

  it('an interrupted full install is continued in full by a command that serves', async () => {
    await interrupt('full');
    expect(await installsOf('serving')).toEqual([INSTALL_ALL]);
    expect(await installsOf('full')).toEqual([]);
  });

  it('an interrupted full install leaves serving possible, for the same lockfile only', async () => {
    await install('serving');
    await interrupt('full');
    expect(await installsOf('serving')).toEqual([]);
    changeLockfile();
    await interrupt('full');
    write('pnpm-lock.yaml');
    expect(await installsOf('serving')).toEqual([INSTALL_ALL]);
  });

  it('a full install made by hand with pnpm is kept up to date in full', async () => {
    write(RECORD, '{ "included": { "devDependencies": true } }');
    expect(await installsOf('serving')).toEqual([INSTALL_ALL]);
  });

  it('an install for serving made by hand with pnpm stays one for serving', async () => {
    write(RECORD, '{ "included": { "devDependencies": false } }');
    expect(await installsOf('serving')).toEqual([INSTALL_FOR_SERVING]);
  });

  it('a server starts while a full install for the same lockfile runs', async () => {
    await install('serving');
    let served = false;
    pnpm.mockImplementationOnce(async () => {
      await install('serving');
      served = true;
      return { code: 0, output: '' };
    });
    expect(await installsOf('full')).toEqual([INSTALL_ALL]);
    expect(served).toBe(true);
  });
});

describe('an install beside a running server', () => {
  const entry = () => join(clone, RUNNING, 'process-1');
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

  /** Makes the entry of a server that was killed. */
  function plantEntry(): void {
    vi.useFakeTimers();
    mkdirSync(entry(), { recursive: true });
  }

  /** Makes the entry of a server that runs. @returns a function that stops it */
  function runServer(): () => void {
    plantEntry();
    const refreshing = setInterval(() => utimesSync(entry(), new Date(), new Date()), 1_000);
    return () => {
      clearInterval(refreshing);
      rmSync(entry(), { recursive: true });
    };
  }

  async function expectRefusal(wanted: Extent): Promise<void> {
    const [outcome] = await Promise.allSettled([install(wanted), seconds(3)]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'exit code 1' } });
  }

  it.each([
    { before: 'serving', wanted: 'serving' },
    { before: 'serving', wanted: 'full' },
    { before: 'full', wanted: 'serving' },
    { before: 'full', wanted: 'full' },
  ] as const)(
    'a $wanted install, after a $before install and a change of the lockfile, is refused until the server has ended',
    async ({ before, wanted }) => {
      await install(before);
      const stop = runServer();
      changeLockfile();
      installs();
      await expectRefusal(wanted);
      expect(said).toContain('A server or command runs from this clone');
      expect(said).toContain('Stop it and run this command again, or use another clone.');
      expect(installs()).toEqual([]);

      // What the server loads is still known as complete: it starts again with the old lockfile.
      write('pnpm-lock.yaml');
      expect(await installsOf(before)).toEqual([]);
      changeLockfile();
      stop();
      expect(await installsOf(wanted)).toEqual([INSTALLS[before === 'full' ? 'full' : wanted]]);
    },
  );

  it('a full install that was interrupted for another lockfile is not continued', async () => {
    await install('serving');
    changeLockfile();
    await interrupt('full');
    runServer();
    await expectRefusal('serving');
    expect(installs()).toEqual([]);
  });

  it('a full install for the same lockfile only adds, so it runs', async () => {
    await install('serving');
    runServer();
    expect(await installsOf('full')).toEqual([INSTALL_ALL]);
    expect(await installsOf('serving')).toEqual([]);
  });

  it('a server that was suspended, and that an install took for a killed one, is recorded again', async () => {
    useDependencies(clone);
    const [name = ''] = readdirSync(join(clone, RUNNING));
    rmSync(join(clone, RUNNING, name), { recursive: true });
    await until(() => existsSync(join(clone, RUNNING, name)));
  });

  it('an install waits ten seconds to know that a server was killed, and says so', async () => {
    await install('serving');
    plantEntry();
    changeLockfile();
    installs();
    const installing = install('serving');
    await seconds(9);
    expect(said).toContain('checking whether a server or command still runs from this clone …\n');
    expect(installs()).toEqual([]);
    await seconds(2);
    await installing;
    expect(installs()).toEqual([INSTALL_FOR_SERVING]);
    expect(readdirSync(join(clone, RUNNING))).toEqual([]);
  });

  it('a process refreshes its entry each second, until it ends', async () => {
    await install('serving');
    vi.useFakeTimers({ toFake: ['setInterval', 'Date'], now: 0 });
    const others = process.listeners('exit');
    useDependencies(clone);
    const [name = ''] = readdirSync(join(clone, RUNNING));
    const refreshed = () => statSync(join(clone, RUNNING, name)).mtimeMs;
    for (const second of [1, 2]) {
      vi.advanceTimersByTime(1_000);
      await until(() => refreshed() === second * 1_000);
    }
    for (const atExit of process.listeners('exit').filter((listener) => !others.includes(listener))) {
      process.off('exit', atExit);
      atExit(0);
    }
    expect(readdirSync(join(clone, RUNNING))).toEqual([]);
    vi.advanceTimersByTime(1_000);
  });

  it.each([
    { can: 'can', notes: true },
    { can: 'cannot', notes: false },
  ])('a process ends by itself and leaves no entry, in a clone that it $can write to', ({ notes }) => {
    const modules = join(clone, 'node_modules');
    mkdirSync(modules);
    if (!notes) chmodSync(modules, 0o555);
    const module = pathToFileURL(join(import.meta.dirname, '../../scripts/install.mjs')).href;
    // Root ignores permissions.
    const program = `
      const { existsSync } = await import('node:fs');
      const { useDependencies } = await import(${JSON.stringify(module)});
      if (!${notes} && process.getuid?.() === 0) process.setuid(${NOBODY});
      useDependencies(${JSON.stringify(clone)});
      console.log(existsSync(${JSON.stringify(join(clone, RUNNING))}));`;
    const args = ['--input-type=module', '--eval', program];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })).toBe(`${notes}\n`);
    expect(readdirSync(modules).flatMap((name) => readdirSync(join(modules, name)))).toEqual([]);
  });
});

test('dependencyState: is the same until the binary interface of Node changes', () => {
  const before = dependencyState(clone);
  expect(dependencyState(clone)).toBe(before);
  vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, modules: '1' });
  expect(dependencyState(clone)).not.toBe(before);
});
