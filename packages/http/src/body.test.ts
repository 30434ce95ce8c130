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

/** A good body of so many bytes. */
function bodyOf(bytes: number): string {
  const text = JSON.stringify(subject());
  return text + ' '.repeat(bytes - text.length);
}

describe('the media type', () => {
  it.each([
    'application/json',
    'application/json;charset=utf-8',
    'APPLICATION/JSON; Charset="UTF-8"; v=1',
    'application/json; charset=utf-8; v="; charset=x"',
  ])('%s is taken', async (type) => {
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
  ])('%j is refused', async (type) => {
    expectRefusal(await post(subject(), { 'Content-Type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('that is not declared is refused', async () => {
    const answer = await api.request('/verifications', { method: 'POST', key: client.key });
    expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('the encoding', () => {
  it.each(['identity', 'Identity'])('%s is taken', async (encoding) => {
    expect((await post(subject(), { 'Content-Encoding': encoding })).status).toBe(201);
  });

  it.each(['gzip', 'br', 'identity, gzip', 'x'])('%s is refused', async (encoding) => {
    expectRefusal(await post(subject(), { 'Content-Encoding': encoding }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('the size of the body', () => {
  /** Once declared, as the server adapter reads it in one go, once counted as it streams in. */
  const declared = (body: string) => ({ 'Content-Length': String(body.length) });
  const streamed = () => ({});

  it.each([
    ['declared', declared],
    ['streamed', streamed],
  ])('may be 64 KiB, %s', async (_, headers) => {
    const body = bodyOf(BODY_MAX_BYTES);
    expect((await post(body, headers(body))).status).toBe(201);
  });

  it.each([
    ['declared', declared],
    ['streamed', streamed],
  ])('may not be a byte more, %s, and the connection ends', async (_, headers) => {
    const body = bodyOf(BODY_MAX_BYTES + 1);
    const answer = await post(body, headers(body));
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
    expect(answer.headers.get('Connection')).toBe('close');
  });

  it('is refused at once when it is declared, and as soon as it is too large when it is not', async () => {
    let pulled = 0;
    // Far too large, but not without end: were it read to its end, this would fail and not hang.
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

  it('that is understated does not let a larger body in', async () => {
    expectRefusal(await post(bodyOf(BODY_MAX_BYTES + 1), { 'Content-Length': '10' }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each([{}, { 'Content-Length': '10' }])('that breaks off is the fault of the client (%j)', async (headers) => {
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
  });
});

describe('the text of the body', () => {
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
  ])('that is %s is refused', async (_, body) => {
    expectRefusal(await post(body), 400, 'INVALID_JSON');
  });

  it.each([
    ['an invalid byte', [0xff]],
    ['an overlong sequence', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a sequence cut off', [0xe2, 0x82]],
  ])('with %s is refused', async (_, bytes) => {
    const [before = '', after = ''] = JSON.stringify(subject('*')).split('*');
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    expectRefusal(await post(body), 400, 'INVALID_JSON', 'Request body is not valid UTF-8. Send JSON in UTF-8.');
  });

  it('in UTF-16 is refused', async () => {
    expectRefusal(await post(Buffer.from(JSON.stringify(subject()), 'utf16le')), 400, 'INVALID_JSON');
  });

  it('may begin with a byte order mark', async () => {
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(subject()))]);
    expect((await post(body)).status).toBe(201);
  });

  it('keeps every character, also after a refusal', async () => {
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
  ])('overflows nothing, however deep %s is', async (path, body) => {
    const answer = await post(body);
    expectRefusal(answer, 400, 'INVALID_PARAMETERS');
    expect(dataOf(answer).issues).toMatchObject([{ path }]);
    expect(api.faults).toEqual([]);
  });

  it.each([
    ['at the top', '{"__proto__":{"subjectType":"kyc"},"subjectType":"kyc","subjectReference":"a"}'],
    ['in metadata', '{"subjectType":"kyc","subjectReference":"a","metadata":{"__proto__":{"admin":true}}}'],
    ['deep in metadata', '{"subjectType":"kyc","subjectReference":"a","metadata":{"a":[{"__proto__":{}}]}}'],
  ])('may not name __proto__ %s', async (_, body) => {
    expectRefusal(await post(body), 400, 'INVALID_PARAMETERS');
    expect(Object.prototype).not.toHaveProperty('admin');
  });

  it('may not have a key twice: one of them would be lost', async () => {
    const key = 'k'.repeat(1000);
    const body = `{"subjectType":"kyc","subjectReference":"a","metadata":{"${key}":1,"${key}":2}}`;
    const told = `Request body has the key "${'k'.repeat(100)}" twice in one object. Send each key once.`;
    expectRefusal(await post(body), 400, 'INVALID_JSON', told);
  });

  it('takes nothing from __proto__', async () => {
    const body = '{"__proto__":{"subjectType":"kyc","subjectReference":"a"}}';
    expectRefusal(await post(body), 400, 'INVALID_SUBJECT_TYPE');
  });
});
