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
const REASON = { declineReason: 'rights_of_others' };

const request = async () => given.countersign.subject.requestExport(await given.accessTo(id));

describe('a request for a copy', () => {
  it.each([
    ['an owner', CLARA, inDashboard],
    ['an operator', OLGA, inConsole],
  ] as const)(
    'a request for a copy is declined by %s with a reason, which the page of the verification shows',
    async (_, user, pathOf) => {
      await request();
      expect((await given.open(pathOf(), user)).text).toContain(`href="/kyc${pathOf()}/decline-copy"`);
      const page = await given.open(`${pathOf()}/decline-copy`, user);
      expect(page.words).toContain('The person sees this reason.');
      expect(page.words).toContain('can ask again after 7 days');
      expect(page.text.match(/type="radio"/g)).toHaveLength(5);

      const { headers } = await given.send(`${pathOf()}/decline-copy`, REASON, user);

      expect(headers.get('Location')).toBe(`/kyc${pathOf()}?done=copyDeclined`);
      const after = await given.open(`${pathOf()}?done=copyDeclined`, user);
      expect(after.words).toContain('The request for a copy is declined. The person sees the reason.');
      expect(after.words).toContain(
        'The request was declined on 15 Jan 2026, 12:00 UTC. Reason: The copy would affect the rights of other people.',
      );
      expect(after.words).toContain('The person can ask again from 22 Jan 2026, 12:00 UTC.');
      expect(after.words).toContain('Give the person a copy of their data');
      expect(after.text).not.toContain('decline-copy');
      expect((await given.open('/dashboard/settings')).words).toContain('0 requests are open.');
    },
  );

  it('needs a reason', async () => {
    await request();
    const { status, words, text } = await given.send(`${inDashboard()}/decline-copy`, {});
    expect(status).toBe(422);
    expect(words).toContain('Choose a reason');
    expect(text).toContain('href="#field-declineReason');
  });

  it('a released copy is declined together with its link, and can be downloaded when it is released again', async () => {
    await request();
    const { path, code } = releasedCopyIn(await given.send(`${inDashboard()}/data-copy`), BASE_URL);
    const page = await given.open(`${inDashboard()}/decline-copy`);
    expect(page.words).toContain('user_1 , Person (KYC)');
    expect(page.text).toContain('type="radio"');
    await given.send(`${inDashboard()}/decline-copy`, REASON);
    expect((await given.post(path, { code }, null)).status).toBe(404);
    expect((await given.open(inDashboard())).words).toContain('The link and the code no longer work.');

    const again = releasedCopyIn(await given.send(`${inDashboard()}/data-copy`), BASE_URL);
    expect((await given.post(again.path, { code: again.code }, null)).status).toBe(200);
    const { words } = await given.open(inDashboard());
    expect(words).not.toContain('was declined');
    expect(words).toContain('Downloaded once, on 15 Jan 2026');
  });

  it.each([
    ['without one', async () => undefined],
    ['of staff', () => given.send(`${inDashboard()}/data-copy`)],
    ['that is declined', async () => request().then(() => given.send(`${inDashboard()}/decline-copy`, REASON))],
  ])('%s: there is nothing to decline', async (_, prepare) => {
    await prepare();
    const nothing = 'The person has no open request for a copy. There is nothing to decline.';
    const page = await given.open(`${inDashboard()}/decline-copy`);
    expect(page.words).toContain(nothing);
    expect(page.text).not.toContain('type="radio"');
    const { status, words } = await given.send(`${inDashboard()}/decline-copy`, REASON);
    expect(status).toBe(409);
    expect(words).toContain(nothing);
    expect((await given.open(inDashboard())).text).not.toContain('decline-copy');
  });

  it.each([
    ['an agent', ANDY, inDashboard, 403],
    ['a viewer', VERA, inDashboard, 403],
    ['an owner of another client', FRED, inDashboard, 404],
    ['a reviewer', RITA, inConsole, 403],
  ] as const)('a request for a copy is not declined by %s', async (_, user, pathOf, status) => {
    await request();
    expect((await given.send(`${pathOf()}/decline-copy`, REASON, user)).status).toBe(status);
    expect((await given.open(`${pathOf()}/decline-copy`, user)).status).toBe(status);
  });
});
