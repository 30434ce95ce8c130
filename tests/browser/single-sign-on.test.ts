// Signs in at a real identity provider through redirects that a browser follows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BothLanguages,
  createReaders,
  inBothLanguages,
  type Readers,
} from '@countersign/test-support/browser/both-languages';
import { newVisitor, type Visitor } from '@countersign/test-support/browser/browser';
import { startSite } from '@countersign/test-support/browser/countersign-site';
import { follow } from '@countersign/test-support/browser/dashboard';
import { leaving } from '@countersign/test-support/browser/leaving';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import {
  enterCode,
  setPassword,
  signIn,
  signOut,
  turnOnSecondFactor,
} from '@countersign/test-support/browser/sign-in';
import { PASSWORD } from '@countersign/test-support/browser/staff';
import { auditLines } from '@countersign/test-support/installation/audit-lines';
import { newUser } from '@countersign/test-support/pages/new-user';
import { countersign } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { describeWith } from '@countersign/test-support/servers';
import {
  PROVIDER_CLIENT,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@countersign/test-support/servers/identity-provider';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const REVIEWERS = 'kyc-reviewers';
const OPERATORS = 'kyc-operators';
const TEAM = 'acme-agents';
const INVITED = 'bob@example.org';

describeWith(['chromium'], 'single sign-on with a real provider', () => {
  let provider: TestIdentityProvider;
  let server: ServerProcess;
  let origin: string;
  let clientId: string;
  let visitor: Visitor;
  let readers: Readers;

  beforeAll(async () => {
    provider = await startIdentityProvider(() => [`${origin}/account/sso/acme/callback`]);
    const site = await startSite();
    clientId = site.clientId;
    await site.server.stop();
    const { dataDir } = site.server;
    const file = join(dataDir, 'providers.json');
    writeFileSync(
      file,
      JSON.stringify({
        providers: [
          {
            id: 'acme',
            name: 'Acme Login',
            issuer: provider.issuer,
            ...PROVIDER_CLIENT,
            users: 'provisioned',
            trustEmail: true,
            roles: [
              { claim: 'groups', value: REVIEWERS, role: 'reviewer' },
              { claim: 'groups', value: OPERATORS, role: 'operator' },
              { claim: 'groups', value: TEAM, role: 'client', clientId, teamRole: 'agent' },
            ],
            secondFactor: { acr: ['mfa'], amr: ['hwk'] },
          },
          {
            id: 'gone',
            name: 'Gone Login',
            issuer: `http://localhost:${await freePort()}`,
            clientId: 'countersign',
          },
        ],
        passwordsOff: ['reviewer', 'operator'],
      }),
    );
    server = await startServer({ dataDir, env: { SSO_PROVIDERS_FILE: file, SECOND_FACTOR: 'required' } });
    origin = `http://localhost:${server.port}`;
    readers = createReaders(origin);
  });

  afterAll(() => provider.close());

  beforeEach(async () => {
    visitor = await newVisitor(origin, { screen: 'desktop' });
  });

  const pathOf = (page: Page): string => page.url().replace(origin, '').replace(/\?.*/, '');
  const lines = (action: string) => auditLines(server.databaseFile).filter((line) => line.action === action);

  /** Checks pages in both languages, with the cookies of a browser. */
  async function lookAt(context: BrowserContext, look: (reader: BothLanguages) => Promise<void>): Promise<void> {
    const cookies = (await context.cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const language of ['en', 'de'] as const) {
      const reader = inBothLanguages(origin, await readers.of(language));
      await reader.signInAs({ cookies: () => cookies });
      await look(reader);
      reader.expectNothingWrong();
    }
  }

  /** Answers the provider's page, if it has no session of this browser. */
  async function enterLogin(page: Page, login: string): Promise<void> {
    await page.getByLabel('Login').fill(login);
    await leaving(page, () => page.getByRole('button', { name: 'Continue' }).click());
  }

  async function signInAs(page: Page, login: string, path = '/account'): Promise<void> {
    await page.goto(`${origin}/account/sign-in?returnTo=${encodeURIComponent(path)}`);
    await follow(page, 'Sign in with Acme Login');
    await enterLogin(page, login);
  }

  it('a new reviewer with a trusted second factor enters the page that they asked for', async () => {
    provider.set('rita', {
      email: 'rita@example.org',
      name: 'Rita',
      groups: ['x', REVIEWERS],
      amr: ['pwd', 'hwk'],
    });
    const { page } = visitor;
    await page.goto(`${origin}/review?sort=x`);
    await follow(page, 'Sign in with Acme Login');
    await enterLogin(page, 'rita');
    expect(page.url()).toBe(`${origin}/review?sort=x`);
    expect(await page.locator('.user-menu').innerText()).toContain('Rita');
    expect(lines('account.provision').at(-1)).toMatchObject({ detail: { of: expect.any(Number) as number } });
    expect(lines('account.sign_in').at(-1)).toMatchObject({
      outcome: 'allowed',
      detail: { withSecondFactor: true, provider: 'acme' },
    });
    await signOut(page);
    expect(pathOf(page)).toBe('/account/sign-in');
  });

  it('an operator whose second factor is not trusted sets one up without a password, and is asked for it', async () => {
    provider.set('olga', { email: 'olga@example.org', groups: [OPERATORS], amr: ['pwd'] });
    const { page } = visitor;
    await signInAs(page, 'olga', '/admin');
    expect(pathOf(page)).toBe('/account/confirm');
    expect(await page.getByLabel('Your password').count()).toBe(0);
    await follow(page, 'Confirm with Acme Login');
    await enterLogin(page, 'olga');
    expect(pathOf(page)).toBe('/account/security');
    expect(lines('account.confirm_identity').at(-1)).toMatchObject({
      outcome: 'allowed',
      detail: { provider: 'acme' },
    });
    const factor = await turnOnSecondFactor(page);
    await page.goto(`${origin}/admin`);
    expect(pathOf(page)).toBe('/admin');
    await signOut(page);

    await visitor.context.clearCookies();
    await signInAs(page, 'olga', '/admin');
    expect(pathOf(page)).toBe('/account/second-factor');
    await enterCode(page, factor.code());
    expect(pathOf(page)).toBe('/admin');
  });

  it('the provider cannot confirm the identity of another user', async () => {
    provider.set('eve', { email: 'eve@example.org', groups: [REVIEWERS], acr: 'mfa' });
    provider.set('una', { email: 'una@example.org', groups: [OPERATORS], acr: 'mfa' });
    const other = await newVisitor(origin, { screen: 'desktop' });
    await signInAs(other.page, 'eve');
    const { page } = visitor;
    await signInAs(page, 'una', '/admin');
    expect(pathOf(page)).toBe('/admin');
    await page.goto(`${origin}/account/confirm`);
    await follow(page, 'Confirm with Acme Login');
    await enterLogin(page, 'eve');
    expect(await page.locator('h1').innerText()).toBe('Your identity is not confirmed');
    expect(lines('account.confirm_identity').at(-1)).toMatchObject({ outcome: 'refused' });
    await page.goto(`${origin}/admin/users/new`);
    expect(pathOf(page)).toBe('/account/confirm');
  });

  it('a user of a team loses every session and comes back as the groups of the provider say', async () => {
    provider.set('tom', { email: 'tom@example.org', groups: [TEAM] });
    const { page } = visitor;
    await signInAs(page, 'tom', '/dashboard');
    expect(pathOf(page)).toBe('/dashboard');

    provider.set('tom', { email: 'tom@example.org', groups: [] });
    const later = await newVisitor(origin, { screen: 'desktop' });
    await signInAs(later.page, 'tom', '/dashboard');
    expect(await wordsOf(later.page)).toContain('Your account at Acme Login gives you no access to this service');
    expect(lines('account.withdraw_access')).toHaveLength(1);
    await page.goto(`${origin}/dashboard`);
    expect(pathOf(page)).toBe('/account/sign-in');

    provider.set('tom', { email: 'tom@example.org', groups: [TEAM] });
    await visitor.context.clearCookies();
    await signInAs(page, 'tom', '/dashboard');
    expect(pathOf(page)).toBe('/dashboard');
    // A group of another kind of user gives no access.
    provider.set('tom', { email: 'tom@example.org', groups: [OPERATORS] });
    await visitor.context.clearCookies();
    await signInAs(page, 'tom', '/admin');
    expect(await wordsOf(page)).toContain('no access in your current role');
  });

  it('an invited user joins by their link at the provider, once, and an unverified address connects no one', async () => {
    const { id, path } = await newUser(server, {
      email: INVITED,
      name: 'Bob',
      role: 'client',
      clientId,
      teamRole: 'agent',
    });
    const { page } = visitor;
    provider.set('mallory', { email: INVITED, emailVerified: false, groups: [TEAM] });
    await signInAs(page, 'mallory');
    expect(await wordsOf(page)).toContain('is not connected to a user here');

    provider.set('bob', { email: 'robert@elsewhere.example', groups: [TEAM] });
    await visitor.context.clearCookies();
    await page.goto(origin + path);
    expect(await page.locator('h1').innerText()).toBe('Welcome, Bob');
    await follow(page, 'Continue with Acme Login');
    await enterLogin(page, 'bob');
    expect(pathOf(page)).toBe('/dashboard');
    expect(lines('account.join').at(-1)).toMatchObject({ outcome: 'allowed', targetId: id });
    expect((await page.goto(origin + path))?.status()).toBe(410);
  });

  it('a user with a password connects and disconnects a provider, and keeps one way to sign in', async () => {
    const { page } = visitor;
    const email = 'vera@example.org';
    const { path } = await newUser(server, { email, name: 'Vera', role: 'client', clientId, teamRole: 'agent' });
    await page.goto(origin + path);
    await setPassword(page);
    provider.set('vera', { email: 'v@elsewhere.example', groups: [TEAM] });

    await page.goto(`${origin}/account/security`);
    await follow(page, 'Manage identity providers');
    expect(pathOf(page)).toBe('/account/confirm');
    await page.getByLabel('Your password').fill(PASSWORD);
    await leaving(page, () => page.getByRole('button', { name: 'Confirm and continue' }).click());
    expect(pathOf(page)).toBe('/account/security/providers');
    await follow(page, 'Connect Acme Login');
    await enterLogin(page, 'vera');
    expect(pathOf(page)).toBe('/account/security/providers');
    expect(await wordsOf(page)).toContain('The identity provider is connected');
    expect(lines('account.connect_provider').at(-1)).toMatchObject({
      outcome: 'allowed',
      actor: expect.stringMatching(/^team_member /) as string,
      detail: { provider: 'acme' },
    });

    await lookAt(visitor.context, async (reader) => {
      await reader.look('/account/security');
      await reader.look('/account/security/providers?done=connected');
      await reader.post('/account/security/providers/disconnect', { provider: 'gone' }, 422);
    });

    await page.goto(`${origin}/account/security/providers/disconnect`);
    await leaving(page, () => page.getByRole('button', { name: 'Disconnect Acme Login' }).click());
    expect(pathOf(page)).toBe('/account/sign-in');
    expect(await wordsOf(page)).toContain('The identity provider is disconnected');
    await signIn(page, email);
    expect(pathOf(page)).toBe('/dashboard');
  });

  it('a user without a password cannot disconnect the only provider, and connects no account of another user', async () => {
    provider.set('walt', { email: 'walt@example.org', groups: [TEAM] });
    provider.set('nora', { email: 'nora@example.org', groups: [TEAM] });
    const other = await newVisitor(origin, { screen: 'desktop' });
    await signInAs(other.page, 'nora');
    const { page } = visitor;
    await signInAs(page, 'walt', '/account/security/providers');
    await follow(page, 'Confirm with Acme Login');
    await enterLogin(page, 'walt');
    expect(pathOf(page)).toBe('/account/security/providers');
    await lookAt(visitor.context, async (reader) => {
      await reader.look('/account/security/providers');
      await reader.post('/account/security/providers/disconnect', { provider: 'acme' }, 422);
    });
    await leaving(page, () => page.getByRole('button', { name: 'Disconnect Acme Login' }).click());
    expect(await wordsOf(page)).toContain('This is your only way to sign in');
    expect(lines('account.disconnect_provider').at(-1)).toMatchObject({
      outcome: 'refused',
      detail: { code: 'LAST_WAY_TO_SIGN_IN' },
    });

    await page.goto(`${origin}/account/sso/acme?connect=1`);
    await enterLogin(page, 'nora');
    expect(await page.locator('h1').innerText()).toBe('The identity provider is not connected');
    expect(await wordsOf(page)).toContain('is connected to another user here');
    await follow(page, 'Back to identity providers');
    expect(pathOf(page)).toBe('/account/security/providers');
  });

  it('a role without passwords cannot use one, until the command line allows it for a day', async () => {
    const { page } = visitor;
    const { path } = await newUser(server, { email: 'opal@example.org', name: 'Opal', role: 'operator' });
    await page.goto(origin + path);
    expect(await page.getByLabel('New password').count()).toBe(0);
    const link = await countersign<{ signInUrl: string }>(
      ['user', 'allow-password', '--email', 'opal@example.org'],
      { ...server.env, PUBLIC_BASE_URL: origin },
    );
    await page.goto(link.signInUrl);
    await setPassword(page);
    expect(pathOf(page)).toBe('/account/security');
    await signOut(page);
    await signIn(page, 'opal@example.org');
    expect(pathOf(page)).toBe('/account/security');
  });

  it('a provider that is down has a clear page, and the rest works', async () => {
    // The short run looks at the German pages; the visitors above read the English ones.
    const reader = inBothLanguages(origin, await readers.of('de'));
    await reader.look('/account/sign-in');
    await reader.look('/account/sso/acme/callback?state=x', 403);
    await reader.look('/account/sso/unknown', 404);
    await reader.look('/account/sso/gone', 503);
    expect(await (await fetch(`${origin}/account/sso/gone`)).text()).toContain('Gone Login does not answer');
    reader.expectNothingWrong();
  });
});
