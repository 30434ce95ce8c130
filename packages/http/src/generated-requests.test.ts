import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dataOf } from '../test-support/answer.ts';
import { givenApi, givenClient } from '../test-support/api.ts';
import { apiRoutes } from './routes.ts';

const REQUESTS = 5_000;

/** Any JSON, and text that is nearly JSON. */
const bodies = fc.oneof(
  { weight: 3, arbitrary: fc.json() },
  { weight: 2, arbitrary: fc.constant('{}') },
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          subjectType: fc.oneof(fc.constantFrom('kyc', 'kyb'), fc.jsonValue()),
          subjectReference: fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.jsonValue()),
          metadata: fc.jsonValue(),
          more: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((body) => JSON.stringify(body)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

const headers = fc.record(
  {
    'Content-Type': fc.oneof(
      { weight: 4, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data; boundary=x'),
    ),
    'Idempotency-Key': fc.string({ minLength: 1, maxLength: 300 }).map((text) => text.trim() || 'a'),
    'Content-Encoding': fc.constantFrom('gzip', 'identity'),
  },
  { requiredKeys: ['Content-Type'] },
);

it(`${REQUESTS} generated requests to every route get documented answers, and no 5xx`, async () => {
  const api = givenApi({
    settings: { requestRates: { standard: 1e9, enterprise: 1e9, anonymous: 1e9, signedIn: 1e9 } },
  });
  const { key } = await givenClient(api, { monthlyLimit: 1_000 });
  const ids: string[] = [];
  const templates = apiRoutes(api.countersign).map(({ template }) => template);
  const anyId = fc.nat().map((n) => ids[n % Math.max(ids.length, 1)] ?? 'none');
  const anything = fc.record({
    template: fc.constantFrom(...templates),
    method: fc.constantFrom('GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE'),
    id: fc.oneof(
      { weight: 4, arbitrary: anyId },
      fc
        .string({ minLength: 1, unit: 'binary' })
        // A URL resolves dot segments before it is sent.
        .filter((text) => text !== '.' && text !== '..')
        .map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom('%', '%ff', '%00', '__proto__'),
    ),
    query: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.webQueryParameters().map((text) => `?${text}`),
      fc.constantFrom('?page=0', '?limit=1000', '?page=2&page=3', '?status=x', '?sortBy=status&sortOrder=asc'),
    ),
    withKey: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    headers,
    body: bodies,
  });
  const good = {
    method: fc.constant('POST'),
    query: fc.constant(''),
    withKey: fc.constant(true),
    headers: fc.constant({ 'Content-Type': 'application/json' }),
  };
  const creation = fc.record({
    ...good,
    template: fc.constant('/verifications'),
    id: fc.constant('none'),
    body: fc
      .record({ subjectType: fc.constantFrom('kyc', 'kyb'), subjectReference: fc.nat(50).map(String) })
      .map((body) => JSON.stringify(body)),
  });
  const withdrawal = fc.record({
    ...good,
    template: fc.constant('/verifications/{id}/withdraw'),
    id: anyId,
    body: fc.constantFrom(undefined, '{}'),
  });
  const relationshipEnd = fc.record({
    ...good,
    method: fc.constant('PUT'),
    template: fc.constant('/verifications/{id}/relationship-end'),
    id: anyId,
    body: fc
      .record({ endedAt: fc.oneof(fc.constant(null), fc.date({ noInvalidDate: true }), fc.jsonValue()) })
      .map((body) => JSON.stringify(body)),
  });
  const erasure = fc.record({
    ...good,
    method: fc.constant('DELETE'),
    template: fc.constant('/verifications/{id}/data'),
    query: fc.constantFrom('', '?withdraw=true', '?withdraw=false', '?withdraw=1'),
    id: anyId,
    body: fc.constantFrom(undefined, '{}'),
  });
  const requests = fc.oneof({ weight: 8, arbitrary: anything }, creation, withdrawal, relationshipEnd, erasure);
  const statuses = new Map<number, number>();

  await fc.assert(
    fc.asyncProperty(requests, async ({ template, method, id, query, withKey, headers: sent, body }) => {
      const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
      // `request` compares the answer with the OpenAPI document.
      const { status, body: answer } = await api.request(
        template.replace('{id}', id).replace('{fileId}', id) + query,
        {
          method,
          headers: sent as Record<string, string>,
          ...(hasBody && { body }),
          ...(withKey && { key }),
        },
      );
      expect(status).toBeLessThan(500);
      if (status === 201) ids.push(String(dataOf({ body: answer }).id));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
    { numRuns: REQUESTS, seed: 14 },
  );
  expect(api.faults).toEqual([]);
  // The generator reaches successes and each kind of refusal.
  const reached = [...statuses.keys()].toSorted((a, b) => a - b);
  expect(reached).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 409, 415]));
}, 120_000);
