// Measures the reader of documents: what it costs, and the API beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { buildPackages } from '../../scripts/build-packages.mjs';
import { timesOf } from './rounds.mjs';
import { startUploadsServer } from './uploads-server.mjs';
import { cpuSeconds, residentMegabytes } from './usage.mjs';

const FULL = { pictures: 500, rounds: 10, seconds: 10 };
const SHORT = { pictures: 3, rounds: 1, seconds: 0.5 };

/** Pictures of 12 megapixels are the largest that phones send. */
const LARGE = { width: 4000, height: 3000 };
/** Pause between two requests of the other client. */
const PAUSE_MS = 5;
/** Keeps the queue of the reader filled. */
const AT_ONCE = 4;

/** @typedef {Awaited<ReturnType<typeof benchReading>>} ReadingFigures */

/** @param {{ short: boolean, say: (line: string) => void }} options */
export async function benchReading({ short, say }) {
  const extent = short ? SHORT : FULL;
  await buildPackages('packages/evidence');
  const { createDocumentReader } = await import('../../apps/server/src/document-reader/document-reader.ts');
  const pictures = await drawnPictures();
  /** @type {string[]} */
  const failures = [];
  const reader = createDocumentReader({ onFailure: (reason) => failures.push(reason) });
  const read = async (/** @type {number} */ n) => {
    const content = pictures[n % pictures.length] ?? Buffer.alloc(0);
    return reader.read({ content, contentType: 'image/jpeg', documentType: null, issuer: null });
  };

  say(`reading ${extent.pictures} pictures …`);
  /** @type {number[]} */
  const seconds = [];
  /** @type {Record<string, number>} */
  const outcomes = {};
  let megabytes = 0;
  await read(0);
  for (let n = 0; n < extent.pictures; n += 1) {
    const pid = readerBelow(process.pid);
    const before = cpuSeconds(pid) ?? 0;
    const { outcome } = await read(n);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    // A process that was replaced has begun at 0.
    if (readerBelow(process.pid) === pid) seconds.push((cpuSeconds(pid) ?? 0) - before);
    megabytes = Math.max(megabytes, residentMegabytes(readerBelow(process.pid))?.highest ?? 0);
  }

  const server = await startUploadsServer('reading');
  /** @type {{ calm: number, loaded: number }[]} */
  const rounds = [];
  let beside = 0;
  for (let round = 0; round < extent.rounds; round += 1) {
    say(`round ${round + 1} of ${extent.rounds} …`);
    const calm = await p99Of(server.list, extent.seconds);
    let isOver = false;
    const load = Array.from({ length: AT_ONCE }, async () => {
      for (; !isOver; beside += 1) await read(beside);
    });
    const loaded = await p99Of(server.list, extent.seconds);
    isOver = true;
    await Promise.all(load);
    rounds.push({ calm, loaded });
  }
  reader.close();
  await server.server.stop();
  return { seconds, outcomes, megabytes, rounds, beside, failures };
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

/** Returns the newest process below this one: the reader's. @param {number} pid */
function readerBelow(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return Number(children.at(-1) ?? 0);
}
