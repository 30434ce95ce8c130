import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { type Customer, givenCustomer } from '@countersign/test-support/installation/customer';
import {
  NO_RATE_LIMITS,
  type ServerProcess,
  startServer,
} from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let customer: Customer;

beforeAll(async () => {
  server = await startServer({ env: NO_RATE_LIMITS });
  customer = await givenCustomer(server);
});

describe('a query', () => {
  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e1',
    'page=one',
    'page=',
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
  ])('of %s is 400', async (query) => {
    const { body } = await customer.expectRefused(
      customer.api.get(`/verifications?${query}`),
      400,
      'INVALID_PARAMETERS',
    );
    const issues = body.data?.issues as { path: string; message: string }[];
    expect(new Set(issues.map(({ path }) => path))).toEqual(new Set([query.split('=')[0]]));
    expect(issues.every(({ message }) => message !== '')).toBe(true);
  });

  it('is nothing that one verification has', async () => {
    await customer.expectRefused(
      customer.api.get(`/verifications/${customer.id}?page=1`),
      400,
      'INVALID_PARAMETERS',
    );
  });
});

describe('a path', () => {
  it.each([
    '/',
    '/nothing',
    '/verifications/',
    '/Verifications',
    '/verifications/a/b',
    '/verifications/a/details/b',
  ])('of %s is 404', async (path) => {
    await customer.expectRefused(customer.api.get(path), 404, 'NOT_FOUND');
  });

  it.each([
    'unknown',
    '00000000-0000-7000-8000-000000000000',
    '%00',
    '%27%20OR%201=1',
    '..%2f..',
    'x'.repeat(4000),
  ])('with the id %.40s is 404', async (unknown) => {
    await customer.expectRefused(customer.api.get(`/verifications/${unknown}`), 404, 'VERIFICATION_NOT_FOUND');
    await customer.expectRefused(
      customer.api.get(`/verifications/${unknown}/details`),
      404,
      'VERIFICATION_NOT_FOUND',
    );
  });

  it('that is not valid percent-encoding is 400', async () => {
    await customer.expectRefused(customer.api.get('/verifications/%ff'), 400, 'INVALID_PARAMETERS');
  });

  it('outside of the API is 404 in the envelope', async () => {
    const outside = createApiClient(server.origin);
    await customer.expectRefused(outside.get('/api/v2/verifications'), 404, 'NOT_FOUND');
    await customer.expectRefused(outside.get('/nothing'), 404, 'NOT_FOUND');
  });
});

describe('a method', () => {
  it.each([
    ['DELETE', '', 'GET, HEAD, POST'],
    ['PUT', '', 'GET, HEAD, POST'],
    ['PATCH', '', 'GET, HEAD, POST'],
    ['OPTIONS', '', 'GET, HEAD, POST'],
    ['POST', '/:id', 'GET, HEAD'],
    ['DELETE', '/:id', 'GET, HEAD'],
    ['POST', '/:id/details', 'GET, HEAD'],
  ])('%s on /verifications%s is 405 and names those that work', async (method, path, allowed) => {
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

describe('a key', () => {
  const required = 'API key is required. Provide it in X-API-Key header.';

  it.each<[what: string, value: () => string | undefined, code: string, error: string]>([
    ['that is missing', () => undefined, 'API_KEY_REQUIRED', required],
    ['that is empty', () => '', 'API_KEY_REQUIRED', required],
    ['that is none', () => 'secret', 'INVALID_API_KEY', 'Invalid API key'],
    ['that nobody has', () => `csk_${'0'.repeat(64)}`, 'INVALID_API_KEY', 'Invalid API key'],
    ['in capitals', () => customer.key.toUpperCase(), 'INVALID_API_KEY', 'Invalid API key'],
    ['with one character more', () => `${customer.key}0`, 'INVALID_API_KEY', 'Invalid API key'],
    ['with one character less', () => customer.key.slice(0, -1), 'INVALID_API_KEY', 'Invalid API key'],
    ['with another prefix', () => customer.key.replace('csk', 'sk'), 'INVALID_API_KEY', 'Invalid API key'],
  ])('%s is 401, whatever is asked for', async (_, value, code, error) => {
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
