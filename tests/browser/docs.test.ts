import { createApiClient, dataOf } from '@countersign/test-support/api/api-client';
import { bringChecks, outlineOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Outfit, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { describeWith } from '@countersign/test-support/servers';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

const REFERENCE = '/docs/reference';

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

  const formOf = (page: Page, id: string): Locator =>
    page.locator('.try-it').filter({ has: page.locator(`[id^="try.${id}."]`) });

  /** Opens the form of an operation. */
  async function open(page: Page, id: string): Promise<Locator> {
    const form = formOf(page, id);
    await form.locator('summary').click();
    return form;
  }

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
      const visitor = await visit(REFERENCE);
      const { page, context } = visitor;
      const urls: string[] = [];
      context.on('request', (request) => urls.push(request.url()));

      const create = await open(page, 'createVerification');
      await create.getByLabel('API key').fill(key);
      await create.locator('select[data-fills]').selectOption({ label: 'A business, with metadata' });
      expect(await send(create)).toMatch(/^201 Created after \d+ ms\. The other forms have its id now\.$/);
      expect(await create.locator('.try-headers').innerText()).toMatch(/X-Request-Id[\s\S]*X-RateLimit-Limit/);
      const { data } = (await bodyOf(create)) as { data: { id: string } };

      const get = await open(page, 'getVerification');
      expect(await get.getByLabel('id', { exact: true }).inputValue()).toBe(data.id);
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
      expect(await formOf(page, 'createVerification').locator('[data-api-key]').inputValue()).toBe('');
      expectNoFaults(visitor);
    });

    it('leaving the page removes the key and the responses', async () => {
      const visitor = await visit(REFERENCE);
      const { page } = visitor;
      const list = await open(page, 'listVerifications');
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
      const visitor = await visit(REFERENCE);
      const list = await open(visitor.page, 'listVerifications');
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

      const create = await open(visitor.page, 'createVerification');
      await create.locator('[data-body]').fill('{"subjectType":');
      expect(await send(create)).toMatch(/^400 Bad Request/);
      expect(await bodyOf(create)).toMatchObject({ code: 'INVALID_JSON' });
      await create.getByLabel('API key').fill('ключ');
      expect(await send(create)).toBe(
        'Not sent: X-API-Key has characters that a header cannot carry. Correct the field.',
      );
      expect(await create.locator('.try-response').isVisible()).toBe(false);

      await list.getByLabel('API key').fill(key);
      await visitor.context.setOffline(true);
      expect(await send(list)).toMatch(/^No response arrived\./);
      expectNoFaults(visitor);
    });

    it('with a response, the form passes axe in both themes on a narrow screen', async () => {
      const visitor = await visit(REFERENCE, { screen: 'narrow' });
      const { page } = visitor;
      const list = await open(page, 'listVerifications');
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
      const visitor = await visit(REFERENCE, { screen: 'phone', javaScript: false });
      const { page } = visitor;
      expect(await page.locator('noscript p').isVisible()).toBe(true);
      expect(await page.locator('.try-it:visible').count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
      expect(await page.locator('#Verification').isVisible()).toBe(true);
      expectNoFaults(visitor);
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
