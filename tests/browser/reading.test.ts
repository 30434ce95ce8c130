// A browser waits for the reading: only there does the page load itself again, with a script and without one.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createCountersign, type DocumentReading, READING_WAIT_MS } from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { bringChecks, outlineOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Outfit } from '@countersign/test-support/browser/browser';
import { send, slugOf, walk } from '@countersign/test-support/browser/walk';
import { NO_SIGN_IN } from '@countersign/test-support/pages/no-sign-in';
import { atEndOfFile } from '@countersign/test-support/processes/end-of-file';
import { freePort } from '@countersign/test-support/processes/free-port';
import { READ_PASSPORT } from '@countersign/test-support/records/document-reading';
import { describeWith } from '@countersign/test-support/servers';
import { createWeb } from '@countersign/web';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

/** The pages in this process, with a reader that answers when the test says so, and a clock that stands. */
async function givenSite() {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const faults: unknown[] = [];
  const waiting: ((reading: DocumentReading) => void)[] = [];
  const [clock, secrets, storage] = [createFixedClock(), createCountingSecrets(), createMemoryStorage()];
  const countersign = createCountersign(
    {
      storage,
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets,
      evidence: { store: createMemoryEvidenceStore(), intake: createTrustingIntake() },
      logos: createTrustingIntake(),
      reader: { read: () => new Promise((resolve) => waiting.push(resolve)) },
    },
    { publicBaseUrl: origin },
  );
  const { client } = await countersign.clients.create({ name: 'Acme Bank', plan: 'enterprise' });
  const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(value, { countRequest: false });
  const app = createWeb({
    countersign,
    signIn: NO_SIGN_IN,
    secrets,
    clock,
    publicBaseUrl: origin,
    clientAddress: () => '192.0.2.1',
    onFault: (fault) => void faults.push(fault),
  });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url = '/' } = incoming;
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
    const body = method === 'GET' ? null : new Uint8Array(await buffer(incoming));
    const response = await app.request(origin + url, { method, headers: Object.fromEntries(headers), body });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  atEndOfFile(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    faults,
    clock,
    answer: (reading: DocumentReading) => {
      for (const resolve of waiting.splice(0)) resolve(reading);
    },
    /** Opens the page after the pictures of a new subject. */
    async visit(outfit: Outfit = {}, { standsStill = false } = {}): Promise<Page> {
      const visitor = await newVisitor(origin, outfit);
      if (standsStill) await visitor.page.clock.install();
      const created = await countersign.verifications.create(principal, {
        subjectType: 'kyc',
        subjectReference: 'user',
      });
      const { verificationUrl } = await countersign.verifications.get(principal, created.verification.id);
      await visitor.page.goto(verificationUrl);
      await walk(visitor.page, 'kyc', { until: 'details' });
      return visitor.page;
    },
  };
}

const changeOf = (page: Page, label: string) => page.locator('summary', { hasText: label }).getByText('Change');

describeWith(['chromium'], 'the page after the pictures', () => {
  it('loads the form once the document is read; a value is changed in its place', async () => {
    const site = await givenSite();
    const page = await site.visit();
    await page.getByRole('status').getByText('Reading your document').waitFor();
    site.answer(READ_PASSPORT);
    await page.getByText('L01X00T47', { exact: true }).waitFor();
    const number = page.getByLabel('Number of the document');
    expect(await number.isVisible()).toBe(false);
    await changeOf(page, 'Number of the document').click();
    await page.getByText('Your document reads L01X00T47. A person will check.').waitFor();
    await number.fill('L01X00T48');
    await send(page);
    expect(slugOf(page)).toBe('selfie');
    expect(site.faults).toEqual([]);
  });

  it('leads to the form after four seconds, which offers what is read late and keeps what was typed', async () => {
    const site = await givenSite();
    const page = await site.visit({}, { standsStill: true });
    site.clock.advance(READING_WAIT_MS);
    await page.clock.runFor(READING_WAIT_MS + 500);
    await page.getByLabel('Last name').fill('Müller');
    const fill = page.getByRole('button', { name: 'Fill in from the picture' });
    expect(await fill.isVisible()).toBe(false);
    site.answer(READ_PASSPORT);
    await page.clock.runFor(2_000);
    await fill.click();
    await page.getByText('L01X00T47', { exact: true }).waitFor();
    expect(await page.getByLabel('Last name').inputValue()).toBe('Müller');
    expect(await page.getByLabel('First name').inputValue()).toBe('Anna-Lena');
  });

  it('the browser loads the form after two seconds without a script', async () => {
    const site = await givenSite();
    const page = await site.visit({ javaScript: false });
    await page.waitForURL(/\?unread$/);
    expect(await page.getByLabel('Last name').isVisible()).toBe(true);
  });

  it.each([
    ['light', 'narrow', 'en-GB'],
    ['dark', 'phone', 'de-DE'],
    ['light', 'desktop', 'de-DE'],
    ['dark', 'desktop', 'en-GB'],
  ] as const)('the form is accessible: %s, %s, %s', async (theme, screen, locale) => {
    const site = await givenSite();
    const page = await site.visit({ theme, screen, locale }, { standsStill: true });
    await bringChecks(page);
    // On a busy machine the checks take longer than the page waits: it stays, as a response without content is no new page.
    await page.route(/[?]unread$/, (route) => route.fulfill({ status: 204 }));
    await page.reload();
    const check = async (state: string) => {
      const folder = process.env.PICTURES;
      const path = `${folder}/reading-${state}-${theme}-${screen}.png`;
      if (folder !== undefined) await page.screenshot({ path, fullPage: true });
      expect([...(await outlineOf(page)).faults, ...(await violationsOf(page))], state).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), state).toBe(true);
    };
    await check('waits');
    site.answer(READ_PASSPORT);
    await page.reload();
    await page.locator('.read-value').first().waitFor();
    await check('read');
    await page.locator('.read-value').evaluateAll((all: { open: boolean }[]) => {
      for (const [index, value] of all.entries()) value.open = index === 1;
    });
    await check('changed');
  });
});
