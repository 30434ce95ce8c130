// Measures what attackers' uploads cost a victim's: three subjects send the worst pictures that the intake takes, four at
// once and without pause, beside others who send ordinary pictures one after the other. Calm times alternate with attacks.
import { setTimeout as pause } from 'node:timers/promises';
import { usualPictures, worstPictures } from '../../packages/test-support/attack-files/worst-pictures.ts';
import { startAttackers } from './attack/attackers.mjs';
import { median } from './rounds.mjs';
import { formOf, UPLOAD_PAGE as PAGE, PUBLIC_BASE_URL, startUploadsServer } from './uploads-server.mjs';

/**
 * @typedef {Awaited<ReturnType<typeof benchUploads>>} UploadFigures
 * @typedef {import('../../packages/test-support/pages/subject-forms.ts').SubjectForms} Subject
 */

const ATTACKERS = 3;
const AT_ONCE = 4;
/** Uploads of one victim, as of most subjects: both sides of a document and a face. The next victim is another subject. */
const UPLOADS_OF_ONE = 3;
const VICTIM_PAUSE_MS = 300;

/**
 * @param {import('./extent.mjs').Extent['uploads']} extent
 * @param {{ say: (line: string) => void }} options `say` reports progress
 */
export async function benchUploads({ rounds, calmSeconds, attackSeconds, settleSeconds, scale }, { say }) {
  const { server, subject } = await startUploadsServer('uploads');
  const attackers = startAttackers();

  say('making pictures …');
  const worst = await worstPictures(scale);
  const usual = await usualPictures(scale);

  /** @type {{ kind: string, calm: Times, attacked: Times, accepted: number }[]} */
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    for (const [kind, picture] of Object.entries(usual)) {
      say(`round ${round + 1} of ${rounds}, ${kind}: calm …`);
      const calm = await victims(subject, picture, calmSeconds);
      say(`round ${round + 1} of ${rounds}, ${kind}: attacked …`);
      const senders = await Promise.all(Array.from({ length: ATTACKERS }, subject));
      attackers.begin({
        port: server.port,
        origin: PUBLIC_BASE_URL,
        senders: senders.map(sessionOf),
        atOnce: AT_ONCE,
        pictures: worst,
      });
      const attacked = await victims(subject, picture, attackSeconds);
      const { accepted } = await attackers.end();
      await pause(settleSeconds * 1000);
      measured.push({ kind, calm: timesOf(calm), attacked: timesOf(attacked), accepted });
    }
  }
  await attackers.stop();
  await server.stop();
  const kinds = Object.keys(usual).map((kind) => {
    const own = measured.filter((each) => each.kind === kind);
    const ratios = own.map(({ calm, attacked }) => attacked.p95 / calm.p95);
    return {
      kind,
      calm: middle(own.map(({ calm }) => calm)),
      attacked: middle(own.map(({ attacked }) => attacked)),
      ratios,
      ratio: median(ratios),
    };
  });
  return { rounds, attackSeconds, accepted: measured.reduce((sum, { accepted }) => sum + accepted, 0), kinds };
}

/**
 * Uploads one picture after the other, a few by each subject.
 * @param {() => Promise<Subject>} subject
 * @param {Buffer} picture
 * @param {number} seconds
 * @returns {Promise<readonly number[]>} how long each upload took, in milliseconds
 */
async function victims(subject, picture, seconds) {
  /** @type {number[]} */
  const times = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end || times.length === 0) {
    const sender = await subject();
    for (let count = 0; count < UPLOADS_OF_ONE && (performance.now() < end || times.length === 0); count++) {
      const begun = performance.now();
      const { status } = await sender.post(PAGE, formOf(picture));
      if (status !== 303) throw new Error(`the victim's upload was answered with ${status}`);
      times.push(performance.now() - begun);
      await pause(VICTIM_PAUSE_MS);
    }
  }
  return times;
}

/** @param {Subject} subject */
function sessionOf(subject) {
  const { cookie, address } = subject.session();
  return { cookie, path: `${new URL(address).pathname}/${PAGE}` };
}

/** @typedef {{ p50: number, p95: number }} Times in milliseconds */

/** @param {readonly number[]} milliseconds @returns {Times} */
function timesOf(milliseconds) {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  /** @param {number} share */
  const at = (share) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

/** @param {readonly Times[]} times @returns {Times} */
function middle(times) {
  return { p50: median(times.map(({ p50 }) => p50)), p95: median(times.map(({ p95 }) => p95)) };
}
