import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { newVisitor, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { leaving } from '@countersign/test-support/browser/leaving';
import { slugOf, walk } from '@countersign/test-support/browser/walk';
import { operate } from '@countersign/test-support/installation/operator';
import { card } from '@countersign/test-support/pages/pictures';
import { newStaff } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { describeWith } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['chromium'], 'the way back to the client', () => {
  let site: CountersignSite;
  let shop: Awaited<ReturnType<typeof openShop>>;

  beforeAll(async () => {
    [site, shop] = await Promise.all([startSite(), openShop()]);
    await operate(site.server, ({ clients }) => clients.setReturnAddresses(site.clientId, [`${shop.origin}/kyc`]));
  });
  afterAll(() => shop.close());

  async function create(subjectReference: string) {
    const body = {
      subjectType: 'kyc',
      subjectReference,
      returnUrl: `${shop.origin}/kyc/done?order=7`,
      locale: 'de',
    };
    const answer = await site.api.post(body);
    return { id: idOf(answer), url: String(dataOf(answer).verificationUrl) };
  }

  /** Answers the pages up to `until` without a browser. */
  async function answer(url: string, until?: string): Promise<void> {
    const picture = new Blob([await card(url)], { type: 'image/jpeg' });
    await (await openSubjectForms(url, 'kyc')).walk({ file: () => picture }, until);
  }

  const headingOf = ({ page }: Visitor) => page.locator('h1').innerText();

  /** Follows the link of the last page, and expects the shop to receive the id and the status, and no referrer. */
  async function goBack({ page, complaints }: Visitor, id: string, status: string, visits = 0): Promise<void> {
    // Nothing but the earlier clicks asked the shop for anything.
    expect(complaints.all()).toEqual(Array.from({ length: visits }, () => `off-origin: GET ${shop.origin}`));
    await leaving(page, () => page.getByRole('link', { name: 'Zurück zu Acme' }).click());
    expect(page.url()).toBe(`${shop.origin}/kyc/done?order=7&verificationId=${id}&status=${status}`);
    expect(await page.locator('main').innerText()).toBe('Thank you for your order');
    const { url, headers } = shop.asked().at(-1) ?? expect.fail('no request');
    expect(url).toBe(`/kyc/done?order=7&verificationId=${id}&status=${status}`);
    expect(headers.referer).toBeUndefined();
  }

  it('a German subject submits, returns, redoes a step at the same link and returns approved', async () => {
    const { id, url } = await create('returns');
    await answer(url, 'check');
    const visitor = await newVisitor(site.origin, { locale: 'en-GB' });
    const { page } = visitor;
    await page.goto(url);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await leaving(page, () => page.locator('a.main-action').click());
    expect(slugOf(page)).toBe('check');
    await walk(page, 'kyc');
    expect(await headingOf(visitor)).toBe('Vielen Dank, es ist alles da');
    expect(await page.locator('.reference').innerText()).toBe(id);
    await goBack(visitor, id, 'submitted');

    const reviewer = await newStaff(site.server, 'reviewer');
    await reviewer.act(id, 'ask', { 'ask.steps': 'selfie', 'ask.selfie.reasonCode': 'selfie_unclear' });
    await page.goto(url);
    expect(await page.getByRole('link', { name: 'Zurück zu Acme' }).count()).toBe(0);
    await walk(page, 'kyc');
    expect((await site.details(id)).status).toBe('submitted');

    await reviewer.act(id, 'approve');
    await page.goto(url);
    expect(await headingOf(visitor)).toBe('Ihre Prüfung ist abgeschlossen');
    await goBack(visitor, id, 'approved', 1);
  });

  it('a withdrawn verification says so and leads back', async () => {
    const { id, url } = await create('withdrawn');
    expect((await site.withdraw(id)).status).toBe(200);
    const visitor = await newVisitor(site.origin);
    await visitor.page.goto(url);
    expect(await headingOf(visitor)).toBe('Diese Prüfung wird nicht mehr gebraucht');
    await goBack(visitor, id, 'rejected');
  });
});

/** The client's own site, on another origin. */
async function openShop() {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') requests.push(request);
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><html lang="en"><title>Shop</title><main>Thank you for your order</main>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked: (): readonly IncomingMessage[] => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
