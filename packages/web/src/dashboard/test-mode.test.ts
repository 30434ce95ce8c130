import { beforeEach, describe, expect, it } from 'vitest';
import { type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

/** The addresses of the dashboard to which a page links or posts. */
function addressesOn(text: string): readonly string[] {
  return [...text.matchAll(/(?:href|action)="(\/kyc\/dashboard[^"]*)"/g)].map(([, address = '']) => address);
}

const isTest = (address: string): boolean => /^\/kyc\/dashboard\/test(?:$|[/?])/.test(address);

describe('the dashboard in test mode', () => {
  it('says so above each page and in its title', async () => {
    for (const path of [
      '',
      '/keys',
      '/requests',
      '/webhooks',
      '/verifications',
      '/usage',
      '/return-addresses',
      '/settings',
    ]) {
      const test = await given.open(`/dashboard/test${path}`);
      expect(test.status, path).toBe(200);
      expect(test.words).toContain('Test mode Keys, verifications and webhooks here are separate from live mode');
      expect(test.text).toMatch(/<title>[^<]+ – Test mode – /);
      const live = await given.open(`/dashboard${path}`);
      expect(live.words).not.toContain('Test mode Keys');
      expect(live.text).not.toMatch(/<title>[^<]+ – Test mode – /);
    }
  });

  it('every link and form but the way back stays in test mode', async () => {
    for (const path of ['', '/keys', '/keys/new', '/requests', '/webhooks', '/webhooks/new', '/verifications']) {
      const { text } = await given.open(`/dashboard/test${path}`);
      const addresses = addressesOn(text.replace(/<section aria-labelledby="first-title"[\s\S]*?<\/section>/, ''));
      expect(addresses.length, path).toBeGreaterThan(5);
      const live = addresses.filter((address) => !isTest(address));
      expect(live, path).toEqual([
        `/kyc/dashboard${['/keys', '/requests', '/webhooks', '/verifications'].find((part) => path.startsWith(part)) ?? ''}`,
      ]);
    }
  });

  it('no link of live mode leads to test mode but the switch and the first steps', async () => {
    for (const path of ['/keys', '/webhooks', '/verifications', '/usage', '/team', '/retention']) {
      const { text } = await given.open(`/dashboard${path}`);
      const part = { '/team': '', '/retention': '/settings' }[path] ?? path;
      expect(addressesOn(text).filter(isTest), path).toEqual([`/kyc/dashboard/test${part}`]);
    }
  });

  it('its forms make what belongs to the twin', async () => {
    await given.send('/dashboard/test/keys/new', { name: 'For tests', permissions: '*' });
    const twin = await given.countersign.clients.testTwin(given.clientId);
    const namesOf = async (clientId: string) =>
      (await given.countersign.apiKeys.list(clientId)).map(({ name }) => name);
    expect(await namesOf(twin.id)).toEqual(['For tests']);
    expect(await namesOf(given.clientId)).not.toContain('For tests');
    expect((await given.open('/dashboard/test/keys')).words).toContain('For tests');
    expect((await given.open('/dashboard/keys')).words).not.toContain('For tests');
  });

  it('the dashboard in test mode has no pages of what the client and its twin share', async () => {
    for (const path of ['/team', '/team/invite', '/retention', '/retention/report', '/file-access']) {
      expect((await given.open(`/dashboard${path}`)).status, path).toBe(200);
      expect((await given.open(`/dashboard/test${path}`)).status, path).toBe(404);
    }
    const { words } = await given.open('/dashboard/test');
    expect(words).not.toMatch(/\bTeam\b|Retention|Subscription/);
    expect((await given.open('/dashboard/test/settings')).words).not.toMatch(/Retention|Subscription/);
    expect(words).toContain('metadata.sandboxOutcome');
  });

  it('offers the sandbox outcomes for a new verification, which live mode does not', async () => {
    expect((await given.open('/dashboard/test/verifications/new')).text).toContain('name="sandboxOutcome"');
    expect((await given.open('/dashboard/verifications/new')).text).not.toContain('name="sandboxOutcome"');
  });

  it('counts without a limit', async () => {
    const { words, text } = await given.open('/dashboard/test/usage');
    expect(words).toContain('0 verifications, no limit in test mode');
    expect(text).not.toContain('<meter');
  });

  it('returns to the page in test mode after a sign-in and after the password', async () => {
    const anonymous = await given.get('/dashboard/test/keys?a=b', null);
    expect(anonymous.headers.get('Location')).toBe(
      '/kyc/account/sign-in?returnTo=%2Fdashboard%2Ftest%2Fkeys%3Fa%3Db',
    );
  });

  it('refuses a viewer what it refuses them in live mode', async () => {
    expect((await given.open('/dashboard/test/keys', VERA)).status).toBe(403);
    expect((await given.open('/dashboard/test/usage', VERA)).status).toBe(200);
  });
});
