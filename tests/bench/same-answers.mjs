// Checks that the reference does the server's work: the same responses, byte for byte, and the same rows.
import assert from 'node:assert/strict';
import { send } from './send.mjs';

/**
 * @typedef {import('./programs.mjs').Program} Program
 * @typedef {import('./send.mjs').Answer} Answer
 */

const PATH = '/api/v1/verifications';
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Headers whose value differs between responses. */
const OWN = new Set(['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset']);

/**
 * Sends the same requests to both and compares the responses.
 * @param {Program} server
 * @param {Program} reference runs on a copy of the server's database
 * @param {{ keys: readonly string[], created: readonly { id: string, key: number }[] }} given
 * @throws AssertionError
 */
export async function assertSameAnswers(server, reference, { keys, created }) {
  const [{ id, key: owner } = { id: '', key: 0 }] = created;
  const key = { 'X-API-Key': keys[owner] ?? '' };
  /** @param {string} path @param {Record<string, string>} headers @param {{ method?: string, body?: string }} [more] */
  const both = (path, headers, more) =>
    Promise.all([server, reference].map((program) => send(program.port, path, headers, more)));

  for (const [path, headers, status] of /** @type {const} */ ([
    [`${PATH}/${id}`, key, 200],
    [`${PATH}/${id}`, {}, 401],
    [`${PATH}/${id}`, { 'X-API-Key': `csk_${'0'.repeat(64)}` }, 401],
    [`${PATH}/00000000-0000-7000-8000-000000000000`, key, 404],
  ])) {
    const [theirs, ours] = await both(path, headers);
    assert.equal(theirs?.status, status, `${path}: ${theirs?.text}`);
    assert.equal(ours?.text, theirs?.text);
    assertSameHead(theirs, ours);
  }

  const subjectReference = 'same-answers';
  const body = JSON.stringify({ subjectType: 'kyb', subjectReference, metadata: { a: [1, null, 'ü'] } });
  const creations = await both(PATH, { ...key, ...JSON_TYPE }, { body });
  assert.deepEqual(
    creations.map(({ status }) => status),
    [201, 201],
  );
  const [theirs, ours] = creations;
  assertSameHead(theirs, ours);
  assert.equal(shapeOf(ours), shapeOf(theirs));
  assert.deepEqual(await reference.rowsOf(subjectReference), await server.rowsOf(subjectReference));

  const again = await both(PATH, { ...key, ...JSON_TYPE }, { body });
  assert.deepEqual(
    again.map(({ status }) => status),
    [409, 409],
  );
  assert.equal(shapeOf(again[1]), shapeOf(again[0]));

  for (const bad of [
    '{',
    '[]',
    '"\\ud800"',
    '{"subjectType":"kyx","subjectReference":"x"}',
    '{"subjectType":"kyc"}',
    '{"subjectType":"kyc","subjectReference":""}',
    '{"subjectType":"kyc","subjectReference":7}',
    `{"subjectType":"kyc","subjectReference":"${'x'.repeat(257)}"}`,
    '{"subjectType":"kyc","subjectReference":"\\u0000"}',
    '{"subjectType":"kyc","subjectReference":"x","metdata":{}}',
    '{"subjectType":"kyc","subjectReference":"x","metadata":[]}',
    '{"subjectType":"kyc","subjectReference":"x","metadata":{"n":1e400}}',
    '{"subjectType":"kyc","subjectReference":"x","metadata":{"__proto__":1}}',
    `{"subjectType":"kyc","subjectReference":"x","metadata":${'{"a":'.repeat(20)}{}${'}'.repeat(20)}}`,
    `{"subjectType":"kyc","subjectReference":"x","metadata":{"a":"${'x'.repeat(16 * 1024)}"}}`,
  ]) {
    const refused = await both(PATH, { ...key, ...JSON_TYPE }, { body: bad });
    const [expected, actual] = refused.map(({ status, body }) => ({ status, code: body.code }));
    assert.equal(expected?.status, 400, bad.slice(0, 100));
    assert.deepEqual(actual, expected, bad.slice(0, 100));
  }
  const [typed, alsoTyped] = await both(PATH, { ...key, 'Content-Type': 'text/plain' }, { body });
  assert.deepEqual([typed?.status, alsoTyped?.status], [415, 415]);
}

/** @param {Answer | undefined} expected @param {Answer | undefined} actual */
function assertSameHead(expected, actual) {
  assert.equal(actual?.status, expected?.status);
  assert.deepEqual(headOf(actual), headOf(expected));
}

/** Lists all headers, with varying values masked. @param {Answer | undefined} answer */
function headOf(answer) {
  const id = answer?.body?.data?.id;
  const lines = (answer?.headers ?? []).map(([name = '', value = '']) => {
    const lower = name.toLowerCase();
    return `${lower}: ${OWN.has(lower) ? '…' : value.replaceAll(id, '{id}')}`;
  });
  return lines.sort();
}

/** Returns the body with varying values masked. @param {Answer | undefined} answer */
function shapeOf(answer) {
  const { id, verificationId = id } = answer?.body.data ?? {};
  return answer?.text
    .replaceAll(verificationId, '{id}')
    .replace(/(?<="requestedAt":")[^"]{24}(?=")/, '{moment}')
    .replace(/(?<=\{id\}\.)[\w-]{43}(?=")/, '{token}');
}
