// Subjects answer each screen in a browser: its Back button shows what a history holds.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shortReference } from '@countersign/domain';
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { newVisitor, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { leaving } from '@countersign/test-support/browser/leaving';
import { decide, fillIn, goOn, wordsOf } from '@countersign/test-support/browser/review-console';
import { givenStaff, newStaffVisitor } from '@countersign/test-support/browser/staff';
import { send, slugOf, type, walk } from '@countersign/test-support/browser/walk';
import { operate } from '@countersign/test-support/installation/operator';
import { ANSWERS } from '@countersign/test-support/pages/page-answers';
import { card } from '@countersign/test-support/pages/pictures';
import { newStaff } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['chromium'], 'the way back', () => {
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

  it('the way back to the client: a German subject submits, returns, redoes a step at the same link and returns approved', async () => {
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
    expect(await page.locator('.reference').innerText()).toBe(shortReference(id));
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

  it('the way back to the client: a withdrawn verification says so and leads back', async () => {
    const { id, url } = await create('withdrawn');
    expect((await site.withdraw(id)).status).toBe(200);
    const visitor = await newVisitor(site.origin);
    await visitor.page.goto(url);
    expect(await headingOf(visitor)).toBe('Diese Prüfung wird nicht mehr gebraucht');
    await goBack(visitor, id, 'rejected');
  });

  it('Back shows a page after each corrected error of a subject, and after the submission a page that says everything is saved', async () => {
    const { id, url } = await site.createAnswered('kyc', 'address');
    const { page } = await newVisitor(site.origin);
    await page.goto(url);
    await page.goto(`${site.origin}/verify/${id}/address`);
    await send(page);
    expect(await page.title()).toMatch(/^Error: /);
    expect(
      await page.locator('.error-summary').evaluate((node) => node === node.ownerDocument.activeElement),
    ).toBe(true);
    await type(page, ANSWERS.kyc.address ?? {});
    await send(page);
    expect(slugOf(page)).toBe('proof-of-address');
    expect(await back(page)).toBe(200);
    expect([slugOf(page), await errorsOf(page)]).toEqual(['address', 0]);
    expect(await page.locator('[name=city]').inputValue()).toBe('Gdańsk');

    const picture = new Blob([await card(url)], { type: 'image/jpeg' });
    await (await openSubjectForms(url, 'kyc')).walk({ file: () => picture }, 'check');
    await page.goto(`${site.origin}/verify/${id}/check`);
    await send(page);
    expect([slugOf(page), await errorsOf(page)]).toEqual(['check', 1]);
    await walk(page, 'kyc');
    for (let entries = 0; entries < 3; entries += 1) {
      expect(await back(page)).toBe(200);
      expect(await page.locator('h1').innerText()).toBe('Thank you, we have received everything');
      expect(await wordsOf(page)).toContain('Everything you entered is saved and sent.');
    }
  });

  it('Back shows a page after a reviewer’s refused decision, and a note too long for a cookie', async () => {
    const { id } = await site.createAnswered('kyc');
    const { page } = await newStaffVisitor(site, await givenStaff(site));
    const at = `${site.origin}/review/${id}`;
    await page.goto(at);
    const refused = await fillIn(page, 'reject');
    await leaving(page, () => goOn(refused));
    expect([page.url(), await errorsOf(page)]).toEqual([at, 1]);
    // Neither compresses nor fits: the refusal answers the form, and changes its address.
    const long = Array.from({ length: 2_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)),
    ).join('');
    const tooLong = await fillIn(page, 'reject', [['internalNote', long]]);
    await leaving(page, () => goOn(tooLong));
    expect(await errorsOf(page)).toBe(1);
    await decide(page, 'reject', [
      ['reasonCodes', 'data_mismatch'],
      ['internalNote', 'short'],
    ]);
    expect(await wordsOf(page)).toContain('Rejected: ');
    for (let entries = 0; entries < 3; entries += 1) {
      expect(await back(page)).toBe(200);
      expect([page.url(), await errorsOf(page)]).toEqual([at, 0]);
    }
  });
});

/** Presses Back. The browser shows no page in place of one that would have to be posted again. */
async function back(page: Page): Promise<number | undefined> {
  return (await page.goBack())?.status();
}

const errorsOf = (page: Page) => page.locator('.error-summary').count();

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
