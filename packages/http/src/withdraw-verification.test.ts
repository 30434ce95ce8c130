import {
  approveVerification,
  askForAction,
  rejectVerification,
  withdrawVerification,
} from '@countersign/domain/actions';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiAnswer, dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient, subject } from '../test-support/api.ts';
import { givenPending, givenSubmitted, reviewerOf } from '../test-support/verifications.ts';
import { BODY_MAX_BYTES } from './request-context.ts';

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

function withdraw(id: string, init: RequestInit & { key?: string } = {}): Promise<ApiAnswer> {
  return api.request(`/verifications/${id}/withdraw`, { key: client.key, method: 'POST', ...init });
}

async function detailsOf(id: string): Promise<Record<string, unknown>> {
  return dataOf(await api.request(`/verifications/${id}/details`, { key: client.key }));
}

const selfieAgain = { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] } as const;

describe('POST /verifications/{id}/withdraw', () => {
  it('pending: 200, rejected with the reason withdrawn by the client', async () => {
    const id = await givenPending(api, client);
    api.clock.advance(60_000);
    const { status, body } = await withdraw(id);
    expect({ status, message: body.message }).toEqual({ status: 200, message: 'Verification withdrawn' });
    const resolvedAt = '2026-01-15T12:01:00.000Z';
    expect(body.data).toMatchObject({ id, status: 'rejected', resolvedAt, metadata: { tenant: 'acme' } });
    expect(await detailsOf(id)).toMatchObject({
      ...body.data,
      decision: { outcome: 'rejected', reasonCodes: ['withdrawn'], message: null, decidedAt: resolvedAt },
      history: [
        { status: 'pending', actor: 'client' },
        { status: 'rejected', actor: 'client', at: resolvedAt },
      ],
    });
  });

  it('action_needed: 200, rejected with the reason withdrawn', async () => {
    const { id, version } = await givenSubmitted(api, client);
    await reviewerOf(api, 'staff-7').run(askForAction, { verificationId: id, version, ...selfieAgain });
    const { status, body } = await withdraw(id);
    expect([status, dataOf({ body }).status]).toEqual([200, 'rejected']);
    expect(dataOf({ body }).submittedData).toMatchObject({ person: { firstName: 'Ada' } });
  });

  it('withdrawn already, by the API or by a person: 200 with the same verification, and no second event', async () => {
    const id = await givenPending(api, client);
    const first = await withdraw(id);
    const history = (await detailsOf(id)).history;
    api.clock.advance(60_000);
    const again = await withdraw(id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await detailsOf(id)).history).toEqual(history);

    const byTeam = await givenPending(api, client);
    await api.countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId: byTeam });
    expect((await withdraw(byTeam)).status).toBe(200);
  });

  it.each([
    ['submitted', async () => undefined],
    [
      'approved',
      async (id: string, version: number) =>
        reviewerOf(api, 'staff-7').run(approveVerification, { verificationId: id, version }),
    ],
    [
      'rejected',
      async (id: string, version: number) =>
        reviewerOf(api, 'staff-7').run(rejectVerification, {
          verificationId: id,
          version,
          reasonCodes: ['data_mismatch'],
        }),
    ],
  ])('%s: 409 ILLEGAL_TRANSITION with the status, and nothing changes', async (status, decide) => {
    const { id, version } = await givenSubmitted(api, client);
    await decide(id, version);
    const before = await detailsOf(id);
    const refused = await withdraw(id);
    expectRefusal(refused, 409, 'ILLEGAL_TRANSITION');
    expect(dataOf(refused)).toEqual({ status });
    expect(await detailsOf(id)).toEqual(before);
  });

  it('frees the subject reference and gives nothing back to the month', async () => {
    const limited = await givenClient(api, { monthlyLimit: 2 });
    const create = (): Promise<ApiAnswer> => api.post(subject('user_1'), { key: limited.key });
    const { id } = dataOf(await create());
    expectRefusal(await create(), 409, 'DUPLICATE_SUBJECT_REFERENCE');
    await withdraw(String(id), { key: limited.key });
    expect((await create()).status).toBe(201);
    expectRefusal(await api.post(subject('user_2'), { key: limited.key }), 403, 'LIMIT_EXCEEDED');
  });

  it("another client's verification: the same 404 as an unknown id, and nothing changes", async () => {
    const id = await givenPending(api, client);
    const stranger = await givenClient(api);
    const foreign = await withdraw(id, { key: stranger.key });
    const unknown = await withdraw(id.replace(/.$/, 'f'), { key: stranger.key });
    expectRefusal(foreign, 404, 'VERIFICATION_NOT_FOUND');
    expect(foreign.body).toEqual(unknown.body);
    expect(await detailsOf(id)).toMatchObject({ status: 'pending' });
  });

  it('a key that may only create withdraws, but reads no submitted data by it', async () => {
    const { id, version } = await givenSubmitted(api, client);
    await reviewerOf(api, 'staff-7').run(askForAction, { verificationId: id, version, ...selfieAgain });
    const issued = await api.countersign.apiKeys.issue(client.clientId, { permissions: ['verifications:create'] });
    for (const time of ['first', 'second']) {
      const { status, body } = await withdraw(id, { key: issued.value });
      expect([time, status, body.data]).toMatchObject([time, 200, { status: 'rejected', submittedData: {} }]);
    }
    const both = { permissions: ['verifications:create', 'verifications:read'] } as const;
    const reading = await api.countersign.apiKeys.issue(client.clientId, both);
    const { body } = await withdraw(id, { key: reading.value });
    expect(dataOf({ body }).submittedData).toMatchObject({ person: { firstName: 'Ada' } });
  });

  it('the log names the verification', async () => {
    const id = await givenPending(api, client);
    await withdraw(id);
    expect(api.entries.at(-1)).toMatchObject({ path: '/verifications/{id}/withdraw', verificationId: id });
  });
});

describe('the body of a withdrawal', () => {
  it.each<[what: string, init: RequestInit]>([
    ['absent', {}],
    ['empty, declared as JSON', { headers: JSON_TYPE, body: '' }],
    ['empty, declared as text', { headers: { 'Content-Type': 'text/plain' }, body: '' }],
    ['an empty object', { headers: JSON_TYPE, body: ' {} ' }],
    ['null, which generated clients send for no body', { headers: JSON_TYPE, body: 'null' }],
  ])('%s: 200', async (_, init) => {
    expect((await withdraw(await givenPending(api, client), init)).status).toBe(200);
  });

  it.each<[what: string, init: RequestInit, status: number, code: string]>([
    ['a field', { headers: JSON_TYPE, body: '{"reason":"mistake"}' }, 400, 'INVALID_PARAMETERS'],
    ['the field __proto__', { headers: JSON_TYPE, body: '{"__proto__":{}}' }, 400, 'INVALID_PARAMETERS'],
    ['an array', { headers: JSON_TYPE, body: '[]' }, 400, 'INVALID_JSON'],
    [
      'null declared as text',
      { headers: { 'Content-Type': 'text/plain' }, body: 'null' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['spaces', { headers: JSON_TYPE, body: '  ' }, 400, 'INVALID_JSON'],
    ['not JSON', { headers: JSON_TYPE, body: '{' }, 400, 'INVALID_JSON'],
    ['a form', { body: new URLSearchParams({ a: '1' }) }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      '{} declared as text',
      { headers: { 'Content-Type': 'text/plain' }, body: '{}' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['too large', { headers: JSON_TYPE, body: ' '.repeat(BODY_MAX_BYTES + 1) }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s: refused, and nothing changes', async (_, init, status, code) => {
    const id = await givenPending(api, client);
    expectRefusal(await withdraw(id, init), status, code);
    expect(await detailsOf(id)).toMatchObject({ status: 'pending' });
  });

  it('names each unknown field', async () => {
    const refused = await withdraw('some-id', { headers: JSON_TYPE, body: '{"a":1,"b":2}' });
    expect(dataOf(refused).issues).toEqual([
      { path: 'a', message: 'is not a known field: send no body, or {}' },
      { path: 'b', message: 'is not a known field: send no body, or {}' },
    ]);
  });

  it('a query parameter: 400', async () => {
    const refused = await api.request('/verifications/some-id/withdraw?force=1', {
      key: client.key,
      method: 'POST',
    });
    expectRefusal(refused, 400, 'INVALID_PARAMETERS');
  });
});
