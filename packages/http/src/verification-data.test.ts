import { approveVerification, listAudit, rejectVerification } from '@countersign/domain/actions';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiAnswer, dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient } from '../test-support/api.ts';
import { givenPending, givenSubmitted, reviewerOf } from '../test-support/verifications.ts';
import { BODY_MAX_BYTES } from './request-context.ts';

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const ERASED = { state: 'erased', until: null };
/** Ten years from the decision on 15 January 2026, and five. */
const LONGEST = '2036-01-16T00:00:00.000Z';
const FIVE_YEARS = '2031-01-16T00:00:00.000Z';

async function detailsOf(id: string): Promise<Record<string, unknown>> {
  return dataOf(await api.request(`/verifications/${id}/details`, { key: client.key }));
}

function erase(id: string, { query = '', key = client.key } = {}): Promise<ApiAnswer> {
  return api.request(`/verifications/${id}/data${query}`, { key, method: 'DELETE' });
}

function put(id: string, body: string, { headers = JSON_TYPE, key = client.key, query = '' } = {}) {
  const path = `/verifications/${id}/relationship-end${query}`;
  return api.request(path, { key, method: 'PUT', headers: { ...headers }, body });
}

const end = (id: string, endedAt: unknown, key = client.key) => put(id, JSON.stringify({ endedAt }), { key });

async function givenApproved(): Promise<string> {
  const { id, version } = await givenSubmitted(api, client);
  await reviewerOf(api, 'staff-7').run(approveVerification, { verificationId: id, version });
  return id;
}

async function givenWithdrawn(): Promise<string> {
  const id = await givenPending(api, client);
  await api.request(`/verifications/${id}/withdraw`, { key: client.key, method: 'POST' });
  return id;
}

const keyWith = async (permission: 'verifications:create' | 'verifications:read') =>
  (await api.countersign.apiKeys.issue(client.clientId, { permissions: [permission] })).value;

/** Expects the same 404 for another client's verification as for an unknown id. */
async function expectNotFound(id: string, ask: (id: string, key: string) => Promise<ApiAnswer>): Promise<void> {
  const stranger = await givenClient(api);
  const foreign = await ask(id, stranger.key);
  expectRefusal(foreign, 404, 'VERIFICATION_NOT_FOUND');
  expect(foreign.body).toEqual((await ask(id.replace(/.$/, 'f'), stranger.key)).body);
}

describe('`data` in GET /verifications/{id}/details', () => {
  it('`data` in GET /verifications/{id}/details has no end while the verification is open, and the end of the policy after the decision', async () => {
    const id = await givenPending(api, client);
    expect(await detailsOf(id)).toMatchObject({ data: { state: 'kept', until: null } });
    await api.request(`/verifications/${id}/withdraw`, { key: client.key, method: 'POST' });
    // 90 days after 15 January.
    expect(await detailsOf(id)).toMatchObject({ data: { state: 'kept', until: '2026-04-16T00:00:00.000Z' } });
    expect(await detailsOf(await givenApproved())).toMatchObject({ data: { state: 'kept', until: LONGEST } });
  });
});

describe('PUT /verifications/{id}/relationship-end', () => {
  it('approved: 200 with the new end of the data; null takes it back', async () => {
    const id = await givenApproved();
    const ended = await end(id, '2026-01-01T00:00:00+01:00');
    expect([ended.status, ended.body.data]).toEqual([200, { state: 'kept', until: FIVE_YEARS }]);
    expect((await detailsOf(id)).data).toEqual(ended.body.data);
    expect((await end(id, null)).body.data).toEqual({ state: 'kept', until: LONGEST });
    // A day ahead is accepted: clocks differ.
    expect((await end(id, '2026-01-16T11:00:00.000Z')).body.data).toMatchObject({
      until: '2031-01-17T00:00:00.000Z',
    });
  });

  it('repeated: 200 with the same answer', async () => {
    const id = await givenApproved();
    const first = await end(id, '2026-01-01T00:00:00Z');
    api.clock.advance(60_000);
    expect((await end(id, '2026-01-01T00:00:00Z')).body).toEqual(first.body);
  });

  it('a key that may only create sets it; one that may only read gets 403', async () => {
    const id = await givenApproved();
    expect((await end(id, null, await keyWith('verifications:create'))).status).toBe(200);
    const reading = await keyWith('verifications:read');
    expectRefusal(await end(id, null, reading), 403, 'INSUFFICIENT_PERMISSIONS');
  });

  it.each<[status: string, make: () => Promise<string>]>([
    ['pending', () => givenPending(api, client)],
    ['submitted', async () => (await givenSubmitted(api, client)).id],
    ['rejected', () => givenWithdrawn()],
  ])('%s: 409 ILLEGAL_TRANSITION with the status, and nothing changes', async (status, make) => {
    const id = await make();
    const before = await detailsOf(id);
    const refused = await end(id, '2026-01-01T00:00:00Z');
    expectRefusal(refused, 409, 'ILLEGAL_TRANSITION');
    expect(dataOf(refused)).toEqual({ status });
    expect(await detailsOf(id)).toEqual(before);
  });

  it("another client's verification: the same 404 as an unknown id", async () => {
    await expectNotFound(await givenApproved(), (id, key) => end(id, '2026-01-01T00:00:00Z', key));
  });

  it.each<[what: string, body: string, status: number, code: string]>([
    ['empty', '', 400, 'INVALID_JSON'],
    ['not JSON', '{', 400, 'INVALID_JSON'],
    ['an array', '[]', 400, 'INVALID_JSON'],
    ['without a field', '{}', 400, 'INVALID_PARAMETERS'],
    ['an unknown field', '{"endedAt":null,"reason":"moved"}', 400, 'INVALID_PARAMETERS'],
    ['a number', '{"endedAt":1767225600}', 400, 'INVALID_PARAMETERS'],
    ['an empty text', '{"endedAt":""}', 400, 'INVALID_PARAMETERS'],
    ['no time', '{"endedAt":"yesterday"}', 400, 'INVALID_PARAMETERS'],
    ['a day without a time', '{"endedAt":"2026-01-01"}', 400, 'INVALID_PARAMETERS'],
    ['a time without an offset', '{"endedAt":"2026-01-01T00:00:00"}', 400, 'INVALID_PARAMETERS'],
    ['a day that does not exist', '{"endedAt":"2025-02-29T00:00:00Z"}', 400, 'INVALID_PARAMETERS'],
    ['hour 25', '{"endedAt":"2026-01-01T25:00:00Z"}', 400, 'INVALID_PARAMETERS'],
    ['a leap second', '{"endedAt":"2016-12-31T23:59:60Z"}', 400, 'INVALID_PARAMETERS'],
    ['year 0', '{"endedAt":"0000-01-01T00:00:00Z"}', 400, 'INVALID_PARAMETERS'],
    ['before 1970', '{"endedAt":"1970-01-01T00:00:00+00:01"}', 400, 'INVALID_PARAMETERS'],
    ['more than a day ahead', '{"endedAt":"2026-01-16T12:01:00.001Z"}', 400, 'INVALID_PARAMETERS'],
    ['year 9999', '{"endedAt":"9999-12-31T23:59:59Z"}', 400, 'INVALID_PARAMETERS'],
    ['too large', ' '.repeat(BODY_MAX_BYTES + 1), 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s: refused, and nothing changes', async (_, body, status, code) => {
    const id = await givenApproved();
    const before = await detailsOf(id);
    expectRefusal(await put(id, body), status, code);
    expect(await detailsOf(id)).toEqual(before);
  });

  it('names the field and its bounds', async () => {
    const id = await givenApproved();
    const issuesOf = async (endedAt?: unknown) => dataOf(await end(id, endedAt)).issues;
    expect(await issuesOf()).toEqual([{ path: 'endedAt', message: 'is required' }]);
    expect(await issuesOf('soon')).toEqual([{ path: 'endedAt', message: 'must be a date and time in ISO 8601' }]);
    expect(await issuesOf('2027-01-01T00:00:00Z')).toEqual([
      { path: 'endedAt', message: 'must be a time from 1970-01-01T00:00:00.000Z to 2026-01-16T12:01:00.000Z' },
    ]);
  });

  it('a body that is not JSON: 415; a query parameter: 400; another method: 405', async () => {
    const text = { 'Content-Type': 'text/plain' };
    expectRefusal(await put('some-id', '{"endedAt":null}', { headers: text }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectRefusal(await put('some-id', '{"endedAt":null}', { query: '?a=1' }), 400, 'INVALID_PARAMETERS');
    const get = await api.request('/verifications/some-id/relationship-end', { key: client.key });
    expectRefusal(get, 405, 'METHOD_NOT_ALLOWED');
    expect(get.headers.get('allow')).toBe('PUT');
  });
});

describe('DELETE /verifications/{id}/data', () => {
  it('where the law obliges to nothing: 200 erased, and only its place is left', async () => {
    const id = await givenWithdrawn();
    const before = await detailsOf(id);
    const { status, body } = await erase(id);
    expect([status, body.data]).toEqual([200, ERASED]);
    expect(await detailsOf(id)).toEqual({
      ...before,
      subjectReference: `erased:${id}`,
      metadata: {},
      submittedData: {},
      decision: { outcome: 'rejected', reasonCodes: [], message: null, decidedAt: before.resolvedAt },
      data: ERASED,
    });
    const list = dataOf(await api.request('/verifications', { key: client.key }));
    expect(list).toMatchObject({ verifications: [{ id, metadata: {} }], pagination: { totalCount: 1 } });
  });

  it('approved: 200 restricted until the law allows the erasure, and nothing of it is shown', async () => {
    const id = await givenApproved();
    const { status, body } = await erase(id);
    expect([status, body.data]).toEqual([200, { state: 'restricted', until: LONGEST }]);
    const details = await detailsOf(id);
    expect(details).toMatchObject({ status: 'approved', submittedData: {}, metadata: {}, documents: [] });
    expect(details.data).toEqual(body.data);
    expect(JSON.stringify(details)).not.toContain('Lovelace');

    const sooner = { state: 'restricted', until: FIVE_YEARS };
    expect((await end(id, '2026-01-01T00:00:00Z')).body.data).toEqual(sooner);
    expect((await erase(id)).body.data).toEqual(sooner);
  });

  it('rejected by a reviewer: 200 restricted for five years', async () => {
    const { id, version } = await givenSubmitted(api, client);
    const decision = { verificationId: id, version, reasonCodes: ['data_mismatch'] } as const;
    await reviewerOf(api, 'staff-7').run(rejectVerification, decision);
    expect((await erase(id)).body.data).toEqual({ state: 'restricted', until: FIVE_YEARS });
  });

  it('repeated, also at the same time: 200 with the same answer, and one erasure', async () => {
    const id = await givenWithdrawn();
    const answers = await Promise.all([erase(id), erase(id), erase(id)]);
    const details = await detailsOf(id);
    api.clock.advance(60_000);
    for (const { status, body } of [...answers, await erase(id)])
      expect([status, body.data]).toEqual([200, ERASED]);
    expect(await detailsOf(id)).toEqual(details);
    expect(await api.countersign.verifyAudit()).toMatchObject({ outcome: 'intact' });
    const { entries } = await api.countersign.as({ kind: 'command_line' }).run(listAudit, {});
    expect(entries.filter(({ action }) => action === 'verifications.data_erased')).toHaveLength(1);
    expect(entries.at(-1)).toMatchObject({ action: 'retention.erase', from: '192.0.2.1' });
  });

  it('open: 409 ILLEGAL_TRANSITION; with ?withdraw=true it is withdrawn and erased', async () => {
    const id = await givenPending(api, client);
    for (const query of ['', '?withdraw=false']) {
      const refused = await erase(id, { query });
      expectRefusal(refused, 409, 'ILLEGAL_TRANSITION');
      expect(dataOf(refused)).toEqual({ status: 'pending' });
    }
    expect(await detailsOf(id)).toMatchObject({ status: 'pending', metadata: { tenant: 'acme' } });
    for (const time of ['first', 'second']) {
      const { status, body } = await erase(id, { query: '?withdraw=true' });
      expect([time, status, body.data]).toEqual([time, 200, ERASED]);
    }
    expect(await detailsOf(id)).toMatchObject({ status: 'rejected', metadata: {}, data: ERASED });
  });

  it('submitted: 409 ILLEGAL_TRANSITION, also with ?withdraw=true', async () => {
    const { id } = await givenSubmitted(api, client);
    const before = await detailsOf(id);
    for (const query of ['', '?withdraw=true']) {
      expectRefusal(await erase(id, { query }), 409, 'ILLEGAL_TRANSITION');
    }
    expect(await detailsOf(id)).toEqual(before);
  });

  it('an erased verification keeps its place: neither the end of a relationship nor a withdrawal changes it', async () => {
    const id = await givenWithdrawn();
    await erase(id);
    expectRefusal(await end(id, null), 409, 'ILLEGAL_TRANSITION');
    const withdrawal = await api.request(`/verifications/${id}/withdraw`, { key: client.key, method: 'POST' });
    expectRefusal(withdrawal, 409, 'ILLEGAL_TRANSITION');
  });

  it.each([
    '?withdraw=yes',
    '?withdraw=',
    '?withdraw',
    '?withdraw=1',
    '?withdraw=TRUE',
    '?withdraw=true&withdraw=true',
    '?force=true',
  ])('%s: 400, and nothing changes', async (query) => {
    const id = await givenPending(api, client);
    expectRefusal(await erase(id, { query }), 400, 'INVALID_PARAMETERS');
    expect(await detailsOf(id)).toMatchObject({ status: 'pending' });
  });

  it('a key with single permissions: 403, whatever they are', async () => {
    const id = await givenWithdrawn();
    for (const permission of ['verifications:create', 'verifications:read'] as const) {
      expectRefusal(await erase(id, { key: await keyWith(permission) }), 403, 'INSUFFICIENT_PERMISSIONS');
    }
    expect(await detailsOf(id)).toMatchObject({ metadata: { tenant: 'acme' } });
  });

  it("another client's verification: the same 404 as an unknown id", async () => {
    await expectNotFound(await givenWithdrawn(), (id, key) => erase(id, { key }));
  });
});
