import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

describe('the home of the dashboard', () => {
  it('shows the client, the plan, usage, keys and open verifications', async () => {
    await given.pending();
    await given.submitted();
    const { words, text } = await given.open('/dashboard');
    expect(words).toContain('Acme Bank');
    expect(words).toContain('Standard Active');
    expect(words).toContain('2 of 1,000 verifications');
    expect(words).toContain('1 active key, of 10 you can have');
    expect(words).toContain('With the subject 1 Waiting for a decision 1 Action needed from the subject 0');
    expect(words).toContain('All verifications 2');
    expect(text).toContain('href="/kyc/dashboard/verifications?status=submitted"');
    expect(words).not.toContain('What to do first');
    expect(words).not.toContain('sandbox');
    expect(words).not.toContain('Other Bank');
  });

  it('shows each role the first steps that it may take', async () => {
    const [key] = await given.countersign.apiKeys.list(given.clientId);
    await given.countersign.apiKeys.revoke(given.clientId, key?.id ?? '');
    const owner = await given.open('/dashboard');
    expect(owner.words).toContain('What to do first Create a key');
    expect(owner.text).toContain('href="/kyc/dashboard/verifications/new"');
    const agent = await given.open('/dashboard', ANDY);
    expect(agent.words).not.toContain('Create a key');
    expect(agent.text).toContain('href="/kyc/dashboard/verifications/new"');
    const viewer = await given.open('/dashboard', VERA);
    expect(viewer.words).toContain('What to do first');
    expect(viewer.text).not.toContain('href="/kyc/dashboard/verifications/new"');
  });

  it('says that a client is a sandbox', async () => {
    await given.ports.storage.clients.setSandbox(given.clientId, true);
    const { words } = await given.open('/dashboard');
    expect(words).toContain('This client is a sandbox');
    expect(words).toContain('metadata.sandboxOutcome');
  });

  it('links to the parts that the user may open, and marks the current one', async () => {
    const { text } = await given.open('/dashboard/usage', VERA);
    const [nav = ''] = /<nav class="staff-nav"[\s\S]*?<\/nav>/.exec(text) ?? [];
    expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)).toEqual([
      '/kyc/dashboard',
      '/kyc/dashboard/verifications',
      '/kyc/dashboard/usage',
      '/kyc/dashboard/team',
      '/kyc/account/security',
    ]);
    expect(nav).toContain('href="/kyc/dashboard/usage" aria-current="page"');
    expect(nav).toContain('action="/kyc/account/sign-out"');
    expect(nav).toContain('Vera &lt;b&gt;Viewer&lt;/b&gt;');
  });

  it('answers 404 for unknown addresses', async () => {
    for (const path of ['/dashboard/nothing', '/dashboard/keys/x/y/z', '/dashboard/team/x/nothing']) {
      expect((await given.open(path)).status).toBe(404);
    }
  });

  it('speaks German', async () => {
    const Cookie = `${given.accounts.signedIn(CLARA)}; language=de`;
    const { words } = await given.get('/dashboard', CLARA, { Cookie });
    expect(words).toContain('1 aktiver Schlüssel von 10 möglichen');
    expect(words).toContain('Wartet auf Entscheidung');
  });
});
