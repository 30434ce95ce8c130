import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, type Fields, OLGA, RITA } from '../../test-support/console.ts';
import { ANDY, VERA } from '../../test-support/dashboard.ts';
import { type GivenOperator, givenOperator } from '../../test-support/operator.ts';

/** Valid values for every form, so that only the visitor is the reason of a refusal. */
const FIELDS = {
  confirmed: 'yes',
  'reject.reasonCodes': 'data_mismatch',
  'note.internalNote': 'looks odd',
  name: 'Mallory Ltd',
  plan: 'enterprise',
  status: 'canceled',
  sandbox: 'on',
  email: `${VERA}@example.org`,
  role: 'operator',
  shortcuts: 'off',
};

let given: GivenOperator;
let caseId: string;
let fields: Fields;

beforeEach(async () => {
  given = await givenOperator();
  caseId = await given.submitted();
  const { version } = await given.review.preview(caseId);
  fields = { ...FIELDS, expectedVersion: String(version) };
});

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Every route of an area, found in the app, so that none is forgotten. */
function routesOf(area: string): Route[] {
  const routes = given.web.routes.filter(({ method, path }) => {
    return method !== 'ALL' && (path === area || path.startsWith(`${area}/`));
  });
  return [...new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
}

/** An address of the route that there is. */
function addressOf(path: string): string {
  const id = path.startsWith('/review') ? caseId : path.startsWith('/admin/users') ? VERA : given.clientId;
  return path
    .replace(/:fileId/, 'some-file')
    .replace(/:page(\{.*?\})?/, '1')
    .replace(/:(?:id|userId|clientId|verificationId)(\{.*?\})?/, id);
}

/** The route as lines of the audit log have it. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)(\{.*?\})?/g, '{$1}');
}

function cookieOf(who: string): { Cookie: string } {
  return { Cookie: given.accounts.signedIn(who, { confirmedAt: given.ports.clock.now() }) };
}

it.each([
  ['/review', 'POST /review/:id/approve'],
  ['/admin', 'POST /admin/users/:userId/remove'],
])('there are routes of %s to ask', (area, route) => {
  expect(routesOf(area).map(({ method, path }) => `${method} ${path}`)).toContain(route);
});

describe.each([
  ['/review', CLARA],
  ['/review', ANDY],
  ['/admin', CLARA],
  ['/admin', VERA],
  ['/admin', RITA],
])('%s, asked by %s', (area, who) => {
  it('is closed, page by page and form by form: nothing changes, and each leaves a line', async () => {
    const before = await given.everything();
    for (const { method, path } of routesOf(area)) {
      const lines = (await given.audit()).length;
      const [address, cookie] = [addressOf(path), cookieOf(who)];
      const { status, words } =
        method === 'GET' ? await given.get(address, who, cookie) : await given.post(address, fields, who, cookie);
      expect(status, `${method} ${path}`).toBe(403);
      expect(words).not.toContain('Lovelace');
      expect(words).not.toContain('Other Bank');
      const added = (await given.audit()).slice(lines);
      expect(added, `${method} ${path}`).toHaveLength(1);
      expect(added[0]).toMatchObject({
        actor: { id: who },
        from: '192.0.2.1',
        action: 'page.request',
        outcome: 'refused',
        detail: { reason: 'role', method, path: templateOf(path) },
      });
      await given.countersign.summariseRefusals();
    }
    expect(await given.everything()).toEqual(before);
  });
});

describe.each([
  ['/review', RITA],
  ['/admin', OLGA],
])('a form of %s', (area, who) => {
  const forms = () => routesOf(area).filter(({ method }) => method === 'POST');

  it('from another site changes nothing and leaves a line', async () => {
    const before = await given.everything();
    for (const { path } of forms()) {
      for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }]) {
        const lines = (await given.audit()).length;
        const { status } = await given.post(addressOf(path), fields, who, { ...cookieOf(who), ...headers });
        expect(status, path).toBe(403);
        const added = (await given.audit()).slice(lines);
        expect(added, path).toHaveLength(1);
        expect(added[0]).toMatchObject({ actor: { id: who }, detail: { reason: 'forged_origin' } });
        await given.countersign.summariseRefusals();
      }
    }
    expect(await given.everything()).toEqual(before);
  });

  it('of a session that has ended changes nothing, leaves a line and leads to the sign-in', async () => {
    const before = await given.everything();
    for (const { path } of forms()) {
      await given.countersign.summariseRefusals();
      const cookie = cookieOf(who);
      await given.accounts.signOut({ cookies: cookie.Cookie, clientAddress: '192.0.2.1' });
      const lines = (await given.audit()).length;
      const { status, headers } = await given.post(addressOf(path), fields, who, cookie);
      expect(status, path).toBe(303);
      expect(headers.get('Location')).toMatch(/^\/kyc\/account\/sign-in\?returnTo=/);
      const added = (await given.audit()).slice(lines);
      expect(added, path).toHaveLength(1);
      expect(added[0]).toMatchObject({ actor: { kind: 'anonymous', id: null }, detail: { reason: 'no_session' } });
    }
    expect(await given.everything()).toEqual(before);
  });
});
