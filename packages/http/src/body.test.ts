import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, subject } from '../test-support/api.ts';
import { BODY_MAX_BYTES } from './request-context.ts';

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

const post = (body: unknown, headers: Record<string, string> = {}) => api.post(body, { key: client.key, headers });

/** A valid body of a number of bytes. */
function bodyOf(bytes: number): string {
  const text = JSON.stringify(subject());
  return text + ' '.repeat(bytes - text.length);
}

describe('Content-Type', () => {
  it.each([
    'application/json',
    'application/json;charset=utf-8',
    'APPLICATION/JSON; Charset="UTF-8"; v=1',
    'application/json; charset=utf-8; v="; charset=x"',
  ])('%s is accepted', async (type) => {
    expect((await post(subject(), { 'Content-Type': type })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset=utf-8; Charset = "iso-8859-1"',
    'application/json, application/json',
    'json',
    '',
  ])('%j gets 415 UNSUPPORTED_MEDIA_TYPE', async (type) => {
    expectRefusal(await post(subject(), { 'Content-Type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('a missing header gets 415 UNSUPPORTED_MEDIA_TYPE', async () => {
    const answer = await api.request('/verifications', { method: 'POST', key: client.key });
    expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('Content-Encoding', () => {
  it.each(['identity', 'Identity'])('%s is accepted', async (encoding) => {
    expect((await post(subject(), { 'Content-Encoding': encoding })).status).toBe(201);
  });

  it.each(['gzip', 'br', 'identity, gzip', 'x'])('%s gets 415 UNSUPPORTED_MEDIA_TYPE', async (encoding) => {
    expectRefusal(await post(subject(), { 'Content-Encoding': encoding }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('body size', () => {
  /** Two ways to read a body: whole, with its length declared, and chunk by chunk. */
  const declared = (body: string) => ({ 'Content-Length': String(body.length) });
  const streamed = () => ({});

  it.each([
    ['declared', declared],
    ['streamed', streamed],
  ])('64 KiB are accepted, %s', async (_, headers) => {
    const body = bodyOf(BODY_MAX_BYTES);
    expect((await post(body, headers(body))).status).toBe(201);
  });

  it.each([
    ['declared', declared],
    ['streamed', streamed],
  ])('64 KiB and a byte, %s: 413 PAYLOAD_TOO_LARGE and Connection: close', async (_, headers) => {
    const body = bodyOf(BODY_MAX_BYTES + 1);
    const answer = await post(body, headers(body));
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
    expect(answer.headers.get('Connection')).toBe('close');
  });

  it('a body that is too large is not read to its end: refused immediately if declared, else at the limit', async () => {
    let pulled = 0;
    // Finite, so that a reader without a limit fails this test instead of hanging.
    const large = () =>
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1024).fill(0x20));
          if (pulled === 1000) controller.close();
        },
      });
    const send = (headers: Record<string, string>) =>
      api.request('/verifications', {
        method: 'POST',
        key: client.key,
        body: large(),
        duplex: 'half',
        headers: { 'Content-Type': 'application/json', ...headers },
      });

    expectRefusal(await send({ 'Content-Length': '1000000000' }), 413, 'PAYLOAD_TOO_LARGE');
    expect(pulled).toBeLessThanOrEqual(1);
    pulled = 0;
    expectRefusal(await send({}), 413, 'PAYLOAD_TOO_LARGE');
    expect(pulled).toBeLessThan(70);
  });

  it('a body larger than its declared length still gets 413 PAYLOAD_TOO_LARGE', async () => {
    expectRefusal(await post(bodyOf(BODY_MAX_BYTES + 1), { 'Content-Length': '10' }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each([{}, { 'Content-Length': '10' }])(
    'a body that breaks off gets 400 BAD_REQUEST and is no fault (%j)',
    async (headers) => {
      const body = new ReadableStream({ pull: (controller) => controller.error(new Error('connection lost')) });
      const answer = await api.request('/verifications', {
        method: 'POST',
        key: client.key,
        body,
        duplex: 'half',
        headers: { 'Content-Type': 'application/json', ...headers },
      });
      expectRefusal(answer, 400, 'BAD_REQUEST');
      expect(api.faults).toEqual([]);
    },
  );
});

describe('JSON of the body', () => {
  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['cut off', '{"subjectType":"kyc"'],
    ['two values', '{}{}'],
    ['with a comment', '{} // {}'],
    ['with a trailing comma', '{"subjectType":"kyc",}'],
    ['NaN', '{"subjectType":NaN}'],
    ['in single quotes', "{'subjectType':'kyc'}"],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"kyc"'],
    ['a number', '1'],
    ['of unbalanced depth', '['.repeat(60_000)],
    ['of great depth', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ])('%s gets 400 INVALID_JSON', async (_, body) => {
    expectRefusal(await post(body), 400, 'INVALID_JSON');
  });

  it.each([
    ['an invalid byte', [0xff]],
    ['an overlong sequence', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a sequence cut off', [0xe2, 0x82]],
  ])('%s gets 400 INVALID_JSON: not valid UTF-8', async (_, bytes) => {
    const [before = '', after = ''] = JSON.stringify(subject('*')).split('*');
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    expectRefusal(await post(body), 400, 'INVALID_JSON', 'Request body is not valid UTF-8. Send JSON in UTF-8.');
  });

  it('UTF-16 gets 400 INVALID_JSON', async () => {
    expectRefusal(await post(Buffer.from(JSON.stringify(subject()), 'utf16le')), 400, 'INVALID_JSON');
  });

  it('a byte order mark is skipped', async () => {
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(subject()))]);
    expect((await post(body)).status).toBe(201);
  });

  it('characters outside ASCII are kept, also after a refused body', async () => {
    await post(Buffer.from([0x7b, 0xe2, 0x82]));
    const { body } = await post(subject('Żółć 🪪\u2028'));
    expect(dataOf({ body }).subjectReference).toBe('Żółć 🪪\u2028');
  });

  it.each([
    [
      'metadata',
      `{"subjectType":"kyc","subjectReference":"a","metadata":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
    ],
    ['subjectReference', `{"subjectType":"kyc","subjectReference":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['more', `{"subjectType":"kyc","subjectReference":"a","more":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('deep nesting in %s gets 400 INVALID_PARAMETERS and overflows no stack', async (path, body) => {
    const answer = await post(body);
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(dataOf(answer).issues).toMatchObject([{ path }]);
    expect(api.faults).toEqual([]);
  });

  it.each([
    ['at the top', '{"__proto__":{"subjectType":"kyc"},"subjectType":"kyc","subjectReference":"a"}'],
    ['in metadata', '{"subjectType":"kyc","subjectReference":"a","metadata":{"__proto__":{"admin":true}}}'],
    ['deep in metadata', '{"subjectType":"kyc","subjectReference":"a","metadata":{"a":[{"__proto__":{}}]}}'],
  ])('the key __proto__ %s gets 400 INVALID_PARAMETERS', async (_, body) => {
    expectRefusal(await post(body), 400, 'INVALID_PARAMETERS');
    expect(Object.prototype).not.toHaveProperty('admin');
  });

  it('a key that an object has twice gets 400 INVALID_JSON', async () => {
    const key = 'k'.repeat(1000);
    const body = `{"subjectType":"kyc","subjectReference":"a","metadata":{"${key}":1,"${key}":2}}`;
    const text = `Request body has the key "${'k'.repeat(100)}" twice in one object. Send each key once.`;
    expectRefusal(await post(body), 400, 'INVALID_JSON', text);
  });

  it('fields inside __proto__ are ignored', async () => {
    const body = '{"__proto__":{"subjectType":"kyc","subjectReference":"a"}}';
    expectRefusal(await post(body), 400, 'INVALID_SUBJECT_TYPE');
  });
});
