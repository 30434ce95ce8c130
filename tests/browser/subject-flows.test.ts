// Subjects answer each screen in a browser: forms, focus and file inputs are its own.
import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { newVisitor, takeSession } from '@countersign/test-support/browser/browser';
import { type CountersignSite, siteOf, startSite } from '@countersign/test-support/browser/countersign-site';
import { leaving } from '@countersign/test-support/browser/leaving';
import { send, sendFile, slugOf, walk } from '@countersign/test-support/browser/walk';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { freePort } from '@countersign/test-support/processes/free-port';
import { startServer } from '@countersign/test-support/processes/server-process';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

let starting: Promise<CountersignSite> | undefined;
const theSite = (): Promise<CountersignSite> => {
  starting ??= startSite();
  return starting;
};

describeWith(['chromium'], 'a subject on a phone', () => {
  it('each of nine screens refuses an empty form with a reason and takes the next one, without JavaScript', async () => {
    const site = await theSite();
    const { key } = await givenClientOf(site.server, { plan: 'enterprise' });
    const api = createApiClient(site.server.baseUrl, key);
    const created = await api.post({ subjectType: 'kyc', subjectReference: 'refused' });
    const { page, complaints } = await newVisitor(site.origin, { javaScript: false });
    const screens: string[] = [];
    const reasons: Record<string, readonly string[]> = {};
    await page.goto(String(dataOf(created).verificationUrl));
    await walk(page, 'kyc', {
      onPage: async (slug) => {
        screens.push(slug);
        const refusals = await refusalsOf(page);
        if (refusals.length > 0) reasons[slug] = refusals;
      },
    });
    expect(screens).toEqual([
      'state',
      'document',
      'document-front',
      'document-back',
      'details',
      'selfie',
      'address',
      'check',
      'state',
    ]);
    const noPicture = ['The file is not a JPEG, PNG, WebP or HEIC picture'];
    expect(reasons).toEqual({
      state: ['Tick the box if you agree. Without your consent we cannot continue'],
      document: ['Choose which document you have'],
      'document-front': noPicture,
      'document-back': noPicture,
      details: [
        'Number of the document is missing',
        'Valid until is missing',
        'First name is missing',
        'Last name is missing',
        'Date of birth is missing',
        'Choose at least one nationality',
      ],
      selfie: noPicture,
      address: ['Street and house number is missing', 'Post town is missing', 'Postal code is missing'],
      check: ['Confirm that everything is true'],
    });
    const details = dataOf(await api.get(`/verifications/${idOf(created)}/details`));
    expect(details.status).toBe('submitted');
    complaints.expectNone();
  });

  it('each picture at an address without https is taken with the file input that opens the camera of a phone', async () => {
    const port = await freePort();
    const origin = `http://countersign.test:${port}`;
    const site = await siteOf(await startServer({ port, env: { PUBLIC_BASE_URL: origin } }), origin);
    const { id, url } = await site.create('kyc');
    const { page, complaints } = await newVisitor(origin, { camera: 'allowed' });
    const cameras: Record<string, string | null> = {};
    await page.goto(url);
    expect(await page.evaluate('isSecureContext || navigator.mediaDevices')).toBeUndefined();
    await walk(page, 'kyc', {
      onPage: async (slug) => {
        const input = page.locator('input[type=file]');
        if ((await input.count()) === 0) return;
        cameras[slug] = await input.getAttribute('capture');
        expect(await page.getByRole('button', { name: 'Send this file' }).isVisible()).toBe(true);
        expect(await page.locator('[data-camera-open], [data-camera-problem]').count()).toBe(0);
      },
    });
    expect(cameras).toEqual({
      'document-front': 'environment',
      'document-back': 'environment',
      selfie: 'user',
      'proof-of-address': null,
    });
    expect((await site.details(id)).status).toBe('submitted');
    expect(
      complaints.all().filter((complaint) => !/Opener-Policy header has been ignored/.test(complaint)),
    ).toEqual([]);
  });

  it('changes the fields of an address to those of its country, in the same document', async () => {
    const site = await theSite();
    const { id, url } = await site.createAnswered('kyc', 'address');
    const { page, context, complaints } = await newVisitor(site.origin);
    await takeSession(context, url);
    await page.goto(`${site.origin}/verify/${id}/address`);
    const navigations: string[] = [];
    page.on('framenavigated', (frame) => navigations.push(frame.url()));
    await page.getByLabel('Street and house number').fill('1 Main Street');
    await page.getByLabel('Country', { exact: true }).fill('usa');
    await page.getByRole('button', { name: 'Update fields' }).click();
    await page.getByLabel('ZIP code').waitFor();
    expect(await page.getByLabel('State').isVisible()).toBe(true);
    expect(await page.getByLabel('Street and house number').inputValue()).toBe('1 Main Street');
    expect(navigations).toEqual([]);
    complaints.expectNone();
  });

  it.each([true, false])(
    'the Enter key in a row of people continues, and removes and adds none: with JavaScript %s',
    async (javaScript) => {
      const site = await theSite();
      const { id, url } = await site.createAnswered('kyb', 'directors');
      const { page, context, complaints } = await newVisitor(site.origin, { javaScript });
      await takeSession(context, url);
      await page.goto(`${site.origin}/verify/${id}/directors`);
      await page.getByLabel('Last name').fill('Lovelace');
      await page.getByRole('button', { name: 'Add another director' }).click();
      await page.locator('fieldset.row').nth(1).waitFor();
      await page.getByLabel('Last name').nth(1).fill('Byron');
      for (const row of [0, 1]) {
        await leaving(page, () => page.getByLabel('Last name').nth(row).press('Enter'));
        await page.locator('.error-summary').waitFor();
        const names = page.getByLabel('Last name');
        expect(await names.count()).toBe(2);
        expect([await names.nth(0).inputValue(), await names.nth(1).inputValue()]).toEqual(['Lovelace', 'Byron']);
      }
      complaints.expectNone();
    },
  );

  it('continues from a desktop, which follows the progress by itself', async () => {
    const site = await theSite();
    const { url } = await site.createAnswered('kyc', 'selfie');
    const desktop = await newVisitor(site.origin, { screen: 'desktop' });
    await desktop.page.goto(url);
    await desktop.page.getByRole('button', { name: 'Continue on your phone instead' }).click();
    // The QR code contains the same address of the hand-over code as the field below it.
    await desktop.page.getByRole('img', { name: /QR/ }).waitFor();
    const link = await desktop.page.locator('#phone-link').inputValue();
    expect(link).not.toContain(url);
    await desktop.page.getByText('3 of 6').waitFor();

    const phone = await newVisitor(site.origin);
    await phone.page.goto(link);
    await phone.page.getByRole('button', { name: 'Continue on this device' }).click();
    await desktop.page.getByText('The code was used.').waitFor();
    const second = await newVisitor(site.origin);
    expect((await second.page.goto(link))?.status()).toBe(410);
    await walk(phone.page, 'kyc', { until: 'check' });
    await desktop.page.getByText('5 of 6').waitFor();
    await walk(phone.page, 'kyc');

    await desktop.page.getByRole('heading', { name: 'Thank you, we have received everything' }).waitFor();
    expect(slugOf(desktop.page)).toBe('state');
    desktop.complaints.expectNone();
  });

  it('shows a file that is too large as any other error, in place of the error about an earlier file', async () => {
    const site = await theSite();
    const { url } = await site.createAnswered('kyc', 'selfie');
    const { page, complaints } = await newVisitor(site.origin);
    await page.goto(url);
    await walk(page, 'kyc', { until: 'selfie' });
    const send = async (buffer: Buffer) => {
      await page.locator('input[type=file]').setInputFiles({ name: 'a', mimeType: 'image/jpeg', buffer });
      await page.getByRole('button', { name: 'Send this file' }).click();
    };
    await send(Buffer.from('no picture'));
    await page.locator('.error-summary').waitFor();

    await send(Buffer.alloc(26 * 1024 * 1024));

    await page.locator('.error-summary', { hasText: 'The file is larger than 25 MB' }).waitFor();
    const summary = page.locator('.error-summary');
    expect(await summary.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
    expect(await summary.locator('a').getAttribute('href')).toBe('#field-file');
    for (const part of ['.error-summary', '.has-error .field-error', '.has-error [aria-invalid=true]']) {
      expect(await page.locator(part).count(), part).toBe(1);
    }
    expect(await page.title()).toMatch(/^Error: [^:]*$/);
    complaints.expectNone();
  });
});

/** Sends the form of the page without an answer, or a file that is no picture. @returns the errors on the page after that */
async function refusalsOf(page: Page): Promise<readonly string[]> {
  const isUpload = (await page.locator('input[type=file]').count()) > 0;
  if (!isUpload && (await page.locator('#page-form').count()) === 0) return [];
  if (isUpload) await sendFile(page, Buffer.from('no picture'));
  else await send(page);
  const links = await page.locator('.error-summary a').all();
  for (const link of links) {
    const target = (await link.getAttribute('href')) ?? expect.fail('the error has no link');
    expect(await page.locator(target).count(), target).toBe(1);
  }
  expect(await page.title()).toMatch(/^Error: /);
  return Promise.all(links.map((link) => link.innerText()));
}
