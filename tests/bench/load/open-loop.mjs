// Sends requests at planned moments, whether earlier ones were answered or not, from a process of its own.
//
// Runs one plan, answers with its result and exits with its parent process.
import { setImmediate as turn } from 'node:timers/promises';
import { openLane, sendOnce } from './lane.mjs';

/**
 * @typedef {object} Plan
 * @property {number} port on 127.0.0.1
 * @property {number} connections
 * @property {number} perSecond
 * @property {number} seconds
 * @property {readonly string[]} keys taken in turn, except by creations, which take the first
 * @property {readonly string[]} ids of the verifications that are read, taken in turn
 * @property {number} creationEvery one of so many requests creates a verification; the others read one
 * @property {string} prefix of the subject references
 *
 * @typedef {object} OpenLoopResult
 * @property {readonly number[]} milliseconds from the planned moment to the answer, of requests with the first key
 * @property {number} requests answered
 * @property {readonly RevocableCall[]} others the requests with another key than the first
 *
 * @typedef {object} RevocableCall
 * @property {number} sentAt milliseconds since 1970
 * @property {number} status
 */

const PATH = '/api/v1/verifications';

/** @param {Plan} plan @returns {Promise<OpenLoopResult>} */
async function run({ port, connections, perSecond, seconds, keys, ids, creationEvery, prefix }) {
  const [creationKey = ''] = keys;
  const host = `Host: 127.0.0.1:${port}`;
  const reads = keys.map((key) =>
    ids.map((id) => Buffer.from(`GET ${PATH}/${id} HTTP/1.1\r\n${host}\r\nX-API-Key: ${key}\r\n\r\n`)),
  );
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(port)));
  const free = [...lanes];
  /** @type {number[]} */
  const milliseconds = [];
  /** @type {RevocableCall[]} */
  const others = [];
  const total = Math.round(perSecond * seconds);
  const start = performance.now() + 100;
  let answered = 0;
  /** @type {Error | undefined} */
  let failure;

  /** @param {number} number */
  function creation(number) {
    const body = JSON.stringify({
      subjectType: 'kyc',
      subjectReference: `${prefix}-${number}`,
      metadata: { source: 'checkout', tier: 2, tags: ['new', 'web'] },
    });
    const head = [
      `POST ${PATH} HTTP/1.1`,
      host,
      `X-API-Key: ${creationKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  }

  /** @param {import('./lane.mjs').Lane} lane @param {number} number */
  async function send(lane, number) {
    const due = start + (number * 1000) / perSecond;
    const isCreation = number % creationEvery === 0;
    const key = isCreation ? 0 : number % keys.length;
    const request = isCreation ? creation(number) : reads[key]?.[number % ids.length];
    const sentAt = performance.timeOrigin + performance.now();
    await sendOnce(lane, request, (status, body) => {
      answered += 1;
      if (key > 0) others.push({ sentAt, status });
      else if (status === (isCreation ? 201 : 200)) milliseconds.push(performance.now() - due);
      else throw new Error(`expected success, got ${status}: ${body()}`);
    });
    free.push(lane);
  }

  // Asks the clock in every iteration of the event loop: a timer would be late by up to a millisecond.
  for (let number = 0; number < total && failure === undefined; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1000) + 1);
    while (number < due && free.length > 0) {
      const lane = /** @type {import('./lane.mjs').Lane} */ (free.pop());
      send(lane, number).catch((error) => (failure = error));
      number += 1;
    }
    await turn();
  }
  while (answered < total && failure === undefined) await turn();
  for (const lane of lanes) lane.close();
  if (failure !== undefined) throw failure;
  return { milliseconds, requests: answered, others };
}

process.on('message', (plan) => {
  run(/** @type {Plan} */ (plan)).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
