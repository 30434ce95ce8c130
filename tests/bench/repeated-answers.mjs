// Measures what a subject who answers one step again and again costs: reads of the verification, and the database's size.
import { randomBytes } from 'node:crypto';
import { openCore } from './core.mjs';
import { postgresToMeasure, sqliteToMeasure } from './repeated-answers-storage.mjs';
import { median } from './rounds.mjs';

/** The most that the median of reads may grow, and the database. */
const TARGETS = { ratio: 2, megabytes: 1 };
const FULL = { answers: 10_000, reads: 4_000 };
const SHORT = { answers: 200, reads: 50 };

/** @typedef {import('./repeated-answers-storage.mjs').MeasuredDatabase} MeasuredDatabase */

/**
 * Answers one of two verifications again and again, then reads the details of both in turns. The data is encrypted.
 * @param {'sqlite' | 'postgres'} kind
 * @param {{ short: boolean, say: (line: string) => void }} options `say` reports progress
 */
export async function benchRepeatedAnswers(kind, options) {
  const database = await (kind === 'sqlite' ? sqliteToMeasure() : postgresToMeasure());
  try {
    return await measure(database, options);
  } finally {
    await database.stop();
  }
}

/** @param {MeasuredDatabase} database @param {{ short: boolean, say: (line: string) => void }} options */
async function measure(database, { short, say }) {
  const { answers, reads } = short ? SHORT : FULL;
  const given = await givenVerifications(database);
  const before = await database.sizes();

  const { countersign, principal, fresh, repeated, access, storage } = await openService(database, given);
  say(`${answers} answers to one step …`);
  for (let n = 1; n <= answers; n += 1) await consentTo(countersign, access, n);
  const { eventCount } = await storage.verifications.find(principal.clientId, repeated);

  say(`${reads} reads of each …`);
  const times = { fresh: /** @type {number[]} */ ([]), repeated: /** @type {number[]} */ ([]) };
  const read = async (/** @type {string} */ id, /** @type {number[]} */ into) => {
    const start = performance.now();
    await countersign.verifications.details(principal, id);
    into.push(performance.now() - start);
  };
  for (let n = 0; n < reads; n += 1) {
    await read(fresh, times.fresh);
    await read(repeated, times.repeated);
  }
  await storage.close();
  const after = await database.sizes();
  const growths = [...after].map(([name, bytes]) => ({
    name,
    kilobytes: (bytes - (before.get(name) ?? 0)) / 1024,
  }));
  const megabytes = growths.reduce((sum, { kilobytes }) => sum + kilobytes, 0) / 1024;
  const grown = growths.filter(({ kilobytes }) => kilobytes > 0).sort((a, b) => b.kilobytes - a.kilobytes);

  const [ofFresh, ofRepeated] = [median(times.fresh), median(times.repeated)];
  const ratio = ofRepeated / ofFresh;
  const ok = ratio <= TARGETS.ratio && megabytes < TARGETS.megabytes;
  const text = [
    `details, fresh verification: p50 ${ofFresh.toFixed(3)} ms`,
    `details, after ${answers} answers to one step: p50 ${ofRepeated.toFixed(3)} ms, ${eventCount} events`,
    `p50 after ${answers} answers, of a fresh verification: ${ratio.toFixed(2)} (at most ${TARGETS.ratio})`,
    `growth of the database: ${megabytes.toFixed(2)} MB (less than ${TARGETS.megabytes})`,
    ...grown.map(({ name, kilobytes }) => `  ${name} ${kilobytes.toFixed(0)} KB`),
  ].join('\n');
  return { text, ok };
}

/** Creates a client and two verifications whose consent is completed, and closes the database. @param {MeasuredDatabase} database */
async function givenVerifications(database) {
  const secretKeys = [randomBytes(32)];
  const storage = await database.open();
  const { countersign } = await openCore(storage, { secretKeys });
  const { client } = await countersign.clients.create({ name: 'Bench', plan: 'enterprise' });
  const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(key);
  const urls = [];
  for (const subjectReference of ['fresh', 'repeated']) {
    const request = { subjectType: 'kyc', subjectReference };
    const { verification } = await countersign.verifications.create(principal, request);
    const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1));
    await consentTo(countersign, access, 0);
    urls.push(verification);
  }
  await storage.close();
  return { secretKeys, key, ids: urls.map(({ id }) => id), urls: urls.map((each) => each.verificationUrl) };
}

/** @param {MeasuredDatabase} database @param {Awaited<ReturnType<typeof givenVerifications>>} given */
async function openService(database, { secretKeys, key, ids: [fresh, repeated], urls }) {
  const storage = await database.open();
  const { countersign } = await openCore(storage, { secretKeys });
  const principal = await countersign.authenticate(key);
  const { access } = await countersign.subject.open(urls[1].split('/').at(-1));
  return { countersign, storage, principal, access, fresh, repeated };
}

/** @param {any} countersign @param {object} access @param {number} n */
function consentTo(countersign, access, n) {
  const input = { accepted: true, version: `2026-${n}`, locale: 'en' };
  return countersign.subject.completeStep(access, 'consent', input);
}
