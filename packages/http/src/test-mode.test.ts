import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../test-support/answer.ts';
import { type GivenApi, givenApi, givenClient } from '../test-support/api.ts';

const HEADER = 'X-Countersign-Mode';

let api: GivenApi;
let live: string;
let test: string;

beforeEach(async () => {
  api = givenApi();
  const { clients, apiKeys } = api.countersign;
  const { client } = await clients.create({ name: 'Acme', plan: 'none' });
  live = (await apiKeys.issue(client.id, { permissions: ['*'] })).value;
  test = (await apiKeys.issue((await clients.testTwin(client.id)).id, { permissions: ['*'] })).value;
});

const body = { subjectType: 'kyc', subjectReference: 'user_1' };

describe('X-Countersign-Mode', () => {
  it('X-Countersign-Mode is test on each response to a key of test mode, errors included', async () => {
    const created = await api.post(body, { key: test });
    const answers = [
      created,
      await api.request('/verifications', { key: test }),
      await api.post(body, { key: test }),
      await api.request('/verifications/unknown', { key: test }),
      await api.request('/nothing', { key: test }),
      await api.post('{', { key: test }),
      await api.request('/verifications', { key: test, method: 'PATCH' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 409, 404, 404, 400, 405]);
    expect(answers.map(({ headers }) => headers.get(HEADER))).toEqual(answers.map(() => 'test'));
  });

  it('X-Countersign-Mode is test on 429 too', async () => {
    for (let n = 0; n < 100; n += 1) await api.request('/verifications', { key: test });
    const { status, headers } = await api.request('/verifications', { key: test });
    expect([status, headers.get(HEADER)]).toEqual([429, 'test']);
  });

  it('X-Countersign-Mode is live on each response to a key of live mode, errors included', async () => {
    const answers = [
      await api.request('/verifications', { key: live }),
      await api.post(body, { key: live }),
      await api.request('/nothing', { key: live }),
      await api.request('/verifications', { key: live, method: 'PATCH' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 404, 405]);
    expect(answers.map(({ headers }) => headers.get(HEADER))).toEqual(answers.map(() => 'live'));
  });

  it('X-Countersign-Mode is absent without a valid key, and on the public document', async () => {
    const answers = [
      await api.request('/verifications', { key: undefined }),
      await api.request('/verifications', { key: `csk_${'0'.repeat(64)}` }),
      await api.request('/openapi.json', { key: undefined }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
    expect(answers.map(({ headers }) => headers.get(HEADER))).toEqual(answers.map(() => null));
  });
});

describe('metadata.sandboxOutcome with a key of live mode', () => {
  it('201: the metadata is kept, and the message says that the outcome has no effect, also when repeated', async () => {
    const { key } = await givenClient(api);
    const metadata = { sandboxOutcome: 'approved', order: 7 };
    const headers = { 'Idempotency-Key': 'order-7' };
    const created = await api.post({ ...body, metadata }, { key, headers });
    const again = await api.post({ ...body, metadata }, { key, headers });
    for (const {
      status,
      body: { message },
    } of [created, again]) {
      expect([status, message]).toEqual([
        201,
        expect.stringMatching(/^Verification created\. .*sandboxOutcome has no effect/),
      ]);
    }
    const { id } = dataOf(created);
    expect(dataOf(await api.request(`/verifications/${String(id)}`, { key }))).toMatchObject({ metadata });
  });

  it('the message only confirms the creation in test mode, and in live mode without an outcome', async () => {
    const { key } = await givenClient(api);
    const answers = [
      await api.post({ ...body, metadata: { sandboxOutcome: 'approved' } }, { key: test }),
      await api.post({ ...body, metadata: { order: 7 } }, { key }),
    ];
    expect(answers.map(({ body: { message } }) => message)).toEqual([
      'Verification created',
      'Verification created',
    ]);
  });
});
