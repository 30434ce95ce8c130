// Tries every page and every action of a client's dashboard with ids of another client, on a server.
import { randomUUID } from 'node:crypto';
import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { mountedRoutes } from '@countersign/test-support/browser/mounted-routes';
import { auditLines, linesOf, staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { everyRow } from '@countersign/test-support/installation/database-file';
import { extent } from '@countersign/test-support/installation/extent';
import { operate } from '@countersign/test-support/installation/operator';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

/** A client with a verification, a key and a team of two. */
interface Company extends GivenApi {
  readonly owner: StaffForms;
  readonly ownerId: string;
  readonly viewerId: string;
  readonly verificationId: string;
  /** What belongs to the client's test twin. */
  readonly test: { readonly clientId: string; readonly keyId: string; readonly verificationId: string };
  /** The id of the request that created the verification. */
  readonly requestId: string;
}

/** Valid fields for each form of the dashboard with an id, so that only the id is refused. */
const FIELDS = {
  name: 'Billing',
  expiresInDays: '30',
  teamRole: 'viewer',
  confirmed: 'yes',
  reason: 'because',
  declineReason: 'other',
};
const IDS = extent({ full: 50, short: 22 });
const IN_FORM = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const UUIDS = new RegExp(IN_FORM, 'g');
/** Invalid ids, as parts of a URL. */
const ODD = ['0', '-1', '%00', '%20', '%2e%2e%2fkeys', '*', "'%20OR%201=1--", '%F0%9F%98%80', '__proto__', 'null'];

let server: ServerProcess;
let ours: Company;
let theirs: Company;
/** Number of requests that routes with an id refused. */
let attempts = 0;
/** The mounted routes of the dashboard with an id. */
let routes: readonly { readonly method: string; readonly path: string }[];

beforeAll(async () => {
  server = await startServer();
  [ours, theirs] = await Promise.all([givenCompany('Ours'), givenCompany('Theirs')]);
  routes = (await mountedRoutes())
    .filter((route) => /^\w+ \/dashboard\/.*\{/.test(route))
    .map((route) => {
      const [method = '', path = ''] = route.split(' ');
      return { method, path };
    });
});

async function givenCompany(name: string): Promise<Company> {
  const company = await givenApi(server, { name });
  const created = await company.api.post(newSubject('the same for both'));
  const verificationId = idOf(created);
  const requestId = created.headers.get('X-Request-Id') ?? '';
  const owner = await newTeamMember(server, company.clientId);
  const viewer = await newTeamMember(server, company.clientId, 'viewer');
  await owner.confirm();
  return {
    ...company,
    test: await givenTestData(company.clientId),
    owner,
    ownerId: staffIdOf(server.databaseFile, owner.email),
    viewerId: staffIdOf(server.databaseFile, viewer.email),
    verificationId,
    requestId,
  };
}

/** A key and a verification of a client's test twin. */
async function givenTestData(clientId: string): Promise<Company['test']> {
  const made = await operate(server, async ({ clients, apiKeys }) => {
    const twin = await clients.testTwin(clientId);
    return { clientId: twin.id, ...(await apiKeys.issue(twin.id, { permissions: ['*'] })) };
  });
  const created = await createApiClient(server.baseUrl, made.value).post(newSubject('the same for both'));
  return { clientId: made.clientId, keyId: made.key.id, verificationId: idOf(created) };
}

/** Returns ids of the other client's data and of our data in the other mode, unknown ids and invalid ids. */
function foreignIds(mode: 'live' | 'test'): string[] {
  const { keyId, verificationId, ownerId, viewerId, clientId, test } = theirs;
  const inOtherMode = mode === 'live' ? ours.test : ours;
  const own = [inOtherMode.keyId, inOtherMode.verificationId];
  const known = [keyId, verificationId, ownerId, viewerId, clientId, ...Object.values(test), ...own, ...ODD];
  return [...known, ...Array.from({ length: IDS - known.length }, () => randomUUID())];
}

const isRouted = (method: string, path: string) =>
  routes.some((route) => route.method === method && route.path === path);

describe('another client’s data', () => {
  it('is requested on each route of keys, verifications, team and webhooks', () => {
    const partsIn = (mode: 'live' | 'test') =>
      new Set(routes.filter((route) => modeOf(route.path) === mode).map(({ path }) => pathParts(path)[0]));
    expect([...partsIn('live')].sort()).toEqual(['keys', 'team', 'verifications', 'webhooks']);
    expect([...partsIn('test')].sort()).toEqual(['keys', 'verifications', 'webhooks']);
    expect(routes.length).toBeGreaterThanOrEqual(30);
  });

  it('gets 404 on each route and stays unchanged', async () => {
    const ids = { live: foreignIds('live'), test: foreignIds('test') };
    for (const each of Object.values(ids)) expect(new Set(each).size).toBe(IDS);
    const asked = [...new Set(routes.map(({ path }) => path))].flatMap((path) =>
      ['GET', 'POST'].flatMap((method) => ids[modeOf(path)].map((id) => ({ method, path, id }))),
    );
    const before = everyRow(server.databaseFile);

    const { result: answers, lines } = await linesOf(server.databaseFile, () =>
      inTurns(asked, async ({ method, path, id }) => {
        const address = path.replace(/\{\w+\}/, id);
        const answer = method === 'GET' ? await ours.owner.get(address) : await ours.owner.post(address, FIELDS);
        return { at: `${method} ${path}`, address, status: answer.status, text: await answer.text() };
      }),
    );

    expect(answers.filter(({ status }) => status !== 404)).toEqual([]);
    // Pages for the other client's ids equal pages for unknown ids.
    for (const at of new Set(answers.map((answer) => answer.at))) {
      const pages = answers.filter((answer) => answer.at === at && IN_FORM.test(answer.address));
      expect(new Set(pages.map(({ text }) => text.replaceAll(UUIDS, ''))).size, at).toBe(1);
    }
    expect(everyRow(server.databaseFile)).toEqual(before);

    for (const { actor, clientId } of lines) {
      expect(actor).toBe(`team_member ${ours.ownerId}`);
      // A summary of refusals in both modes names no client.
      expect([ours.clientId, ours.test.clientId, null]).toContain(clientId);
    }
    attempts += asked.filter(({ method, path }) => isRouted(method, path)).length;
  });

  it('is in no list, with any filter', async () => {
    const { verificationId, viewerId, keyId, clientId, requestId, test } = theirs;
    for (const path of [
      '/dashboard/test',
      '/dashboard/test/keys',
      '/dashboard/test/requests',
      '/dashboard/test/verifications?prefix=the+same',
      `/dashboard/test/verifications?clientId=${test.clientId}`,
      `/dashboard/test/verifications?after=${test.verificationId}`,
      `/dashboard/test/verifications/export.csv?clientId=${test.clientId}`,
      '/dashboard',
      '/dashboard/keys',
      '/dashboard/requests',
      '/dashboard/team',
      '/dashboard/verifications?prefix=the+same',
      `/dashboard/verifications?clientId=${clientId}`,
      `/dashboard/verifications?after=${verificationId}`,
      `/dashboard/verifications/export.csv?clientId=${clientId}`,
      `/dashboard/data-copies?clientId=${clientId}`,
      `/dashboard/data-copies?after=${verificationId}`,
    ]) {
      const answer = await ours.owner.get(path);
      expect([200, 400], path).toContain(answer.status);
      // The language switch repeats the address that was asked for.
      const text = (await answer.text()).replace(/name="returnTo" value="[^"]*"/, '');
      const other = path.startsWith('/dashboard/test') ? ours : ours.test;
      const foreign = [verificationId, viewerId, keyId, clientId, requestId, theirs.owner.email];
      for (const id of [...foreign, ...Object.values(test), other.keyId, other.verificationId])
        expect(text).not.toContain(id);
    }
  });

  it('each attempt is in the audit log, by a line or in the count of a summary', async () => {
    expect((await server.stop()).code).toBe(0);
    const refused = auditLines(server.databaseFile).filter(
      ({ actor, outcome }) => actor === `team_member ${ours.ownerId}` && outcome === 'refused',
    );
    const recorded = refused.map(({ detail }) => Number(detail.count ?? 1));
    expect(attempts).toBeGreaterThan(500);
    expect(recorded.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(attempts);
  });
});

/** Runs an action for all items, 32 concurrently. */
async function inTurns<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.values();
  const worker = async () => {
    for (const one of waiting) results.push(await act(one));
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return results;
}

const TEST_PATH = '/dashboard/test/';

function modeOf(path: string): 'live' | 'test' {
  return path.startsWith(TEST_PATH) ? 'test' : 'live';
}

/** The parts of a path below the dashboard of its mode. */
function pathParts(path: string): readonly string[] {
  return path.slice((modeOf(path) === 'test' ? TEST_PATH : '/dashboard/').length).split('/');
}
