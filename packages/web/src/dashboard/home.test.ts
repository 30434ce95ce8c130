import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';
import { realDocument } from '../../test-support/docs-site.ts';

let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

describe('the home of the dashboard', () => {
  it('shows four numbers, and the newest verifications with a link to all', async () => {
    await given.pending();
    await given.submitted();
    const { words, text } = await given.open('/dashboard');
    expect(words).toContain('Acme Bank');
    expect(words).toMatch(/Created, 30 days 2 .*2 of 1,000 this month/);
    expect(words).toMatch(/To review 1 .*oldest waits 1 min/);
    expect(words).toMatch(/Approved, 30 days – .*none decided/);
    expect(words).toMatch(/Time to decision – .*median of 30 days/);
    const lines = text.matchAll(/<svg class="sparkline"[^>]*role="img"[^>]*><title>([^<]*)/g);
    expect([...lines].map(([, title]) => title)).toEqual([
      'Created on each of the last 30 days',
      'Verifications waiting at the end of each of the last 30 days',
      'Share approved on each of the last 30 days',
      'Median time to decision on each of the last 30 days',
    ]);
    expect(text).toContain('href="/kyc/dashboard/verifications?status=submitted"');
    expect(words).toContain('Recent verifications All 2');
    expect(words).not.toContain('Needs attention');
    expect(words).toContain('Get started 3 of 4 done');
    expect(text).not.toMatch(/<details [^>]*open/);
    expect(words).not.toContain('Other Bank');
  });

  it('the settings show the plan and the open requests for copies; a viewer sees the plan alone', async () => {
    const owner = await given.open('/dashboard/settings');
    for (const title of ['Appearance', 'Return addresses', 'Files', 'Retention', 'Data access requests']) {
      expect(owner.words).toContain(title);
    }
    expect(owner.words).toContain('Subscription Standard Active');
    const viewer = await given.open('/dashboard/settings', VERA);
    expect(viewer.text.match(/<section aria-labelledby="[^"]+" class="card"/g)).toHaveLength(1);
    expect(viewer.words).toContain('Subscription Standard Active');
  });

  it('lists what to do first as links, all open with a key that was handed out and never used', async () => {
    const { apiKeys } = given.countersign;
    const [used] = await apiKeys.list(given.clientId);
    await apiKeys.revoke(given.clientId, used?.id ?? '');
    expect((await given.open('/dashboard')).text).toContain('href="/kyc/dashboard/keys/new"');

    await apiKeys.issue(given.clientId, { permissions: ['*'] });
    const untouched = await given.open('/dashboard');
    expect(untouched.words).toContain('Get started 0 of 4 done');
    expect(untouched.text).toContain('<details class="fold" open');
    for (const path of ['test/keys/new', 'test/verifications/new', 'test/webhooks/new', 'verifications/new']) {
      expect(untouched.text).toContain(`href="/kyc/dashboard/${path}"`);
    }
  });

  it('marks a first step once it is done, in either mode', async () => {
    const twin = await given.countersign.clients.testTwin(given.clientId);
    const { value } = await given.countersign.apiKeys.issue(twin.id, { permissions: ['*'] }, CLARA);
    expect((await given.open('/dashboard')).words).toContain('Get started 1 of 4 done Create a key Done');

    const tester = await given.countersign.authenticate(value);
    const subject = { subjectType: 'kyc', subjectReference: 'tested' };
    await given.countersign.verifications.create(tester, subject);
    const tested = await given.open('/dashboard');
    expect(tested.words).toContain('Get started 2 of 4 done');
    expect(tested.words).not.toContain('Go live Done');
    expect(tested.text).not.toMatch(/<details [^>]*open/);
    expect((await given.open('/dashboard/test')).words).toContain('Get started 2 of 4 done');

    await given.pending();
    expect((await given.open('/dashboard')).words).toContain('Go live Done');

    await given.send('/dashboard/webhooks/new', {
      name: 'Shop',
      url: 'https://shop.example/hooks',
      types: 'verification.approved',
    });
    expect((await given.open('/dashboard')).words).not.toContain('Get started');
  });

  it('says that a subscription is missing', async () => {
    await given.countersign.clients.setSubscription(given.clientId, { status: 'canceled' });
    const { words } = await given.open('/dashboard');
    expect(words).toContain('Go live Create a verification in live mode');
    expect(words).toContain('You also need an active subscription');
  });

  it('shows each role the first steps that it may take', async () => {
    const agent = await given.open('/dashboard', ANDY);
    expect(agent.words).toContain('Get started 0 of 2 done');
    expect(agent.words).not.toContain('Create a key');
    expect(agent.text).toContain('href="/kyc/dashboard/test/verifications/new"');
    const viewer = await given.open('/dashboard', VERA);
    expect(viewer.words).toContain('Get started 0 of 2 done');
    expect(viewer.text).not.toContain('href="/kyc/dashboard/test/verifications/new"');
  });

  it('shows samples with the address of the installation, and links to guides, where the documentation is served', async () => {
    expect((await given.open('/dashboard')).text).not.toContain('/kyc/docs');
    const apiDocument = () => realDocument();
    const documented = await givenDashboard({ apiDocument });
    const { words, text } = await documented.open('/dashboard');
    expect(words).toContain('Samples in curl, TypeScript, Python and PHP');
    expect(words).toContain('export BASE=https://verify.example/kyc/api/v1 export KEY=csk_…');
    expect(words).toContain("curl_init(getenv('BASE')");
    expect(text).toContain('data-copy="first-request.python"');
    for (const path of ['', '/guides/webhooks', '/guides/test-mode']) {
      expect(text).toContain(`href="/kyc/docs${path}"`);
    }
  });

  it('links to the parts that the user may open, and marks the current one', async () => {
    const { text } = await given.open('/dashboard/usage', VERA);
    const [nav = ''] = /<nav class="shell-nav"[\s\S]*?<\/nav>/.exec(text) ?? [];
    expect([...nav.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path)).toEqual([
      '/kyc/dashboard/test/usage',
      '/kyc/dashboard',
      '/kyc/dashboard/verifications',
      '/kyc/dashboard/usage',
      '/kyc/dashboard/team',
      '/kyc/dashboard/settings',
      '/kyc/account/security',
    ]);
    expect(nav).toContain('href="/kyc/dashboard/usage" class="item" aria-current="page"');
    expect(nav).toContain('action="/kyc/account/sign-out"');
    expect(nav).toContain('Vera &lt;b&gt;Viewer&lt;/b&gt;');
  });

  it('marks Settings on the page of each setting, and leads back to it', async () => {
    const settings = await given.open('/dashboard/settings');
    const linked = [...settings.text.matchAll(/<a href="\/kyc(\/dashboard\/[^"]+)" class="button secondary"/g)];
    const pages = linked.map(([, path = '']) => path).filter((path) => path !== '/dashboard/usage');
    expect(pages.length).toBeGreaterThan(5);
    for (const page of [...pages, '/dashboard/face/logo', '/dashboard/retention/report']) {
      const { status, text } = await given.open(page);
      expect(status, page).toBe(200);
      const marked = [...text.matchAll(/<a href="([^"]+)" class="item" aria-current/g)].map(([, path]) => path);
      expect(marked, page).toEqual(['/kyc/dashboard/settings']);
      expect(text, page).toMatch(/<a href="\/kyc\/dashboard\/(settings|face|retention)" class="back-link"/);
    }
  });

  it('answers 404 for unknown addresses', async () => {
    for (const path of ['/dashboard/nothing', '/dashboard/keys/x/y/z', '/dashboard/team/x/nothing']) {
      expect((await given.open(path)).status).toBe(404);
    }
  });

  it('speaks German', async () => {
    const Cookie = `${given.accounts.signedIn(CLARA)}; language=de`;
    const { words } = await given.get('/dashboard', CLARA, { Cookie });
    expect(words).toContain('0 von 1.000 in diesem Monat');
    expect(words).toContain('Zeit bis zur Entscheidung');
  });
});
