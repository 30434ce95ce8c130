// Packs the program, installs it and starts it on a machine without a checkout.
import {
  chmodSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { ANSWERS } from '@countersign/test-support/pages/page-answers';
import { card, pdf } from '@countersign/test-support/pages/pictures';
import { newMemberByLink } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { type Environment, type Finished, run } from '@countersign/test-support/processes/child-process';
import { npm } from '@countersign/test-support/processes/npm';
import { startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../../scripts/pack.mjs';

const NAME = '@countersign/server';
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

/** What an installation may take on the disk, in MB. */
const INSTALLED_MB = 80;

const prefix = temporaryFolder(tmpdir());
const installed = join(prefix, 'lib/node_modules', NAME);
const program = join(prefix, 'bin/countersign');

/** Installs packages as a user of npm does, without their install scripts. */
const install = (...args: string[]) =>
  npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...args], prefix);

/** A machine with only Node: no other program on the PATH, and a home of its own. */
interface Machine {
  readonly env: Environment;
  readonly home: string;
}

function machineWith(node: string): Machine {
  const home = temporaryFolder(tmpdir());
  const path = join(home, 'path');
  mkdirSync(path);
  symlinkSync(node, join(path, 'node'));
  return { home, env: { PATH: path, HOME: home, NODE_COMPILE_CACHE: '' } };
}

const countersign = (args: readonly string[], env: Environment): Promise<Finished> => run(program, args, { env });

/** Runs a command and returns the value that `--json` prints. */
async function resultOf<T>(args: readonly string[], env: Environment): Promise<T> {
  const { code, stdout, stderr } = await countersign([...args, '--json'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

beforeAll(async () => {
  const tarballs = await pack(temporaryFolder(tmpdir()), [NAME]);
  await install('--global', '--prefix', prefix, tarballs.get(NAME) ?? '');
}, 300_000);

it(`takes at most ${INSTALLED_MB} MB, and needs no package of this repository`, () => {
  const sizes = globSync('**', { cwd: prefix, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).blocks * 512);
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2).toBeLessThan(INSTALLED_MB);
  expect(globSync('lib/node_modules/**/@countersign/*/package.json', { cwd: prefix })).toEqual([
    `lib/node_modules/${NAME}/package.json`,
  ]);
});

it('reads a machine-readable zone and the barcode of a licence with only Node on the machine', async () => {
  const { env, home } = machineWith(process.execPath);
  const { stdout } = await countersign(['doctor', '--json'], { ...env, DATA_DIR: join(home, 'data') });
  const { reader } = JSON.parse(stdout) as { reader: object };
  expect(reader).toEqual({ on: true, reads: true, version: expect.stringMatching(/^mrz-\w+, pdf417-[\d.]+$/) });
});

it('depends on exact versions, and runs no install script', () => {
  const { dependencies = {}, scripts = {} } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  expect(scripts).toEqual({});
  expect(Object.values(dependencies).filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});

/** The Nodes that run the program. The tests' own is the short form. */
const NODES = ['this', ...(extent({ full: 1, short: 0 }) === 1 ? ['22.14.0', '26.10.0'] : [])];

/** Returns the path of a Node, installed from npm as the launcher does. */
async function nodeOf(wanted: string): Promise<string> {
  if (wanted === 'this') return process.execPath;
  const folder = temporaryFolder(tmpdir());
  const name = `node-${process.platform}-${process.arch}`;
  await install('--prefix', folder, '--no-save', `${name}@${wanted}`);
  return join(folder, 'node_modules', name, 'bin/node');
}

describe.each(NODES)('on Node %s, with nothing else on the PATH', (wanted) => {
  let machine: Machine;
  beforeAll(async () => {
    machine = machineWith(await nodeOf(wanted));
  }, 300_000);

  it('serves: clients and keys by command, a verification with pictures, a review; SIGTERM ends it with 0', async () => {
    const server = await startServer({ command: [program], env: machine.env });
    const env = { ...machine.env, ...server.env };
    const { id } = await resultOf<{ id: string }>(
      ['client', 'create', '--name', 'Acme', '--plan', 'standard'],
      env,
    );
    const { key } = await resultOf<{ key: string }>(['key', 'create', '--client', id, '--permissions', '*'], env);
    const api = createApiClient(server.baseUrl, key);
    const created = await api.post({ subjectType: 'kyb', subjectReference: 'company-1' });
    expect(created.status).toBe(201);

    // The decoder draws pictures and pages of PDFs again, in a program of its own.
    const forms = await openSubjectForms(String(dataOf(created).verificationUrl), 'kyb');
    const picture = new Blob([await card('registered')]);
    const files: Readonly<Record<string, Blob>> = {
      'registration-extract': new Blob([new Uint8Array(pdf('articles'))]),
      'document-front': picture,
      selfie: picture,
    };
    const numbers = { ...ANSWERS.kyb.numbers, vatNumber: 'DE123456789' };
    await forms.walk({ answers: { numbers }, file: (slug) => files[slug] ?? null });
    expect(dataOf(await api.get(`/verifications/${idOf(created)}`)).status).toBe('submitted');

    // A thread estimates the password of the one-time link, the rules of the country check the VAT number, another thread
    // reads the audit log.
    const operator = await newMemberByLink(server, { role: 'operator', name: 'Olga' });
    const review = await operator.get(`/review/${idOf(created)}`);
    expect(await review.text()).toContain('The VAT number does not fit the rules of its country');
    expect((await operator.get('/admin/audit?action=clients.create&actor=command_line')).status).toBe(200);
    const style = /href="(\/assets\/[^"]+\.css)"/.exec(await (await operator.get('/review')).text())?.[1] ?? '';
    expect((await operator.get(style)).status).toBe(200);

    const { code, stderr } = await server.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // The next start finds its code compiled.
    const compiled = globSync('.cache/countersign/compiled/*/*', { cwd: machine.home });
    expect(compiled.length).toBeGreaterThan(10);
  });

  it('prints its version', async () => {
    const { code, stdout } = await countersign(['--version'], machine.env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` });
  });
});

describe('what it refuses', () => {
  const machine = machineWith(process.execPath);

  it('a data directory that cannot be written, in one line', async () => {
    const { code, stderr } = await countersign(['serve'], { ...machine.env, DATA_DIR: '/proc/countersign' });
    expect(code).toBe(78);
    expect(stderr).toMatch(
      /^countersign: DATA_DIR is "\/proc\/countersign": [^\n]+, expected a writable directory\n$/,
    );
  });

  it('an older Node, in one line', async () => {
    const disguise = join(machine.home, 'old-node.cjs');
    writeFileSync(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
    );
    const { code, stdout, stderr } = await countersign(['serve'], {
      ...machine.env,
      NODE_OPTIONS: `--require ${disguise}`,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'countersign: Node 20.20.2 is too old. Install Node 24 (22.14 or newer works too).\n',
    });
  });
});

it('runs without a folder for compiled code, and uses none that others can write', async () => {
  const { home, env } = machineWith(process.execPath);
  const open = join(home, 'open/countersign/compiled');
  mkdirSync(open, { recursive: true });
  chmodSync(open, 0o777);
  for (const cache of ['/proc', join(home, 'open')]) {
    const { code, stdout } = await countersign(['--version'], { ...env, XDG_CACHE_HOME: cache });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` });
  }
  expect(readdirSync(open)).toEqual([]);
});
