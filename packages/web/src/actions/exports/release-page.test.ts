import { beforeEach, describe, expect, it } from 'vitest';
import { BASE_URL } from '../../../test-support/cases.ts';
import { CLARA, OLGA, RITA } from '../../../test-support/console.ts';
import { ANDY, FRED, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';
import { releasedCopyIn } from '../../../test-support/released-copy.ts';

let given: GivenDashboard;
let id: string;

beforeEach(async () => {
  given = await givenDashboard();
  id = await given.submitted();
});

const inDashboard = () => `/dashboard/verifications/${id}`;
const inConsole = () => `/review/${id}`;

const request = async () => given.countersign.subject.requestExport(await given.accessTo(id));

describe('the release of a copy', () => {
  it.each([
    ['an owner', CLARA, inDashboard],
    ['an operator', OLGA, inConsole],
  ] as const)('shows %s link and code once, and how to hand them over', async (_name, user, pathOf) => {
    const page = await given.open(`${pathOf()}/data-copy`, user);
    expect(page.words).toContain('Release a copy of the data for the person');
    expect(page.words).toContain('that work for 24 hours');
    expect(page.text).not.toContain('name="formId"');

    const shown = await given.send(`${pathOf()}/data-copy`, {}, user);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('Cache-Control')).toBe('no-store');
    const { path, code } = releasedCopyIn(shown, BASE_URL);
    expect(path).toMatch(/^\/export\/[^.]+\.[\w-]+$/);
    expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
    expect(shown.text).toContain('data-copy="export-link"');
    expect(shown.text).toContain('data-copy="export-code"');
    expect(shown.words).toContain('Give them the code in a different way');
    expect(shown.words).toContain('Both work for up to 5 downloads, until 16 Jan 2026, 12:00 UTC');
    expect(shown.words).not.toContain('without changes');

    const after = await given.open(pathOf(), user);
    expect(after.words).toContain(
      'Released on 15 Jan 2026, 12:00 UTC. The link and the code work until 16 Jan 2026',
    );
    for (const secret of [code, path]) expect(after.text).not.toContain(secret);
  });

  it('warns of data of directors and owners in the copy of a business', async () => {
    const business = await given.submitted({ type: 'kyb' });
    const warning = 'data of directors and owners';
    for (const [verificationId, isBusiness] of [
      [business, true],
      [id, false],
    ] as const) {
      const page = await given.open(`/dashboard/verifications/${verificationId}/data-copy`);
      expect(page.words.includes(warning), verificationId).toBe(isBusiness);
    }
  });

  it('asks for the password first', async () => {
    const { headers } = await given.get(`${inDashboard()}/data-copy`, CLARA);
    expect(headers.get('Location')).toContain('/account/confirm');
    const posted = await given.post(`${inDashboard()}/data-copy`, {}, CLARA);
    expect(posted.headers.get('Location')).toContain('/account/confirm');
  });

  it.each([
    ['an agent', ANDY, inDashboard, 403],
    ['a viewer', VERA, inDashboard, 403],
    ['an owner of another client', FRED, inDashboard, 404],
    ['a reviewer', RITA, inConsole, 403],
  ] as const)('is refused for %s, whose pages do not mention it', async (_name, user, pathOf, status) => {
    expect((await given.send(`${pathOf()}/data-copy`, {}, user)).status).toBe(status);
    expect((await given.open(`${pathOf()}/data-copy`, user)).status).toBe(status);
    const page = await given.open(pathOf(), user);
    if (status === 403) expect(page.words).not.toContain('Copy for the person');
  });

  it('ends the link and the code of the release before', async () => {
    const [first, second] = [
      releasedCopyIn(await given.send(`${inDashboard()}/data-copy`), BASE_URL),
      releasedCopyIn(await given.send(`${inConsole()}/data-copy`, {}, OLGA), BASE_URL),
    ];
    expect((await given.post(first.path, { code: first.code }, null)).status).toBe(404);
    expect((await given.post(second.path, { code: first.code }, null)).status).toBe(422);
    expect((await given.post(second.path, { code: second.code }, null)).status).toBe(200);
    expect((await given.open(inDashboard())).words).toContain('Downloaded once, on 15 Jan 2026');
  });

  it('is refused once the data is erased', async () => {
    await given.countersign.verifications.eraseData(given.principal, await given.pending(), { withdraw: true });
    const erased = await given.pending();
    await given.countersign.verifications.eraseData(given.principal, erased, { withdraw: true });
    const page = await given.open(`/dashboard/verifications/${erased}/data-copy`);
    expect(page.words).toContain('There is nothing left to copy.');
    const { status, words } = await given.send(`/dashboard/verifications/${erased}/data-copy`);
    expect(status).toBe(409);
    expect(words).toContain('There is nothing left to copy.');
    expect((await given.open(`/dashboard/verifications/${erased}`)).words).not.toContain('Copy for the person');
  });
});

describe('requests of subjects', () => {
  it('show on the page of the verification, on the home page and in both lists until they are released', async () => {
    expect((await given.open('/dashboard/settings')).words).toContain('0 requests are open.');
    expect((await given.open('/dashboard/data-copies')).words).toContain('There are no open requests.');
    await request();
    expect((await given.open(inDashboard())).words).toContain(
      'The person asked for a copy of their data on 15 Jan 2026, 12:00 UTC. Release the copy',
    );
    expect((await given.open('/dashboard/settings')).words).toContain('1 request is open.');
    expect((await given.open('/dashboard/data-copies')).text).toContain(`href="/kyc${inDashboard()}"`);
    const ofOperator = await given.open('/admin/data-copies', OLGA);
    expect(ofOperator.text).toContain(`href="/kyc${inConsole()}"`);
    expect(ofOperator.words).toContain('Acme Bank');
    expect((await given.open('/dashboard/data-copies', FRED)).text).not.toContain(id);

    await given.send(`${inDashboard()}/data-copy`);
    expect((await given.open('/dashboard/settings')).words).toContain('0 requests are open.');
    expect((await given.open('/admin/data-copies', OLGA)).words).toContain('There are no open requests.');
  });

  it('are not listed for an agent, whose home page has no card for them', async () => {
    expect((await given.open('/dashboard/data-copies', ANDY)).status).toBe(403);
    expect((await given.open('/dashboard', ANDY)).words).not.toContain('Copies of data');
  });
});
