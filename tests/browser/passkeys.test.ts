// Makes and uses passkeys in a browser, which alone has a virtual authenticator.
import {
  type BothLanguages,
  createReaders,
  inBothLanguages,
  type Readers,
} from '@countersign/test-support/browser/both-languages';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { follow } from '@countersign/test-support/browser/dashboard';
import { leaving } from '@countersign/test-support/browser/leaving';
import { setPassword, setUpSecondFactor, signIn, signOut } from '@countersign/test-support/browser/sign-in';
import { PASSWORD } from '@countersign/test-support/browser/staff';
import { auditLines } from '@countersign/test-support/installation/audit-lines';
import { describeWith } from '@countersign/test-support/servers';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

const NAME = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenausza';

describeWith(['chromium'], 'passkeys with a virtual authenticator', () => {
  let site: CountersignSite;
  let readers: Readers;

  beforeAll(async () => {
    site = await startSite({ SECOND_FACTOR: 'required' });
    readers = createReaders(site.origin);
  });

  const pathOf = (page: Page): string => page.url().replace(site.origin, '').replace(/\?.*/, '');
  const lines = (action: string) =>
    auditLines(site.server.databaseFile).filter((line) => line.action === `account.${action}`);

  /** Adds an authenticator that verifies its user, as a phone or laptop does. */
  async function addAuthenticator(page: Page) {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    return {
      verifyUser: (isUserVerified: boolean) =>
        cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    };
  }

  const usePasskey = (page: Page) =>
    leaving(page, () => page.getByRole('button', { name: 'Use a passkey' }).click());

  it('a reviewer adds one, signs in with it, uses it as second factor, and removes it', async () => {
    const { page, context } = await newVisitor(site.origin, { screen: 'desktop' });
    const authenticator = await addAuthenticator(page);
    const rita = await site.invite('reviewer');
    await page.goto(rita.signInUrl);
    await setPassword(page);
    expect(await page.locator('main').innerText()).toContain('After you have set up a second factor');
    await setUpSecondFactor(page);

    await follow(page, 'Manage passkeys');
    expect(pathOf(page)).toBe('/account/confirm');
    await page.getByLabel('Your password').fill(PASSWORD);
    await leaving(page, () => page.getByRole('button', { name: 'Confirm and continue' }).click());
    expect(pathOf(page)).toBe('/account/security/passkeys');
    expect(await page.locator('main').innerText()).toContain('You have no passkeys.');
    await leaving(page, () => page.getByRole('button', { name: 'Add a passkey' }).click());
    expect(await page.locator('main').innerText()).toContain('Enter a name');
    await page.getByLabel('Name').fill(NAME);
    await leaving(page, () => page.getByRole('button', { name: 'Add a passkey' }).click());
    expect(await page.locator('.notice.good').innerText()).toBe('The passkey is added.');
    expect(await page.locator('main').innerText()).toContain(NAME);
    expect(await page.locator('.facts').innerText()).toContain('Never');
    expect(lines('add_passkey').at(-1)).toMatchObject({ outcome: 'allowed' });

    // The device already has one for this account.
    await page.getByLabel('Name').fill('Again');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The browser did not create a passkey.').waitFor();
    await page.goto(`${site.origin}/account/security`);
    await signOut(page);

    // Sign-in without password and code.
    await context.clearCookies();
    await page.goto(`${site.origin}/review?sort=x`);
    await follow(page, 'Use a passkey');
    expect(pathOf(page)).toBe('/account/passkey');
    await usePasskey(page);
    expect(page.url()).toBe(`${site.origin}/review?sort=x`);
    expect(lines('sign_in').at(-1)).toMatchObject({
      outcome: 'allowed',
      detail: { passkey: true, withSecondFactor: true },
    });
    await page.goto(`${site.origin}/account/security`);
    await signOut(page);

    // In place of the code.
    await context.clearCookies();
    await page.goto(`${site.origin}/account/sign-in?returnTo=%2Freview`);
    await signIn(page, rita.email);
    expect(pathOf(page)).toBe('/account/second-factor');
    await follow(page, 'Use a passkey');
    expect(pathOf(page)).toBe('/account/second-factor/passkey');
    await lookAt(context, async (reader) => {
      await reader.look('/account/second-factor');
      await reader.look('/account/second-factor/passkey');
      await reader.post('/account/second-factor/passkey', { response: '{}' }, 422);
    });
    await usePasskey(page);
    expect(pathOf(page)).toBe('/review');

    await page.goto(`${site.origin}/account/security`);
    await signOut(page);
    await page.goto(`${site.origin}/account/passkey`);
    await authenticator.verifyUser(false);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The browser did not use a passkey.').waitFor();
    await authenticator.verifyUser(true);
    await usePasskey(page);

    await page.goto(`${site.origin}/account/confirm?returnTo=%2Faccount%2Fsecurity%2Fpasskeys`);
    await page.getByLabel('Your password').fill(PASSWORD);
    await leaving(page, () => page.getByRole('button', { name: 'Confirm and continue' }).click());
    expect(await page.locator('.facts').innerText()).not.toContain('Never');
    await lookAt(context, async (reader) => {
      await reader.look('/account/security');
      await reader.look('/account/security/passkeys');
      await reader.post('/account/security/passkeys', { name: '' }, 422);
      await reader.post('/account/security/passkeys', { name: 'Phone', response: '{}' }, 422);
      await reader.post('/account/security/passkeys/remove', { passkey: 'unknown' }, 422);
    });
    await leaving(page, () => page.getByRole('button', { name: 'Remove the passkey' }).click());
    expect(await page.locator('.notice.good').innerText()).toContain('The passkey is removed.');
    expect(lines('remove_passkey').at(-1)).toMatchObject({ outcome: 'allowed' });
    await page.goto(`${site.origin}/account/security`);
    await signOut(page);

    await page.goto(`${site.origin}/account/passkey`);
    await usePasskey(page);
    expect(await page.locator('main').innerText()).toContain('The passkey was not accepted.');
    expect(lines('sign_in').at(-1)).toMatchObject({
      outcome: 'refused',
      detail: { passkey: true, check: 'passkey', code: 'CREDENTIALS_REFUSED' },
    });
  });

  /** Checks pages in both languages, with the cookies of a browser. */
  async function lookAt(context: BrowserContext, look: (reader: BothLanguages) => Promise<void>): Promise<void> {
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const language of ['en', 'de'] as const) {
      const reader = inBothLanguages(site.origin, await readers.of(language));
      await reader.signInAs({ cookies: () => cookies });
      await look(reader);
      reader.expectNothingWrong();
    }
  }

  it('sign-in without JavaScript offers the password alone', async () => {
    const { page, context } = await newVisitor(site.origin, { screen: 'desktop' });
    await context.route('**/passkey*.js', (route) => route.abort());
    await page.goto(`${site.origin}/account/sign-in`);
    expect(await page.getByRole('link', { name: 'Use a passkey' }).count()).toBe(0);
    await page.goto(`${site.origin}/account/passkey`);
    expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  });
});
