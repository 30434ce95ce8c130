import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { type Customer, givenCustomer } from '@countersign/test-support/installation/customer';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let customer: Customer;

beforeAll(async () => {
  server = await startServer();
  customer = await givenCustomer(server);
});

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
const subject = newSubject('user_2');

describe('POST /verifications', () => {
  const type = 'INVALID_SUBJECT_TYPE';
  const reference = 'MISSING_SUBJECT_REFERENCE';
  const json = 'INVALID_JSON';
  const parameters = 'INVALID_PARAMETERS';

  it.each<[what: string, body: unknown, code: string, path?: string]>([
    ['an empty object as body', {}, type],
    ['without a type', { subjectReference: 'user_2' }, type],
    ['with an unknown type', { subjectType: 'KYC', subjectReference: 'user_2' }, type],
    ['with an array as type', { subjectType: ['kyc'], subjectReference: 'user_2' }, type],
    ['with both fields invalid', { subjectType: 'person', subjectReference: '' }, type],
    ['without a reference', { subjectType: 'kyc' }, reference],
    ['with a reference of null', { subjectType: 'kyc', subjectReference: null }, reference],
    ['with an empty reference', { subjectType: 'kyc', subjectReference: '' }, reference],
    ['with a number as reference', { subjectType: 'kyc', subjectReference: 7 }, parameters, 'subjectReference'],
    ['with a reference too long', newSubject('x'.repeat(257)), parameters, 'subjectReference'],
    ['with NUL in the reference', newSubject('user\0'), parameters, 'subjectReference'],
    [
      'with a lone surrogate in the reference',
      '{"subjectType":"kyc","subjectReference":"\\ud800"}',
      parameters,
      'subjectReference',
    ],
    ['with an unknown field', { ...subject, metdata: {} }, parameters, 'metdata'],
    ['with metadata of null', { ...subject, metadata: null }, parameters, 'metadata'],
    ['with an array as metadata', { ...subject, metadata: [] }, parameters, 'metadata'],
    ['with metadata too large', { ...subject, metadata: { a: 'x'.repeat(16 * 1024) } }, parameters, 'metadata'],
    ['with metadata too deep', { ...subject, metadata: nested(21) }, parameters],
    [
      'with __proto__ in metadata',
      '{"subjectType":"kyc","subjectReference":"user_2","metadata":{"__proto__":{"a":1}}}',
      parameters,
    ],
    [
      'with a number that would be rounded',
      '{"subjectType":"kyc","subjectReference":"user_2","metadata":{"n":9007199254740993}}',
      parameters,
      'metadata.n',
    ],
    ['an empty body', '', json],
    ['incomplete JSON', '{"subjectType":"kyc"', json],
    ['an array as body', [subject], json],
    ['a string as body', '"kyc"', json],
    ['null as body', 'null', json],
    [
      'a body that is not UTF-8',
      Uint8Array.from([...Buffer.from('{"subjectType":"kyc","subjectReference":"'), 0xff, 0x22, 0x7d]),
      json,
    ],
    ['a body nested too deeply', '['.repeat(60_000), json],
  ])('%s: 400', async (_, body, code, path) => {
    const { body: answer } = await customer.expectRefused(customer.api.post(body), 400, code);
    const issues = answer.data?.issues as { path: string; message: string }[] | undefined;
    if (path !== undefined) expect(issues?.map((issue) => issue.path)).toContain(path);
    if (code !== json) expect(issues?.every(({ message }) => message !== '')).toBe(true);
  });

  it('a body exactly at the limits is accepted', async () => {
    const other = await givenClientOf(server);
    const good = createApiClient(server.baseUrl, other.key);
    const metadata = { a: 'x'.repeat(16 * 1024 - '{"a":""}'.length) };

    const answers = await Promise.all([
      good.post({ ...newSubject('😀'.repeat(256)), metadata }),
      good.post({ ...newSubject(' user 2 '), metadata: nested(20) }),
      good.post(JSON.stringify(newSubject('with charset')), { 'Content-Type': 'Application/JSON; charset=UTF-8' }),
    ]);

    expect(answers.map(({ status, body }) => `${status} ${body.error ?? ''}`)).toEqual(['201 ', '201 ', '201 ']);
    const [first, second] = await Promise.all(
      answers.slice(0, 2).map((answer) => good.get(`/verifications/${idOf(answer)}`)),
    );
    expect(first?.body.data?.metadata).toEqual(metadata);
    expect(second?.body.data).toMatchObject({ subjectReference: ' user 2 ', metadata: nested(20) });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'json'])(
    'Content-Type %s: 415',
    async (contentType) => {
      await customer.expectRefused(
        customer.api.post(subject, { 'Content-Type': contentType }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
    },
  );

  it('no Content-Type: 415', async () => {
    const body = new Uint8Array(Buffer.from(JSON.stringify(subject)));
    await customer.expectRefused(
      customer.api.request('/verifications', { method: 'POST', body }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });

  it('a body over 64 KiB: 413, with and without a declared length', async () => {
    const text = JSON.stringify({ ...subject, metadata: { a: 'x'.repeat(64 * 1024) } });
    await customer.expectRefused(customer.api.post(text), 413, 'PAYLOAD_TOO_LARGE');

    const chunked = customer.api.request('/verifications', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: new Blob([text]).stream(),
      duplex: 'half',
    });
    await customer.expectRefused(chunked, 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('Idempotency-Key %j: 400', async (key) => {
    await customer.expectRefused(
      customer.api.post(subject, { 'Idempotency-Key': key }),
      400,
      'INVALID_PARAMETERS',
    );
  });
});
