// Measures what blind indexes and warnings cost a verification, from its creation until its warnings are kept: the same core with and
// without them, in turns, on SQLite with encryption.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { built, openCore } from './core.mjs';
import { reportOf } from './report.mjs';
import { median } from './rounds.mjs';
import { workFolder } from './work-folder.mjs';

/** The most processor time that a verification may take, of one without labels and warnings. */
const MOST = 1.1;
const FULL = { warmUp: 200, rounds: 60, perRound: 8 };
const SHORT = { warmUp: 1, rounds: 2, perRound: 1 };

/** What is switched on. @typedef {{ labels: boolean, warnings: boolean }} Kind */

/** The first is what the others are compared with. @type {Readonly<Record<string, Kind>>} */
const KINDS = {
  'neither labels nor warnings': { labels: false, warnings: false },
  'labels alone': { labels: true, warnings: false },
  'labels and warnings': { labels: true, warnings: true },
};

/** @param {{ short: boolean, say: (line: string) => void }} options `say` reports progress */
export async function benchSubmission({ short, say }) {
  const { warmUp, rounds, perRound } = short ? SHORT : FULL;
  const folder = workFolder();
  const arms = await Promise.all(
    Object.entries(KINDS).map(async ([name, kind], index) => ({
      name,
      ...(await openService(join(folder, `${index}.db`), kind)),
      times: /** @type {number[]} */ ([]),
    })),
  );
  say(`${warmUp} verifications of each kind to warm up …`);
  for (const { submit } of arms) for (let n = 0; n < warmUp; n += 1) await submit();
  say(`${rounds} rounds of ${perRound} verifications of each kind …`);
  for (let round = 0; round < rounds; round += 1) {
    // Each goes first as often as the others.
    const first = round % arms.length;
    for (const { submit, times } of [...arms.slice(first), ...arms.slice(0, first)]) {
      const before = process.cpuUsage();
      for (let n = 0; n < perRound; n += 1) await submit();
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000 / perRound);
    }
  }
  for (const { close } of arms) await close();
  const compared = arms[0]?.times ?? [];
  const figures = arms.map(({ name, times }) => {
    const ratios = times.map((time, round) => time / (compared[round] ?? Number.NaN));
    return { name, time: median(times), ratio: median(ratios) };
  });
  const ratio = figures.at(-1)?.ratio ?? Number.NaN;
  return reportOf(
    figures.map(
      (each) =>
        `${each.name.padEnd(28)} ${each.time.toFixed(2)} ms of CPU a verification, ratio ${each.ratio.toFixed(3)}`,
    ),
    [
      {
        ok: ratio <= MOST,
        line: `CPU of a verification, of one without labels and warnings: ${ratio.toFixed(3)} (at most ${MOST.toFixed(2)})`,
      },
    ],
  );
}

/** Opens the core with a client. @param {string} file of the database @param {Kind} kind */
async function openService(file, { labels, warnings }) {
  const { createSqliteStorage } = await built('storage-sqlite');
  const { CountersignError } = await built('domain');
  const { createMemoryEvidenceStore, createTrustingIntake } = await built('memory');
  const sqlite = await createSqliteStorage({ file });
  // Made once: its stack takes longer than the look-up that it replaces.
  const down = new CountersignError('SERVICE_UNAVAILABLE');
  // Without a key, nothing is labelled or found. A database that does not answer ends the work on warnings before it begins.
  const storage = {
    ...sqlite,
    ...(!labels && { indexes: { ...sqlite.indexes, keys: async () => [], addKey: async () => false } }),
    ...(!warnings && {
      verifications: {
        ...sqlite.verifications,
        list: async () => {
          throw down;
        },
      },
    }),
  };
  const { countersign } = await openCore(storage, {
    ports: {
      evidence: { store: createMemoryEvidenceStore({ now: () => new Date() }), intake: createTrustingIntake() },
      onFault: (/** @type {unknown} */ fault) => {
        throw fault;
      },
    },
  });
  const { client } = await countersign.clients.create({
    name: 'Bench',
    plan: 'enterprise',
    monthlyLimit: 1_000_000,
  });
  const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(value);
  let made = 0;
  return {
    submit() {
      made += 1;
      return submitOne(countersign, principal, made);
    },
    close: () => sqlite.close(),
  };
}

/**
 * Submits a case that shares nothing with another.
 * @param {any} countersign
 * @param {any} principal
 * @param {number} number of the case
 */
async function submitOne({ verifications, subject, warnings }, principal, number) {
  const request = { subjectType: 'kyc', subjectReference: `user_${number}` };
  const { verification } = await verifications.create(principal, request);
  const { access } = await subject.open(verification.verificationUrl.split('/').at(-1));
  const picture = async (/** @type {object} */ target) => {
    const upload = (async function* () {
      yield Buffer.concat([JPEG_START, randomBytes(64)]);
    })();
    return (await subject.uploadFile(access, target, upload)).file.id;
  };
  await subject.completeStep(access, 'consent', { accepted: true, version: '2026-01', locale: 'de-DE' });
  await subject.completeStep(access, 'document', {
    type: 'passport',
    issuingCountry: 'DE',
    number: `X${String(number).padStart(8, '0')}`,
    expiresOn: '2099-12-31',
    frontFileId: await picture({ step: 'document', kind: 'document_front' }),
  });
  await subject.completeStep(access, 'person', {
    firstName: 'Erika',
    lastName: `Muster${[...String(number)].map((digit) => LETTERS.charAt(Number(digit))).join('')}`,
    dateOfBirth: '1980-01-01',
    nationalities: ['DE'],
    email: `erika.${number}@example.org`,
    phone: `+4930${String(number).padStart(8, '0')}`,
  });
  await subject.completeStep(access, 'selfie', { fileId: await picture({ step: 'selfie', kind: 'selfie' }) });
  const address = { line1: 'Unter den Linden 1', city: 'Berlin', postalCode: '10117', country: 'DE' };
  await subject.completeStep(access, 'address', address);
  await subject.completeStep(access, 'attestation', { accepted: true });
  await subject.submit(access);
  await warnings.settled();
}

const JPEG_START = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]);
const LETTERS = 'abcdefghij';
