// Measures the installed program: from an empty npm cache to the first verification, and single starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pack } from '../../scripts/pack.mjs';
import { runNpm } from '../../scripts/process.mjs';
import { stop } from './children.mjs';
import { freePort, isReady } from './ports.mjs';
import { median } from './rounds.mjs';
import { cpuMicroseconds } from './usage.mjs';
import { workFolder } from './work-folder.mjs';

const SERVER = '@countersign/server';
const LOOK_EVERY_MS = 2;
const FIRST_SECONDS = 30;
const READY_MS = 500;
const ROUNDS = 15;

/** @typedef {{ ms: number, cpuMs: number }} Start */

/**
 * @param {{ short: boolean, say: (line: string) => void }} options
 * @returns {Promise<{ text: string, ok: boolean }>}
 */
export async function benchInstall({ short, say }) {
  const folder = workFolder();
  const tarball = (await pack(join(folder, 'tarballs'), [SERVER])).get(SERVER) ?? '';
  const program = join(folder, 'prefix/bin/countersign');
  const home = join(folder, 'home');
  mkdirSync(home);
  // Only Node on the PATH.
  const machine = { PATH: dirname(process.execPath), HOME: home, DATA_DIR: join(folder, 'data') };

  say('installing …');
  const begun = performance.now();
  const cache = ['--cache', join(folder, 'npm-cache')];
  const { code, output } = await runNpm([
    'install',
    '--global',
    '--prefix',
    join(folder, 'prefix'),
    ...cache,
    tarball,
  ]);
  if (code !== 0) throw new Error(output);
  const installedMs = performance.now() - begun;
  const server = await serve(program, machine);
  await createFirst(program, machine, server.port);
  const firstMs = performance.now() - begun;
  await stop(server.child, 'SIGTERM');

  /** @param {Record<string, string>} env */
  const startOnce = async (env) => {
    const { child, ms } = await serve(program, { ...machine, ...env });
    const cpuMs = cpuMicroseconds(child.pid ?? 0) / 1_000;
    await stop(child, 'SIGTERM');
    return { ms, cpuMs };
  };
  say('starting …');
  /** @type {Record<string, Start[]>} */
  const measured = { compiled: [], 'not compiled': [] };
  for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
    measured.compiled?.push(await startOnce({}));
    measured['not compiled']?.push(await startOnce({ NODE_DISABLE_COMPILE_CACHE: '1' }));
  }
  const readyMs = median((measured.compiled ?? []).map(({ ms }) => ms));
  const lines = Object.entries(measured).map(
    ([name, all]) =>
      `start to /readyz, ${name}: ${Math.round(median(all.map(({ ms }) => ms)))} ms, ${Math.round(median(all.map(({ cpuMs }) => cpuMs)))} ms of processor time`,
  );
  const text = [
    `install with an empty cache: ${(installedMs / 1_000).toFixed(1)} s`,
    `until the first verification: ${(firstMs / 1_000).toFixed(1)} s (less than ${FIRST_SECONDS})`,
    ...lines,
  ].join('\n');
  return { text, ok: firstMs < FIRST_SECONDS * 1_000 && readyMs <= READY_MS };
}

/**
 * Starts a server and waits until it is ready.
 * @param {string} program
 * @param {Record<string, string>} env
 */
async function serve(program, env) {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(program, ['serve'], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await pause(LOOK_EVERY_MS);
  }
  return { child, port, ms: performance.now() - begun };
}

/**
 * Creates a client, its key and a verification.
 * @param {string} program
 * @param {Record<string, string>} env
 * @param {number} port
 */
async function createFirst(program, env, port) {
  const { id = '' } = await command(program, env, 'client', 'create', '--name', 'Acme', '--plan', 'standard');
  const { key = '' } = await command(program, env, 'key', 'create', '--client', id, '--permissions', '*');
  const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/verifications`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ subjectType: 'kyc', subjectReference: 'user_1' }),
  });
  if (status !== 201) throw new Error(`the verification was answered with ${status}`);
}

/**
 * @param {string} program
 * @param {Record<string, string>} env
 * @param {...string} args
 * @returns {Promise<Record<string, string>>}
 */
async function command(program, env, ...args) {
  const child = spawn(program, ['--json', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${code}`);
  return JSON.parse(output);
}
