// Joins, signs in and sets up a second factor in several browsers.
import { newVisitor, type Outfit } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import {
  enterCode,
  setPassword,
  setUpSecondFactor,
  signIn,
  signOut,
} from '@countersign/test-support/browser/sign-in';
import { givenStaff, PASSWORD } from '@countersign/test-support/browser/staff';
import { extent } from '@countersign/test-support/installation/extent';
import { countersign } from '@countersign/test-support/processes/command-line';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pressCopy } from './every-page/copying.ts';

const IS_FULL = extent({ full: 1, short: 0 }) === 1;
const UNKNOWN_ID = '01a1fea2-ac55-7638-99ba-42b2e9dc3600';

describeWith(['chromium'], 'a member of staff', () => {
  let site: CountersignSite;
  let visitors = 0;

  beforeAll(async () => {
    site = await startSite({ SECOND_FACTOR: 'required', TRUST_PROXY: '1' });
  });

  /** Gives each visitor a separate IP address, because the server counts attempts by address. */
  const ownAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++visitors}` });

  async function visit(path: string, outfit: Outfit = {}) {
    const visitor = await newVisitor(site.origin, { screen: 'desktop', ...outfit });
    await visitor.context.setExtraHTTPHeaders(ownAddress());
    await visitor.page.goto(path.startsWith('/') ? site.origin + path : path);
    return visitor;
  }

  /** Expects the titles of all these pages to begin at the same left edge, beside the menu. */
  async function expectSameEdge(page: Page, paths: readonly string[]): Promise<void> {
    await page.setViewportSize({ width: 1_280, height: 800 });
    const edges = new Set<number | undefined>();
    for (const path of paths) {
      await page.goto(site.origin + path);
      expect(pathOf(page)).toBe(path);
      edges.add((await page.getByRole('heading', { level: 1 }).boundingBox())?.x);
    }
    expect(edges.size).toBe(1);
    const menu = await page.locator('header.shell').boundingBox();
    expect([...edges][0]).toBeGreaterThan(menu?.width ?? Number.POSITIVE_INFINITY);
  }

  const pathOf = (page: Page) => page.url().slice(site.origin.length);

  describe.concurrent('at sign-in', () => {
    it('sets a password with a link that works once', async () => {
      const [name, email] = ['Zoë Ødegård', 'zoe@example.org'];
      const { signInUrl } = await countersign<{ signInUrl: string }>(
        ['user', 'create', '--email', email, '--name', name, '--role', 'client', '--client', site.clientId],
        { ...site.server.env, PORT: String(site.server.port) },
      );
      // Mail scanners open links too: opening does not use up the link.
      for (let times = 0; times < 2; times++) expect((await fetch(signInUrl)).status).toBe(200);
      const { page, complaints } = await visit(signInUrl);
      expect(await page.locator('h1').innerText()).toBe(`Welcome, ${name}`);

      await setPassword(page, 'short');
      expect(await wordsOf(page)).toContain('at least 12 characters');
      await setPassword(page, 'Schmetterling1');
      expect(await wordsOf(page)).toContain('This password is too common');
      await setPassword(page, PASSWORD, `${PASSWORD}!`);
      expect(await wordsOf(page)).toContain('The two passwords do not match');
      await setPassword(page);
      expect(pathOf(page)).toBe('/dashboard');
      await page.goto(`${site.origin}/account/security`);
      expect(await wordsOf(page)).toContain(`Signed in as ${name}, ${email}`);

      const again = await page.goto(signInUrl);
      expect(again?.status()).toBe(410);
      expect(await page.locator('h1').innerText()).toBe('This link no longer works');
      const other = await visit('/account/sign-in');
      await signIn(other.page, email);
      expect(pathOf(other.page)).toBe('/dashboard');
      complaints.expectNone();
      other.complaints.expectNone();
    });

    /** Sends wrong passwords for an account, each from the next of these networks. */
    async function sendWrongPasswords(email: string, networks: readonly Record<string, string>[], count: number) {
      const statuses: number[] = [];
      for (let n = 0; n < count; n += networks.length) {
        const batch = networks.slice(0, count - n).map(async (network) => {
          const body = new URLSearchParams({ email, password: 'not the password at all' });
          const headers = { Origin: site.origin, ...network };
          return (await fetch(`${site.origin}/account/sign-in`, { method: 'POST', body, headers })).status;
        });
        statuses.push(...(await Promise.all(batch)));
      }
      return statuses;
    }

    // The short run sends ten wrong passwords from the network of the device; the full one, fifty from ten other networks.
    it('is not locked out by strangers on a device that signed in before', async () => {
      const { email } = await givenStaff(site, 'client');
      const { page, context, complaints } = await visit('/account/sign-in');
      const network = ownAddress();
      await context.setExtraHTTPHeaders(network);
      await signIn(page, email);
      expect(pathOf(page)).toBe('/dashboard');
      await signOut(page);
      const strangers = IS_FULL ? Array.from({ length: 10 }, ownAddress) : [network];
      const wrong = await sendWrongPasswords(email, strangers, IS_FULL ? 50 : 10);
      expect(new Set(wrong)).toEqual(new Set([422]));
      expect(await sendWrongPasswords(email, [IS_FULL ? ownAddress() : network], 1)).toEqual([429]);

      await page.goto(`${site.origin}/account/sign-in`);
      await signIn(page, email);
      expect(pathOf(page)).toBe('/dashboard');
      complaints.expectNone();
    });
  });

  it('as a reviewer, must set up a second factor before seeing a case and enters it at each sign-in', async () => {
    const { email, signInUrl } = await site.invite('reviewer');
    // These pages work without JavaScript.
    const { page, complaints } = await visit(signInUrl, { javaScript: false });
    await setPassword(page);
    for (const path of ['/review', '/review/keys', `/review/${UNKNOWN_ID}`]) {
      await page.goto(site.origin + path);
      expect(pathOf(page)).toBe('/account/security?needed=1');
    }
    expect(await wordsOf(page)).toContain('Your role requires a second factor.');
    const { code, backupCodes } = await setUpSecondFactor(page);
    for (const backup of backupCodes) expect(backup).not.toMatch(/[01oil]/i);
    expect(await wordsOf(page)).toContain('The second factor is on.');
    await page.getByRole('link', { name: 'Cases' }).click();
    await page.getByRole('heading', { name: 'Cases' }).waitFor();
    await expectSameEdge(page, ['/review', '/review/keys', '/account/security']);

    const signInAgain = async () => {
      await signOut(page);
      await page.goto(`${site.origin}/review?type=kyb`);
      await signIn(page, email);
      expect(pathOf(page)).toBe(`/account/second-factor?returnTo=${encodeURIComponent('/review?type=kyb')}`);
    };
    await signInAgain();
    const half = await page.context().newPage();
    await half.goto(`${site.origin}/review`);
    expect(pathOf(half)).toMatch(/^\/account\/sign-in/);
    const used = code();
    await enterCode(page, used);
    expect(pathOf(page)).toBe('/review?type=kyb');

    await signInAgain();
    await enterCode(page, used);
    expect(await wordsOf(page)).toContain('The code is wrong.');
    const [backupCode = ''] = backupCodes;
    await enterCode(page, backupCode);
    expect(pathOf(page)).toBe('/review?type=kyb');

    await signInAgain();
    await enterCode(page, backupCode);
    expect(await wordsOf(page)).toContain('The code is wrong.');
    complaints.expectNone();
  });

  it('copies and prints the backup codes, without the secret of the device', async () => {
    const { page, context, complaints } = await visit('/account/sign-in');
    await signIn(page, (await givenStaff(site, 'client')).email);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
    await page.goto(`${site.origin}/account/security`);
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    const codes = await page.locator('.backup-codes code').allInnerTexts();
    expect(codes).toHaveLength(10);
    await pressCopy(page);
    expect(await wordsOf(page)).toContain('Copied');
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    expect(copied.split(/\s+/)).toEqual(codes);

    const secret = await page.locator('code.secret').innerText();
    await page.evaluate('window.print = () => { document.title = "printed"; }');
    await page.getByRole('button', { name: 'Print the backup codes' }).click();
    expect(await page.title()).toBe('printed');
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('body').innerText();
    for (const code of codes) expect(printed).toContain(code);
    expect(printed).not.toContain(secret);
    expect(await page.locator('svg.qr-code').isVisible()).toBe(false);
    complaints.expectNone();
  });
});
