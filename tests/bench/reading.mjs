// Measures the reader of documents: what it costs, and the API beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { buildServer } from '../../scripts/server-bundle.mjs';
import { start, stop } from './children.mjs';
import { timesOf } from './rounds.mjs';
import { startUploadsServer } from './uploads-server.mjs';
import { cpuSeconds, residentMegabytes } from './usage.mjs';

const FULL = { pictures: 500, rounds: 10, seconds: 10 };
const SHORT = { pictures: 3, rounds: 1, seconds: 0.5 };

/** Pictures of 12 megapixels are the largest that phones send. */
const LARGE = { width: 4000, height: 3000 };
/** Pause between two requests of the other client. */
const PAUSE_MS = 5;
/** As the server starts the reader. */
const NICENESS = 5;

/** @typedef {Awaited<ReturnType<typeof benchReading>>} ReadingFigures */

/** @param {{ short: boolean, say: (line: string) => void }} options */
export async function benchReading({ short, say }) {
  const extent = short ? SHORT : FULL;
  const pictures = await drawnPictures();
  const reader = await startReader();
  const read = (/** @type {number} */ n) => reader.read(pictures[n % pictures.length] ?? Buffer.alloc(0));

  say(`reading ${extent.pictures} pictures …`);
  /** @type {number[]} */
  const seconds = [];
  /** @type {Record<string, number>} */
  const outcomes = {};
  await read(0);
  for (let n = 0; n < extent.pictures; n += 1) {
    const before = cpuSeconds(reader.pid) ?? 0;
    const { outcome } = await read(n);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    seconds.push((cpuSeconds(reader.pid) ?? 0) - before);
  }
  const megabytes = residentMegabytes(reader.pid)?.highest ?? 0;

  const server = await startUploadsServer('reading');
  /** @type {{ calm: number, loaded: number }[]} */
  const rounds = [];
  let beside = 0;
  for (let round = 0; round < extent.rounds; round += 1) {
    say(`round ${round + 1} of ${extent.rounds} …`);
    const calm = await p99Of(server.list, extent.seconds);
    let isOver = false;
    const load = (async () => {
      for (; !isOver; beside += 1) await read(beside);
    })();
    const loaded = await p99Of(server.list, extent.seconds);
    isOver = true;
    await load;
    rounds.push({ calm, loaded });
  }
  await reader.stop();
  await server.server.stop();
  return { seconds, outcomes, megabytes, rounds, beside };
}

/** Reads the drawn documents, and one of them as a phone sends it. */
async function drawnPictures() {
  const folder = new URL('../../packages/reading/test-support/pictures/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.jpg'));
  const drawn = names.map((name) => readFileSync(new URL(name, folder)));
  const large = await sharp(drawn[0])
    .resize({ ...LARGE, fit: 'cover' })
    .jpeg({ quality: 90 })
    .toBuffer();
  return [...drawn, large];
}

/**
 * Sends requests one after the other, with pauses.
 * @param {() => Promise<number>} request returns the status
 * @param {number} seconds
 * @returns {Promise<number>} milliseconds that 99 of 100 did not exceed
 */
async function p99Of(request, seconds) {
  /** @type {number[]} */
  const times = [];
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; await pause(PAUSE_MS)) {
    const begun = performance.now();
    const status = await request();
    if (status !== 200) throw new Error(`a list was answered with ${status}`);
    times.push(performance.now() - begun);
  }
  return timesOf(times).p99;
}

/** Starts the program of the reader as the server does: each picture goes in after its size, each result is a line. */
async function startReader() {
  const program = join(dirname(await buildServer()), 'program/main.js');
  const child = start(['--max-semi-space-size=1', program], {
    env: { MALLOC_ARENA_MAX: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { pid, stdin, stdout } = child;
  if (pid === undefined || stdin === null || stdout === null) throw new Error('the reader does not start');
  setPriority(pid, NICENESS);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    pid,
    /** @param {Buffer} picture @returns {Promise<{ outcome: string }>} */
    async read(picture) {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(picture.length);
      stdin.write(size);
      stdin.write(picture);
      return JSON.parse(String((await lines.next()).value));
    },
    stop: () => stop(child, 'SIGKILL'),
  };
}
