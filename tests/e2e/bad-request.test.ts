import { LIST_PAGE_MAX, SORT_FIELDS } from '@countersign/domain';
import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { type Customer, givenCustomer } from '@countersign/test-support/installation/customer';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let customer: Customer;

beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'trace' } });
  customer = await givenCustomer(server);
});

describe('the query of GET /verifications', () => {
  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e1',
    'page=one',
    'page=',
    'page=9007199254740992',
    'page=9007199254740993',
    'page=99999999999999999999',
    'limit=0',
    'limit=101',
    'limit=%31%',
    'status=open',
    'status=',
    'status=PENDING',
    'type=kyx',
    'sortBy=metadata',
    'sortBy=__proto__',
    'sortOrder=up',
    'staus=approved',
    'status=pending&status=approved',
    'status[]=pending',
    'subjectReference=',
    'subjectReference=%ff',
  ])('%s: 400 INVALID_PARAMETERS', async (query) => {
    const { body } = await customer.expectRefused(
      customer.api.get(`/verifications?${query}`),
      400,
      'INVALID_PARAMETERS',
    );
    const issues = body.data?.issues as { path: string; message: string }[];
    expect(new Set(issues.map(({ path }) => path))).toEqual(new Set([query.split('=')[0]]));
    expect(issues.every(({ message }) => message !== '')).toBe(true);
  });

  it.each(SORT_FIELDS)('a page far beyond the end, sorted by %s, is empty and counts all', async (sortBy) => {
    for (const page of [2, 1_000_000, LIST_PAGE_MAX]) {
      const { status, body } = await customer.api.get(`/verifications?page=${page}&limit=100&sortBy=${sortBy}`);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ verifications: [], pagination: { page, totalCount: 1, totalPages: 1 } });
    }
  });

  it('GET /verifications/{id} accepts no query parameter', async () => {
    await customer.expectRefused(
      customer.api.get(`/verifications/${customer.id}?page=1`),
      400,
      'INVALID_PARAMETERS',
    );
  });
});

describe('the path', () => {
  it.each([
    '/',
    '/nothing',
    '/verifications/',
    '/Verifications',
    '/verifications/a/b',
    '/verifications/a/details/b',
  ])('%s: 404 NOT_FOUND', async (path) => {
    await customer.expectRefused(customer.api.get(path), 404, 'NOT_FOUND');
  });

  it.each([
    'unknown',
    '00000000-0000-7000-8000-000000000000',
    '%00',
    '%27%20OR%201=1',
    '..%2f..',
    'x'.repeat(4000),
  ])('id %.40s: 404 VERIFICATION_NOT_FOUND', async (unknown) => {
    await customer.expectRefused(customer.api.get(`/verifications/${unknown}`), 404, 'VERIFICATION_NOT_FOUND');
    await customer.expectRefused(
      customer.api.get(`/verifications/${unknown}/details`),
      404,
      'VERIFICATION_NOT_FOUND',
    );
  });

  it('invalid percent-encoding: 400 INVALID_PARAMETERS', async () => {
    await customer.expectRefused(customer.api.get('/verifications/%ff'), 400, 'INVALID_PARAMETERS');
  });

  it('outside the API: 404 in the envelope', async () => {
    const outside = createApiClient(server.origin);
    await customer.expectRefused(outside.get('/api/v2/verifications'), 404, 'NOT_FOUND');
    await customer.expectRefused(outside.get('/nothing'), 404, 'NOT_FOUND');
  });
});

describe('the method', () => {
  it.each([
    ['DELETE', '', 'GET, HEAD, POST'],
    ['PUT', '', 'GET, HEAD, POST'],
    ['PATCH', '', 'GET, HEAD, POST'],
    ['OPTIONS', '', 'GET, HEAD, POST'],
    ['POST', '/:id', 'GET, HEAD'],
    ['DELETE', '/:id', 'GET, HEAD'],
    ['POST', '/:id/details', 'GET, HEAD'],
    ['GET', '/:id/withdraw', 'POST'],
    ['POST', '/:id/relationship-end', 'PUT'],
    ['GET', '/:id/data', 'DELETE'],
  ])('%s /verifications%s: 405 with Allow', async (method, path, allowed) => {
    const answer = await customer.expectRefused(
      customer.api.request(`/verifications${path.replace(':id', customer.id)}`, { method }),
      405,
      'METHOD_NOT_ALLOWED',
    );
    expect(
      answer.headers
        .get('allow')
        ?.split(/\s*,\s*/)
        .sort(),
    ).toEqual(allowed.split(', '));
  });
});

describe('X-API-Key', () => {
  const required = 'API key is required. Provide it in X-API-Key header.';

  it.each<[what: string, value: () => string | undefined, code: string, error: string]>([
    ['missing', () => undefined, 'API_KEY_REQUIRED', required],
    ['empty', () => '', 'API_KEY_REQUIRED', required],
    ['not in the format of a key', () => 'secret', 'INVALID_API_KEY', 'Invalid API key'],
    ['unknown', () => `csk_${'0'.repeat(64)}`, 'INVALID_API_KEY', 'Invalid API key'],
    ['in capitals', () => customer.key.toUpperCase(), 'INVALID_API_KEY', 'Invalid API key'],
    ['one character too long', () => `${customer.key}0`, 'INVALID_API_KEY', 'Invalid API key'],
    ['one character too short', () => customer.key.slice(0, -1), 'INVALID_API_KEY', 'Invalid API key'],
    ['with another prefix', () => customer.key.replace('csk', 'sk'), 'INVALID_API_KEY', 'Invalid API key'],
  ])('%s: 401 on every path', async (_, value, code, error) => {
    const key = value();
    const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
    const stranger = createApiClient(server.baseUrl);
    for (const request of [
      stranger.post(newSubject('user_2'), headers),
      stranger.request('/verifications', { headers }),
      stranger.request(`/verifications/${customer.id}`, { headers }),
      stranger.request('/nothing', { headers }),
    ]) {
      const { body } = await customer.expectRefused(request, 401, code);
      expect(body.error).toBe(error);
    }
  });
});

describe('Authorization: Bearer without X-API-Key', () => {
  it('gets 401 API_KEY_REQUIRED with a hint to use X-API-Key; the key reaches no log', async () => {
    const stranger = createApiClient(server.baseUrl);
    const headers = { Authorization: `Bearer ${customer.key}` };
    const { body, headers: answered } = await customer.expectRefused(
      stranger.request('/verifications', { headers }),
      401,
      'API_KEY_REQUIRED',
    );
    expect(body.error).toBe('API key is required. Provide it in X-API-Key header.');
    expect(body.data).toEqual({ hint: expect.stringContaining('X-API-Key') as string });

    await server.says(new RegExp(answered.get('x-request-id') ?? 'no request id'));
    expect(server.output()).not.toContain(customer.key);
  });
});
