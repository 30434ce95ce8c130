// Floods a server with refused requests, and kills it.
import { auditLines, linesOf, staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { givenApi } from '@countersign/test-support/installation/customer';
import { extent } from '@countersign/test-support/installation/extent';
import { newStaff, newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { startServer } from '@countersign/test-support/processes/server-process';
import { expect, it } from 'vitest';

const CONNECTIONS = 8;
const DURATION_MS = extent({ full: 60_000, short: 0 });
/** Also on a machine that is too busy for more in that time; several times the lines that may be written. */
const AT_LEAST = extent({ full: 300, short: 30 });
/** Each checks a password, which takes a tenth of a second of processor time. */
const CONFIRMATIONS = extent({ full: 40, short: 12 });

/** Pages that no team role may open, and one that this viewer may not. */
const PAGES = ['/admin', '/admin', '/admin/clients', '/admin/users', '/admin/audit', '/review', '/dashboard/keys'];

it('a viewer who floods forbidden pages adds at most ten lines a minute to the audit log', async () => {
  const server = await startServer({ env: { TRUST_PROXY: '1' } });
  const { clientId } = await givenApi(server);
  const viewer = await newTeamMember(server, clientId, 'viewer');
  const id = staffIdOf(server.databaseFile, viewer.email);
  const before = auditLines(server.databaseFile).at(-1)?.sequence ?? 0;

  let sent = 0;
  const begun = performance.now();
  const end = begun + DURATION_MS;
  const flood = async (): Promise<void> => {
    while (performance.now() < end || sent < AT_LEAST) {
      const { status } = await viewer.get(PAGES[sent++ % PAGES.length] ?? '');
      expect(status).toBe(403);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, flood));
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const during = auditLines(server.databaseFile, before);
  const { code } = await server.stop();

  const lines = auditLines(server.databaseFile, before);
  expect(code).toBe(0);
  expect(lines.every(({ actor, outcome }) => actor === `team_member ${id}` && outcome === 'refused')).toBe(true);
  // Stopping writes the counts of the last minute.
  expect(lines.length).toBeGreaterThan(during.length);
  expect(during.length).toBeLessThanOrEqual(10);
  const counted = lines.reduce((sum, { detail }) => sum + Number(detail.count ?? 1), 0);
  expect(counted).toBe(sent);
  console.info(
    `${sent} forbidden requests in ${seconds} s: ${during.length} audit entries, ${lines.length} at the end`,
  );
  expect(await countersignHere(['audit', 'verify'], server.env)).toMatchObject({ outcome: 'intact' });
}, 180_000);

it('unknown ids, repeated confirmations and repeated sign-ins add at most ten lines of a user to the audit log', async () => {
  const server = await startServer({ env: { TRUST_PROXY: '1' } });
  const { clientId } = await givenApi(server);
  const agent = await newTeamMember(server, clientId, 'agent');
  const reviewer = await newStaff(server, 'reviewer');
  const viewer = await newTeamMember(server, clientId, 'viewer');
  const floods: [name: string, email: string, count: number, send: (n: number) => Promise<Response>][] = [
    ['withdraws', agent.email, AT_LEAST, (n) => agent.post(`/dashboard/verifications/nope-${n}/withdraw`, {})],
    ['opens', agent.email, AT_LEAST, (n) => agent.get(`/dashboard/verifications/nope-${n}`)],
    ['reviews', reviewer.email, AT_LEAST, (n) => reviewer.get(`/review/nope-${n}`)],
    [
      'confirms',
      viewer.email,
      CONFIRMATIONS,
      () => viewer.post('/account/confirm', { password: viewer.password }),
    ],
  ];
  // What is sent before the first confirmation is answered would leave a line each.
  await viewer.confirm();
  for (const [name, email, count, send] of floods) {
    const before = auditLines(server.databaseFile).at(-1)?.sequence ?? 0;
    let sent = 0;
    const flood = async (): Promise<void> => {
      while (sent < count) await send(sent++);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, flood));
    const id = staffIdOf(server.databaseFile, email);
    const lines = auditLines(server.databaseFile, before).filter(({ actor }) => actor?.endsWith(` ${id}`));
    expect(lines.length, name).toBeLessThanOrEqual(10);
    console.info(`${name}: ${sent} requests, ${lines.length} audit entries`);
  }

  const before = auditLines(server.databaseFile).at(-1)?.sequence ?? 0;
  const origin = `http://localhost:${server.port}`;
  const credentials = new URLSearchParams({ email: viewer.email, password: viewer.password });
  const headers = { Origin: origin, 'X-Forwarded-For': '198.51.100.9' };
  const statuses: number[] = [];
  for (let n = 0; n < 34; n += 1) {
    const { status } = await fetch(`${origin}/account/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: credentials,
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array<number>(30).fill(303), ...Array<number>(4).fill(429)]);
  const outcomes = auditLines(server.databaseFile, before)
    .filter(({ action }) => action === 'account.sign_in')
    .map(({ outcome }) => outcome);
  expect(outcomes).toEqual([...Array<string>(30).fill('allowed'), 'refused']);
  expect((await server.stop()).code).toBe(0);
}, 180_000);

it('a killed server loses counts of repeated refusals, and no action', async () => {
  const server = await startServer({ env: { TRUST_PROXY: '1' } });
  const { clientId } = await givenApi(server);
  const owner = await newTeamMember(server, clientId);
  const { lines } = await linesOf(server.databaseFile, async () => {
    for (let n = 0; n < 50; n += 1) expect((await owner.get('/admin')).status).toBe(403);
    await owner.confirm();
    await server.kill();
  });
  const written = lines.filter(({ detail }) => detail.count === undefined);
  expect(written.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'page.request refused',
    'account.confirm_identity allowed',
  ]);
});
