// Opens the documentation in a browser, which sends its requests and folds its reference.
import { createApiClient, dataOf } from '@countersign/test-support/api/api-client';
import { bringChecks, outlineOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Outfit, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { describeWith } from '@countersign/test-support/servers';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

const REFERENCE = '/docs/reference';
const CREATE = `${REFERENCE}/createVerification`;
const LIST = `${REFERENCE}/listVerifications`;

describeWith(['chromium'], 'a developer', () => {
  let site: CountersignSite;
  let key: string;

  beforeAll(async () => {
    site = await startSite();
    ({ key } = await givenClientOf(site.server));
  });

  async function visit(path: string, outfit: Outfit = { screen: 'desktop' }): Promise<Visitor> {
    const visitor = await newVisitor(site.origin, outfit);
    await bringChecks(visitor.page);
    await visitor.page.goto(site.origin + path);
    return visitor;
  }

  /** The form of the page of an operation. */
  const formOf = (page: Page): Locator => page.locator('.try-it');

  /** Sends a form and returns what it shows. */
  async function send(form: Locator): Promise<string> {
    await form.getByRole('button', { name: 'Send the request' }).click();
    await form.locator('form:not([aria-busy])').waitFor();
    return form.getByRole('status').innerText();
  }

  const bodyOf = async (form: Locator): Promise<unknown> =>
    JSON.parse(await form.locator('.try-response pre').innerText()) as unknown;

  /** The browser logs each refused request; everything else is a fault. */
  function expectNoFaults({ complaints }: Visitor): void {
    const isRefusal = (complaint: string) =>
      /Failed to load resource: (?:the server responded with a status of 4|net::ERR_INTERNET_DISCONNECTED)/.test(
        complaint,
      );
    expect(complaints.all().filter((complaint) => !isRefusal(complaint))).toEqual([]);
  }

  describe.concurrent('on the reference', () => {
    it('creates a verification and reads it, and the key stays in the fields of the page', async () => {
      const visitor = await visit(CREATE);
      const { page, context } = visitor;
      const urls: string[] = [];
      context.on('request', (request) => urls.push(request.url()));

      const create = formOf(page);
      await create.getByLabel('API key').fill(key);
      await create.locator('select[data-fills]').selectOption({ label: 'A business, with metadata' });
      expect(await send(create)).toMatch(/^201 Created after \d+ ms\.$/);
      expect(await create.locator('.try-headers').innerText()).toMatch(/X-Request-Id[\s\S]*X-RateLimit-Limit/);
      const { data } = (await bodyOf(create)) as { data: { id: string } };

      await create.getByRole('link', { name: 'Gets a verification' }).click();
      await page.waitForURL(`**${REFERENCE}/getVerification?id=${data.id}`);
      const get = formOf(page);
      expect(await get.getByLabel('id', { exact: true }).inputValue()).toBe(data.id);
      expect(await get.getByLabel('API key').inputValue()).toBe('');
      await get.getByLabel('API key').fill(key);
      expect(await send(get)).toMatch(/^200 OK after \d+ ms\.$/);
      const { body } = await createApiClient(site.server.baseUrl, key).get(`/verifications/${data.id}`);
      expect(await bodyOf(get)).toEqual(body);
      expect(dataOf({ body } as never)).toMatchObject({ type: 'kyb', subjectReference: 'company_1' });

      const kept = await page.evaluate<string>(`(async () => JSON.stringify([
        { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, history.length,
        document.documentElement.outerHTML, await indexedDB.databases(), await caches.keys(), window.name,
      ]))()`);
      expect([kept, ...urls, site.server.output()].filter((text) => text.includes(key.slice(4)))).toEqual([]);
      expect(urls.filter((url) => url.includes('/api/v1/'))).toHaveLength(2);

      await page.goto(`${site.origin}/docs`);
      await page.goBack();
      expect(await formOf(page).locator('[data-api-key]').inputValue()).toBe('');
      expectNoFaults(visitor);
    });

    it('leaving the page removes the key and the responses', async () => {
      const visitor = await visit(LIST);
      const { page } = visitor;
      const list = formOf(page);
      await list.getByLabel('API key').fill(key);
      expect(await send(list)).toMatch(/^200 OK/);
      // The browser may show the page again as it was left, or load it again. The event is the same.
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
      expect(await list.locator('.try-response').isVisible()).toBe(false);
      expect(await list.locator('.try-response').textContent()).toBe('');
      expect(await list.getByRole('status').textContent()).toBe('');
      expect(await list.getByLabel('API key').inputValue()).toBe('');
      expectNoFaults(visitor);
    });

    it('sees why a request is refused, or was not sent', async () => {
      const visitor = await visit(LIST);
      const list = formOf(visitor.page);
      expect(await send(list)).toMatch(/^401 Unauthorized/);
      expect(await bodyOf(list)).toMatchObject({ success: false, code: 'API_KEY_REQUIRED' });
      await list.getByLabel('API key').fill(`csk_${'0'.repeat(64)}`);
      expect(await send(list)).toMatch(/^401 Unauthorized/);
      expect(await bodyOf(list)).toMatchObject({ code: 'INVALID_API_KEY' });
      await list.getByLabel('API key').fill(key);
      await list.getByLabel('limit').fill('many');
      expect(await send(list)).toMatch(/^400 Bad Request/);
      expect(await bodyOf(list)).toMatchObject({
        code: 'INVALID_PARAMETERS',
        data: { issues: [{ path: 'limit' }] },
      });

      await list.getByLabel('API key').fill(key);
      await visitor.context.setOffline(true);
      expect(await send(list)).toMatch(/^No response arrived\./);
      await visitor.context.setOffline(false);

      await visitor.page.goto(site.origin + CREATE);
      const create = formOf(visitor.page);
      await create.getByLabel('API key').fill(key);
      await create.locator('[data-body]').fill('{"subjectType":');
      expect(await send(create)).toMatch(/^400 Bad Request/);
      expect(await bodyOf(create)).toMatchObject({ code: 'INVALID_JSON' });
      await create.getByLabel('API key').fill('ключ');
      expect(await send(create)).toBe(
        'Not sent: X-API-Key has characters that a header cannot carry. Correct the field.',
      );
      expect(await create.locator('.try-response').isVisible()).toBe(false);
      expectNoFaults(visitor);
    });

    it('with a response, the form passes axe in both themes on a narrow screen', async () => {
      const visitor = await visit(LIST, { screen: 'narrow' });
      const { page } = visitor;
      const list = formOf(page);
      await list.getByLabel('API key').fill(key);
      expect(await send(list)).toMatch(/^200 OK/);
      const { faults, kinds } = await outlineOf(page);
      // tests/browser/accessibility.test.ts checks the rest of the page.
      const ofForm = kinds.filter((kind) => kind.includes('try-'));
      for (const [colorScheme, rules] of [
        ['light', 'all'],
        ['dark', 'look'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        expect([...faults, ...(await violationsOf(page, rules, ofForm))], colorScheme).toEqual([]);
      }
      expectNoFaults(visitor);
    });

    it('without JavaScript reads everything and sees no form', async () => {
      const visitor = await visit(CREATE, { screen: 'phone', javaScript: false });
      const { page } = visitor;
      expect(await page.locator('noscript .notice').isVisible()).toBe(true);
      expect(await page.locator('.try-it:visible').count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
      expect(await page.locator('#NewVerification').isVisible()).toBe(true);
      expect(await page.getByRole('link', { name: 'API reference' }).isVisible()).toBe(false);
      await page.getByText('Contents', { exact: true }).click();
      await page.getByRole('link', { name: 'API reference' }).click();
      expect(new URL(page.url()).pathname).toBe(REFERENCE);
      expectNoFaults(visitor);
    });

    it.each([
      ['createVerification', 'createVerification#createVerification'],
      ['NewVerification.notify.email', 'createVerification#NewVerification.notify.email'],
      ['verification.approved', 'webhooks#verification.approved'],
      ['header-X-Request-Id', 'headers#header-X-Request-Id'],
    ])('follows the old address #%s', async (old, address) => {
      const visitor = await visit(`${REFERENCE}#${old}`);
      await visitor.page.waitForURL(`**${REFERENCE}/${address}`);
      expect(await visitor.page.locator(`[id="${old}"]`).isVisible()).toBe(true);
      expectNoFaults(visitor);
    });

    it('a wide screen shows the navigation and the sections beside the text, which print leaves out', async () => {
      const { page } = await visit(CREATE);
      const left = async (part: string) => (await page.locator(part).boundingBox())?.x ?? Number.NaN;
      expect(await left('.docs-nav')).toBeLessThan(await left('.docs-content'));
      expect(await left('.docs-content')).toBeLessThan(await left('.docs-toc'));
      expect(await page.getByText('Contents', { exact: true }).isVisible()).toBe(false);
      await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' }).click();
      expect(new URL(page.url()).hash).toBe('#errors');
      await page.emulateMedia({ media: 'print' });
      for (const part of ['.docs-nav', '.docs-toc', '.try-it'])
        expect(await page.locator(part).isVisible()).toBe(false);
    });
  });

  it('copies the first request from the overview', async () => {
    const visitor = await visit('/docs');
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
    await page.getByRole('button', { name: 'Copy: curl' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('[id="first-request.curl"]').innerText());
    expect(copied).toMatch(/^curl -sS -X POST "\$BASE\/verifications" \\\n {2}-H "X-API-Key: \$KEY"/);
    expectNoFaults(visitor);
  });
});
