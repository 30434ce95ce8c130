import { DEFAULT_REQUEST_RATES } from '@countersign/domain';
import { extent } from '@countersign/test-support/installation/extent';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { FRED, type GivenDashboard, givenDashboard } from '../../test-support/dashboard.ts';

/** Valid values for the fields of every form: only the id can be refused. */
const FIELDS = { name: 'foreign key', expiresInDays: '30', teamRole: 'viewer' };

const IDS = extent({ full: 50, short: 22 });

let given: GivenDashboard;

beforeEach(async () => {
  // The test sends more requests than a user may within a minute.
  given = await givenDashboard({}, { requestRates: { ...DEFAULT_REQUEST_RATES, signedIn: 1_000_000 } });
});

/** Every route of the dashboard with an id, found in the app. */
function routesWithIds(): { method: string; path: string }[] {
  const routes = given.web.routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith('/dashboard/') && path.includes('/:'),
  );
  return [...new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
}

/** Ids of another client, unknown ids, and texts that cannot be ids. */
function foreignIds(): string[] {
  const { keyId, verificationId, clientId } = given.foreign;
  const real = [keyId, verificationId, clientId, FRED];
  const odd = [
    '0',
    '-1',
    '%00',
    '%20',
    '%2e%2e%2f',
    '*',
    "'%20OR%201=1--",
    '%F0%9F%98%80',
    '__proto__',
    'constructor',
    'undefined',
    'null',
    'x'.repeat(500),
    '%25',
    '{id}',
    '<script>',
  ];
  const unknown = Array.from({ length: IDS - real.length - odd.length }, (_, index) => `unknown-${index}`);
  return [...real, ...odd, ...unknown];
}

/** All keys, verifications and users of both clients. */
async function everything(): Promise<unknown> {
  const { countersign, ports, accounts, clientId, foreign } = given;
  const query = { status: undefined, type: undefined, subjectReference: undefined } as const;
  const of = async (id: string) => [
    await countersign.apiKeys.list(id),
    await ports.storage.verifications.list(id, {
      ...query,
      sortBy: 'requestedAt',
      sortOrder: 'asc',
      offset: 0,
      limit: 100,
    }),
    await accounts.staff.list({ clientId: id }),
  ];
  return [await of(clientId), await of(foreign.clientId)];
}

describe('ids of another client', () => {
  it('the routes of keys, webhooks, verifications and team are found in the app', () => {
    const paths = routesWithIds().map(({ method, path }) => `${method} ${path}`);
    for (const route of [
      'GET /dashboard/keys/:keyId/revoke',
      'POST /dashboard/keys/:keyId/rotate',
      'POST /dashboard/webhooks/:endpointId/secret',
      'GET /dashboard/webhooks/:endpointId/deliveries/:eventId',
      'GET /dashboard/verifications/:verificationId',
      'POST /dashboard/verifications/:verificationId/withdraw',
      'POST /dashboard/team/:userId/remove',
    ]) {
      expect(paths).toContain(route);
    }
  });

  it('every route answers 404, changes nothing and is recorded', { timeout: 180_000 }, async () => {
    const testTwin = await given.countersign.clients.testTwin(given.clientId);
    const before = await everything();
    const ids = foreignIds();
    expect(ids).toHaveLength(IDS);

    for (const { method, path } of routesWithIds()) {
      const answers = new Set<string>();
      // The requests of a user are limited for each minute.
      given.ports.clock.advance(60_000);
      const cookie = given.accounts.signedIn(CLARA, { confirmedAt: given.ports.clock.now() });
      const linesBefore = (await given.audit()).length;
      for (const id of ids) {
        const address = path.replace(/:\w+\{.*?\}/g, '1').replace(/:\w+/, id);
        const { status, words } =
          method === 'GET'
            ? await given.get(address, CLARA, { Cookie: cookie })
            : await given.post(address, FIELDS, CLARA, { Cookie: cookie });
        expect(status, `${method} ${address}`).toBe(404);
        answers.add(words);
        await given.countersign.summariseRefusals();
      }
      // Ids of another client and unknown ids get the same page.
      expect([...answers], `${method} ${path}`).toHaveLength(1);
      const lines = (await given.audit()).slice(linesBefore);
      const refused = lines.filter(({ outcome }) => outcome === 'refused');
      expect(refused.length, `${method} ${path}`).toBeGreaterThanOrEqual(ids.length);
      for (const { actor, clientId } of lines) {
        expect(actor).toEqual({ kind: 'team_member', id: CLARA });
        expect(clientId).toBe(path.startsWith('/dashboard/test/') ? testTwin.id : given.clientId);
      }
    }
    expect(await everything()).toEqual(before);
    expect(given.faults).toEqual([]);
  });
});
