// Measures how long single pages take over databases of several sizes, in turns.
import { openSubjectForms } from '../../packages/test-support/pages/subject-forms.ts';
import { fillStaffPages } from './data/fill-staff.mjs';
import { RARE_TYPE } from './data/rows.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { openSerial } from './load/serial.mjs';
import { median } from './rounds.mjs';

/**
 * @typedef {Awaited<ReturnType<typeof measurePageTimes>>} PageTimes
 * @typedef {import('./installations.mjs').Setup} Setup
 *
 * @typedef {object} PageTimesExtent
 * @property {readonly number[]} sizes verifications and audit entries; a tenth of the verifications wait in the queue, and
 *   there is a client for every hundred
 * @property {number} days over which they are spread
 * @property {number} warmUp requests of each page before the first round
 * @property {number} rounds
 * @property {number} requests of each page in a round
 */

export const MEASURED_PAGES = /** @type {const} */ ([
  'hosted page',
  'console queue',
  'queue of one type',
  'own claims',
  'dashboard list',
  'dashboard search',
  'usage',
  'clients',
  'audit log',
  'audit log of an action',
]);

/** Verifications for each client. */
const PER_CLIENT = 100;

/**
 * Reads each page over one connection, without other requests.
 * @param {PageTimesExtent} extent
 * @param {{ say: (line: string) => void }} options
 */
export async function measurePageTimes({ sizes, days, warmUp, rounds, requests }, { say }) {
  const loader = startLoader();
  const { setup, installations, stop } = await makeInstallations(
    'sqlite',
    {
      sizes,
      others: 1,
      days,
      staff: true,
      fillMore: (place, rows) => fillStaffPages(place, { clients: rows / PER_CLIENT, auditEntries: rows }),
    },
    { loader, say },
  );
  const places = await Promise.all(
    installations.map(async ({ rows, server: { port } }) => ({
      rows,
      serial: await openSerial(port),
      pages: await pagesOf(port, setup),
      times: new Map(MEASURED_PAGES.map((page) => [page, /** @type {number[]} */ ([])])),
    })),
  );
  say('warming up …');
  for (const { serial, pages } of places) {
    for (const { path, cookie } of Object.values(pages)) {
      for (let sent = 0; sent < warmUp; sent += 1) await serial.time(path, headersOf(cookie));
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    say(`single pages, round ${round + 1} of ${rounds} …`);
    for (const page of MEASURED_PAGES) {
      // Alternates the order, because the first server may find the machine in another state.
      for (const { serial, pages, times } of round % 2 === 0 ? places : places.toReversed()) {
        const { path, cookie } = pages[page];
        for (let sent = 0; sent < requests; sent += 1) {
          times.get(page)?.push(await serial.time(path, headersOf(cookie)));
        }
      }
    }
  }
  for (const { serial } of places) serial.close();
  await stop();
  await loader.stop();
  return MEASURED_PAGES.map((page) => ({
    page,
    sizes: places.map(({ rows, times }) => ({ rows, p50: median(times.get(page) ?? []) })),
  }));
}

/** @param {string} cookie */
const headersOf = (cookie) => ({ Cookie: cookie, 'Accept-Language': 'en' });

/**
 * @param {number} port
 * @param {Setup} setup
 * @returns {Promise<Record<typeof MEASURED_PAGES[number], { path: string, cookie: string }>>}
 */
async function pagesOf(port, { owner, reviewer, operator, verificationUrl }) {
  const forms = await openSubjectForms(verificationUrl, 'kyc', { address: `http://127.0.0.1:${port}` });
  const slug = await forms.next({ file: () => null });
  const { cookie, address } = forms.session();
  return {
    'hosted page': { path: `${new URL(address).pathname}/${slug}`, cookie },
    'console queue': { path: '/review', cookie: reviewer },
    'queue of one type': { path: `/review?type=${RARE_TYPE}`, cookie: reviewer },
    'own claims': { path: '/review?claim=mine', cookie: reviewer },
    'dashboard list': { path: '/dashboard/verifications', cookie: owner },
    // References are hexadecimal: a sixteenth of them begin with it.
    'dashboard search': { path: '/dashboard/verifications?prefix=a', cookie: owner },
    usage: { path: '/dashboard/usage', cookie: owner },
    clients: { path: '/admin', cookie: operator },
    'audit log': { path: '/admin/audit', cookie: operator },
    'audit log of an action': { path: '/admin/audit?action=users.create', cookie: operator },
  };
}
