// Measures `npm start` in a new clone with an empty home, which fetches everything. Then measures further starts.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, runNpm } from '../../scripts/process.mjs';
import { stop } from './children.mjs';
import { freePort, isReady } from './ports.mjs';
import { median } from './rounds.mjs';
import { cpuSecondsOfTree } from './usage.mjs';
import { workFolder } from './work-folder.mjs';

const OLD_NODE = '20.20.2';
const LOOK_EVERY_MS = 5;
const ROUNDS = 5;
/** Next starts in each round. During the first one, the disk may still write what was installed. */
const NEXT_STARTS = 3;
const WARM_MS = 700;
const INSTALLED_MB = 220;
/** What npm needs to reach its registry on this machine. */
const REACHING = [
  'NODE_EXTRA_CA_CERTS',
  'npm_config_globalconfig',
  'npm_config_userconfig',
  'npm_config_registry',
];

/**
 * @typedef {object} Machine
 * @property {string} name
 * @property {number} seconds what a first start may take
 * @property {string} node the path of its Node
 *
 * @typedef {object} Clone
 * @property {string} folder
 * @property {number} port
 * @property {Record<string, string>} env
 *
 * @typedef {object} Start
 * @property {ReadonlyMap<string, number>} parts name → milliseconds
 * @property {number} ms
 * @property {number} cpuSeconds of all processes until it is ready
 *
 * @typedef {{ first: Start, next: readonly Start[], megabytes: number }} Round
 */

/** What a start does, one after the other, and how it shows from outside. @type {readonly { name: string, isDone: (clone: Clone) => boolean | Promise<boolean> }[]} */
const PARTS = [
  {
    name: 'Node 24 and pnpm',
    isDone: ({ folder }) => existsSync(join(folder, 'node_modules', '.pnpm')),
  },
  {
    name: 'dependencies',
    isDone: ({ folder }) => existsSync(join(folder, 'node_modules', '.countersign-serving')),
  },
  {
    name: 'bundle',
    isDone: ({ folder }) =>
      entries(join(folder, 'node_modules', '.cache', 'server')).some((name) => !name.startsWith('partial-')),
  },
  { name: 'until /readyz', isDone: ({ port }) => isReady(port) },
];

/**
 * @param {{ short: boolean, say: (line: string) => void }} options
 * @returns {Promise<{ text: string, ok: boolean }>}
 */
export async function benchCheckout({ short, say }) {
  const folder = workFolder();
  /** @type {Machine[]} */
  const machines = [{ name: `Node ${process.versions.node}`, seconds: 15, node: process.execPath }];
  if (!short)
    machines.push({ name: `Node ${OLD_NODE}`, seconds: 20, node: await oldNode(join(folder, 'old-node')) });
  /** @type {Map<Machine, Round[]>} */
  const measured = new Map(machines.map((machine) => [machine, []]));
  for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
    for (const machine of machines) {
      say(`${machine.name}, ${round + 1} …`);
      measured.get(machine)?.push(await measure(machine, join(folder, 'round')));
    }
  }
  const reports = [...measured].map(([machine, rounds]) => reportOf(machine, rounds));
  return { text: reports.map(({ text }) => text).join('\n\n'), ok: reports.every(({ ok }) => ok) };
}

/**
 * @param {Machine} machine
 * @param {readonly Round[]} rounds
 */
function reportOf({ name, seconds }, rounds) {
  /** @param {(round: Round) => number} of */
  const middle = (of) => median(rounds.map(of));
  const firstSeconds = middle(({ first }) => first.ms) / 1_000;
  const next = rounds.flatMap((round) => round.next);
  const warmMs = median(next.map(({ ms }) => ms));
  const warmCpuSeconds = median(next.map(({ cpuSeconds }) => cpuSeconds));
  const megabytes = middle((round) => round.megabytes);
  const parts = PARTS.map((part) => {
    const ms = middle(({ first }) => first.parts.get(part.name) ?? Number.NaN);
    return `  ${part.name.padEnd(18)} ${(ms / 1_000).toFixed(1)} s`;
  });
  const text = [
    `${name}, medians of ${rounds.length}`,
    `first start: ${firstSeconds.toFixed(1)} s (at most ${seconds}), ${middle(({ first }) => first.cpuSeconds).toFixed(1)} s of processor time`,
    ...parts,
    `next start: ${Math.round(warmMs)} ms (at most ${WARM_MS}), ${warmCpuSeconds.toFixed(2)} s of processor time`,
    `installed: ${Math.round(megabytes)} MB (at most ${INSTALLED_MB})`,
  ].join('\n');
  return { text, ok: firstSeconds <= seconds && warmMs <= WARM_MS && megabytes <= INSTALLED_MB };
}

/**
 * @param {Machine} machine
 * @param {string} folder is made, and deleted
 * @returns {Promise<Round>}
 */
async function measure({ node }, folder) {
  const path = join(folder, 'path');
  const home = join(folder, 'home');
  const checkout = join(folder, 'clone');
  for (const each of [path, home]) mkdirSync(each, { recursive: true });
  execFileSync('git', ['clone', '--quiet', root, checkout]);
  symlinkSync(node, join(path, 'node'));
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('start this by `npm run bench`, which tells where npm is');
  writeFileSync(join(path, 'npm'), `#!/bin/sh\nexec node '${npm}' "$@"\n`, { mode: 0o755 });
  const reaching = REACHING.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== '');
  const port = await freePort();
  const env = { ...Object.fromEntries(reaching), PATH: `${path}:/usr/bin:/bin`, HOME: home, PORT: String(port) };
  const clone = { folder: checkout, port, env };
  const first = await startOnce(clone);
  const installed = join(checkout, 'node_modules');
  // The cache is what was built there: the bundle and compiled code.
  const megabytes = megabytesIn(installed) - megabytesIn(join(installed, '.cache'));
  const next = [];
  for (let start = 0; start < NEXT_STARTS; start++) next.push(await startOnce(clone));
  rmSync(folder, { recursive: true });
  return { first, next, megabytes };
}

/**
 * Starts the server, and stops it when it is ready.
 * @param {Clone} clone
 * @returns {Promise<Start>}
 */
async function startOnce(clone) {
  const begun = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: clone.folder,
    env: clone.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const parts = new Map();
  let last = begun;
  for (const { name, isDone } of PARTS) {
    while (!(await isDone(clone))) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${said}`);
      await pause(LOOK_EVERY_MS);
    }
    const now = performance.now();
    parts.set(name, now - last);
    last = now;
  }
  const cpuSeconds = cpuSecondsOfTree(child.pid ?? 0) ?? Number.NaN;
  await stop(child, 'SIGTERM');
  return { parts, ms: last - begun, cpuSeconds };
}

/**
 * Installs a Node that the launcher replaces.
 * @param {string} folder contains no clone: in one below it, npm would put this Node first on the path
 * @returns {Promise<string>} its path
 */
async function oldNode(folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await runNpm(['install', '--prefix', folder, ...options, `${name}@${OLD_NODE}`]);
  if (code !== 0) throw new Error(output);
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/** Returns what a folder takes on the disk. @param {string} folder */
function megabytesIn(folder) {
  return Number.parseInt(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }), 10) / 1024;
}

/** @param {string} folder */
function entries(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
