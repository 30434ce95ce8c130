import { runCalls } from './calls.mjs';
import { openLane } from './lane.mjs';

/**
 * A round of requests. It ends when the time or the requests run out.
 * @typedef {object} Round
 * @property {number} port on 127.0.0.1
 * @property {number} connections the number of concurrent requests
 * @property {number} seconds at most
 * @property {number} requests at most
 * @property {readonly string[]} keys API keys, taken in turn
 * @property {Reads | Creations | Pages | Calls} kind
 *
 * @typedef {{ name: 'get', targets: readonly { id: string, key: number }[] }} Reads taken in turn
 * @typedef {{ name: 'post', prefix: string, collect: boolean }} Creations each with a different subject reference
 * @typedef {{ name: 'page', paths: readonly string[], headers: Readonly<Record<string, string>>, perSecond?: number }} Pages
 *   taken in turn; with `perSecond` at a steady pace, and their response times are measured
 * @typedef {{ name: 'call', targets: readonly { id: string, key: number }[], perSecond: number }} Calls reads at a steady
 *   pace, whose response times are measured
 *
 * @typedef {object} RoundResult
 * @property {number} requests answered
 * @property {number} seconds from the first request to the last answer
 * @property {readonly { id: string, key: number }[]} created the created verifications, if collected
 * @property {readonly number[]} milliseconds response times of calls
 */

const EXPECTED = { get: 200, post: 201, page: 200 };
const PATH = '/api/v1/verifications';
/** The time limit for the last responses after the end of the round. */
const GRACE_MS = 60_000;

/**
 * Runs a round and expects every response to be a success.
 * @param {Round} round
 * @returns {Promise<RoundResult>}
 */
export async function runRound(round) {
  const { port, connections, seconds, kind } = round;
  if ('perSecond' in kind) {
    const { perSecond } = kind;
    const requests = kind.name === 'call' ? reads(round, kind.targets) : pages(round, kind);
    return { ...(await runCalls({ port, connections, seconds, perSecond, prepared: requests })), created: [] };
  }
  const prepared = prepare(round);
  const expected = EXPECTED[kind.name];
  const collecting = kind.name === 'post' && kind.collect;
  /** @type {{ id: string, key: number }[]} */
  const created = [];
  let begun = 0;
  let answered = 0;
  let stopAt = Infinity;

  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(port)));
  const overdue = setTimeout(
    () => {
      for (const lane of lanes) lane.fail(new Error(`no answer within ${GRACE_MS / 1000} s`));
    },
    round.seconds * 1000 + GRACE_MS,
  );

  try {
    const start = performance.now();
    stopAt = start + round.seconds * 1000;
    await Promise.all(
      lanes.map((lane) => {
        let current = 0;
        return lane.run(
          () => {
            if (begun >= prepared.length || performance.now() >= stopAt) return undefined;
            current = begun++;
            return prepared[current];
          },
          (status, body) => {
            if (status !== expected) throw new Error(`expected ${expected}, got ${status}: ${body()}`);
            answered++;
            if (collecting) created.push({ id: JSON.parse(body()).data.id, key: current % round.keys.length });
          },
        );
      }),
    );
    return { requests: answered, seconds: (performance.now() - start) / 1000, created, milliseconds: [] };
  } finally {
    clearTimeout(overdue);
    for (const lane of lanes) lane.close();
  }
}

/**
 * Encodes every request before the clock starts.
 * @param {Round} round
 * @returns {Buffer[]}
 */
function prepare(round) {
  const { requests, keys, kind } = round;
  if (kind.name !== 'post') {
    const bytes = kind.name === 'page' ? pages(round, kind) : reads(round, kind.targets);
    return Array.from({ length: requests }, (_, index) => /** @type {Buffer} */ (bytes[index % bytes.length]));
  }
  const host = hostOf(round);
  return Array.from({ length: requests }, (_, index) => {
    const body = JSON.stringify(creation(`${kind.prefix}-${index}`));
    const head = [
      `POST ${PATH} HTTP/1.1`,
      host,
      `X-API-Key: ${keys[index % keys.length]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** @param {Round} round @param {Reads['targets']} targets */
function reads(round, targets) {
  return targets.map(({ id, key }) =>
    Buffer.from(`GET ${PATH}/${id} HTTP/1.1\r\n${hostOf(round)}\r\nX-API-Key: ${round.keys[key]}\r\n\r\n`),
  );
}

/** @param {Round} round @param {Pages} pages */
function pages(round, { paths, headers }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${hostOf(round)}\r\n${lines.join('')}\r\n`));
}

/** @param {Round} round */
function hostOf({ port }) {
  return `Host: 127.0.0.1:${port}`;
}

/** Builds a realistic request body. @param {string} subjectReference */
function creation(subjectReference) {
  return { subjectType: 'kyc', subjectReference, metadata: { source: 'checkout', tier: 2, tags: ['new', 'web'] } };
}
