// Measures the reviewers' queue and their searches while many cases wait: the processor time of the server for whole pages, one after the
// other. With BASELINE_PROGRAM, the main.js of another version, both take turns on copies of one database, page by page.
import { request } from 'node:http';
import { built } from './core.mjs';
import { RARE_TYPE } from './data/rows.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { median } from './rounds.mjs';
import { PUBLIC_BASE_URL } from './signed-in.mjs';
import { cpuMicroseconds, cpuMicrosecondsOfChildren } from './usage.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {import('./programs.mjs').Program} Program
 * @typedef {Awaited<ReturnType<typeof benchReview>>} ReviewFigures
 *
 * @typedef {object} Sample a case to search for
 * @property {string} id
 * @property {string} clientId
 * @property {string} reference
 * @property {string} number of its document
 * @property {string} name
 * @property {string} birthDate
 *
 * @typedef {object} MeasuredPage
 * @property {string} name
 * @property {string} [path] of a page that is read
 * @property {Record<string, string>} [form] of a search
 * @property {number} [found] how many cases the search finds

 */

const FULL = { waiting: 100_000, clients: 20, warmUp: 30, rounds: 5, requests: 15 };
const SHORT = { waiting: 200, clients: 3, warmUp: 1, rounds: 2, requests: 1 };
const DAYS = 60;
/** A number that no document has. */
const UNKNOWN_NUMBER = 'X00000000';

/** @param {Kind} kind @param {{ short: boolean, rows?: number | undefined, say: (line: string) => void }} options */
export async function benchReview(kind, { short, rows, say }) {
  const extent = short ? SHORT : FULL;
  const { clients, warmUp, rounds, requests } = extent;
  const waiting = rows ?? extent.waiting;
  const { BASELINE_PROGRAM: baseline } = process.env;
  const loader = startLoader();
  /** @type {Sample | undefined} */
  let sample;
  const { setup, installations, stop } = await makeInstallations(
    kind,
    {
      sizes: [waiting],
      others: 1,
      days: DAYS,
      staff: true,
      clients,
      isWaiting: true,
      fillMore: async (place, _, secret) => {
        say('labels …');
        sample = await label(kind, place, secret);
      },
    },
    { loader, say },
  );
  await loader.stop();
  const [installation] = installations;
  if (sample === undefined || installation === undefined) throw new Error('expected an installation');
  let { server } = installation;
  /** @type {Program | undefined} */
  let other;
  if (baseline !== undefined) {
    // One server alone serves a SQLite database.
    await server.stop();
    const { env } = await installation.copy('baseline');
    server = await installation.run({});
    other = await installation.run(env, baseline);
  }
  const pages = pagesOf(sample);
  const measured = [server, ...(other === undefined ? [] : [other])].map((program) => ({
    program,
    times: new Map(pages.map(({ name }) => [name, times()])),
  }));

  say('warming up …');
  for (const page of pages) {
    for (const { program } of measured) {
      for (let sent = 0; sent < warmUp; sent += 1) await open(program.port, setup.reviewer, page);
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds} …`);
    for (const page of pages) {
      for (let sent = 0; sent < requests; sent += 1) {
        // Alternates the order, because the first server may find the machine in another state.
        for (const { program, times } of sent % 2 === 0 ? measured : measured.toReversed()) {
          const before = cpuOf(program);
          await open(program.port, setup.reviewer, page);
          const after = cpuOf(program);
          times.get(page.name)?.own.push((after.own - before.own) / 1_000);
          times.get(page.name)?.database.push((after.database - before.database) / 1_000);
        }
      }
    }
  }
  for (const { program } of measured) await program.stop();
  await stop();
  const [now, before] = measured;
  return {
    kind,
    waiting,
    clients,
    pages: pages.map(({ name }) => ({
      name,
      milliseconds: median(now?.times.get(name)?.own ?? []),
      database: median(now?.times.get(name)?.database ?? []),
      before: before === undefined ? undefined : median(before.times.get(name)?.own ?? []),
    })),
  };
}

/** The processor time of a page, in ms: of the server and of Postgres. */
function times() {
  return { own: /** @type {number[]} */ ([]), database: /** @type {number[]} */ ([]) };
}

/** @param {Program} program */
function cpuOf({ pid, databasePid }) {
  return {
    own: cpuMicroseconds(pid),
    database: databasePid === undefined ? Number.NaN : cpuMicrosecondsOfChildren(databasePid),
  };
}

/** @param {Sample} sample @returns {readonly MeasuredPage[]} */
function pagesOf({ id, clientId, reference, number, name, birthDate }) {
  return [
    { name: 'queue', path: '/review' },
    { name: 'queue, unclaimed', path: '/review?claim=unclaimed' },
    { name: 'queue of one type', path: `/review?type=${RARE_TYPE}` },
    { name: 'queue of one client', path: `/review?client=${clientId}` },
    { name: 'queue, warnings to check', path: '/review?only=warned' },
    { name: 'search by id', form: { query: id }, found: 1 },
    { name: 'search by reference', form: { query: reference }, found: 1 },
    { name: 'search by number', form: { query: number }, found: 1 },
    { name: 'search by unknown number', form: { query: UNKNOWN_NUMBER }, found: 0 },
    { name: 'search by name', form: { query: name, birthDate }, found: 1 },
  ];
}

/**
 * Opens a page as a browser does. A search is posted, and the page that it leads to is read.
 * @param {number} port
 * @param {string} cookie
 * @param {MeasuredPage} page
 */
async function open(port, cookie, { name, path = '/review/search', form, found }) {
  const headers = {
    Cookie: cookie,
    Accept: 'text/html',
    'Accept-Language': 'en',
    Host: new URL(PUBLIC_BASE_URL).host,
  };
  let cookies = cookie;
  if (form !== undefined) {
    const body = new URLSearchParams({ query: '', birthDate: '', clientId: '', ...form }).toString();
    const posted = await send(
      port,
      path,
      { ...headers, Origin: PUBLIC_BASE_URL, 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    );
    if (posted.status !== 303) throw new Error(`${name}: expected 303, got ${posted.status}`);
    cookies = [cookie, ...posted.cookies].join('; ');
  }
  const { status, text } = await send(port, path, { ...headers, Cookie: cookies });
  const cases = text.match(/ data-case/g)?.length ?? 0;
  if (status !== 200 || (found !== undefined && cases !== found))
    throw new Error(`${name}: expected ${found} cases, got ${cases} with status ${status}`);
}

/**
 * @param {number} port
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {string} [body]
 * @returns {Promise<{ status: number | undefined, cookies: string[], text: string }>}
 */
function send(port, path, headers, body) {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          cookies: (response.headers['set-cookie'] ?? []).map((each) => each.split(';', 1)[0] ?? ''),
          text,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Labels all verifications, as `index rebuild` does, but without its pauses.
 * @param {Kind} kind @param {string} place @param {string} secret
 * @returns {Promise<Sample>} the case that waits longest
 */
async function label(kind, place, secret) {
  const { createKeyRing, createSealedStorage } = await built('sealing');
  const { createNodeSecrets } = await built('runtime');
  const { rebuildIndex } = await built('domain', 'entries/storage');
  const { BUILT_IN_FLOWS } = await built('domain', 'entries/flows');
  const { createSqliteStorage } = await built('storage-sqlite');
  const { createPostgresStorage } = await built('storage-postgres');
  const raw = await (kind === 'sqlite'
    ? createSqliteStorage({ file: place })
    : createPostgresStorage({ url: place }));
  const keys = [Buffer.from(secret, 'hex')];
  const storage = createSealedStorage(raw, { keys: createKeyRing(keys) });
  await rebuildIndex({ storage, secrets: createNodeSecrets(keys), flows: BUILT_IN_FLOWS });
  const { records } = await storage.verifications.queue({
    status: 'submitted',
    type: 'kyc',
    limit: 1,
    countUpTo: 1,
  });
  const [{ id, clientId, subjectReference: reference }] = records;
  const { steps } = (await storage.verifications.find(clientId, id)).answers;
  await storage.close();
  const { number } = steps.document.answers;
  const { firstName, lastName, dateOfBirth: birthDate } = steps.person.answers;
  return { id, clientId, reference, number, name: `${firstName} ${lastName}`, birthDate };
}
