// Measures the memory of the server and of its decoders while 20 subjects at once send pictures as large as an upload may be, and how
// long the requests of a client take meanwhile, beside a calm time.
import { setTimeout as pause } from 'node:timers/promises';
import { noisyJpeg } from '../../packages/test-support/pages/pictures.ts';
import {
  childrenMegabytesOf,
  residentMegabytesOf,
} from '../../packages/test-support/processes/resident-memory.ts';
import { formOf, startUploadsServer, UPLOAD_PAGE } from './uploads-server.mjs';

/** @typedef {Awaited<ReturnType<typeof benchLargeUploads>>} LargeUploadFigures */

const WATCH_EVERY_MS = 50;
/** Between two requests of the client. */
const REQUEST_PAUSE_MS = 20;

/**
 * @param {import('./extent.mjs').Extent['uploads']['large']} extent
 * @param {{ say: (line: string) => void }} options `say` reports progress
 */
export async function benchLargeUploads({ atOnce, megabytes, calmSeconds }, { say }) {
  const { server, subject, list } = await startUploadsServer('large-uploads');
  say('making a large picture …');
  const picture = await noisyJpeg(megabytes);
  const subjects = await Promise.all(Array.from({ length: atOnce }, subject));

  say('calm …');
  const calm = await timesWhile(pause(calmSeconds * 1000), list);

  say(`${atOnce} large uploads at once …`);
  const highest = { server: 0, decoders: 0 };
  const watching = setInterval(() => {
    highest.server = Math.max(highest.server, residentMegabytesOf(server.pid));
    highest.decoders = Math.max(highest.decoders, childrenMegabytesOf(server.pid));
  }, WATCH_EVERY_MS);
  const begun = performance.now();
  const uploads = Promise.all(subjects.map((each) => each.post(UPLOAD_PAGE, formOf(picture))));
  const beside = await timesWhile(uploads, list);
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(watching);
  const accepted = (await uploads).filter(({ status }) => status === 303).length;
  await server.stop();
  return { atOnce, bytes: picture.byteLength, accepted, seconds, highest, calm, beside };
}

/**
 * Sends requests, one after the other, until `end` settles.
 * @param {Promise<unknown>} end
 * @param {() => Promise<number>} request
 */
async function timesWhile(end, request) {
  let isOver = false;
  const over = end.finally(() => (isOver = true));
  /** @type {number[]} */
  const times = [];
  while (!isOver || times.length === 0) {
    const begun = performance.now();
    const status = await request();
    if (status !== 200) throw new Error(`a request beside the uploads was answered with ${status}`);
    times.push(performance.now() - begun);
    await pause(REQUEST_PAUSE_MS);
  }
  await over;
  const sorted = times.toSorted((a, b) => a - b);
  /** @param {number} share */
  const at = (share) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { requests: times.length, p50: at(0.5), p99: at(0.99) };
}
