// A person asks for a copy in a browser, an operator releases it, and the browser downloads it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shortReference } from '@countersign/domain';
import { bringChecks, outlineOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press } from '@countersign/test-support/browser/dashboard';
import { leaving } from '@countersign/test-support/browser/leaving';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith } from '@countersign/test-support/servers';
import { readZip } from '@countersign/test-support/zip/read-zip';
import type { Download, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

/** What a person reads and presses on the way to their data. */
const WORDS = {
  'en-GB': {
    request: 'Request a copy of your data',
    send: 'Request a copy',
    sent: 'You have requested a copy of your data',
    wrong: 'The code is wrong. You can try 4 more times',
    title: 'Copy of your data',
    download: 'Download',
    birth: ['Date of birth', '27 March 1987'],
  },
  'de-DE': {
    request: 'Kopie Ihrer Daten anfordern',
    send: 'Kopie anfordern',
    sent: 'Sie haben eine Kopie Ihrer Daten angefordert',
    wrong: 'Der Code ist falsch. Sie können es noch 4-mal versuchen',
    title: 'Kopie Ihrer Daten',
    download: 'Herunterladen',
    birth: ['Geburtsdatum', '27. März 1987'],
  },
} as const;

describeWith(['chromium'], 'a person who wants a copy of their data', () => {
  let site: CountersignSite;
  let owner: StaffForms;

  beforeAll(async () => {
    site = await startSite();
    owner = await newTeamMember(site.server, site.clientId);
    await owner.confirm();
  });

  describe.concurrent('asks for it, gets it released, and downloads it', () => {
    it.each([
      ['en-GB', 'with', 'narrow'],
      ['de-DE', 'without', 'phone'],
    ] as const)('in %s, %s JavaScript, on a %s screen', async (locale, script, screen) => {
      const words = WORDS[locale];
      const { id, url } = await site.createAnswered('kyc');
      const { page, complaints } = await newVisitor(site.origin, {
        locale,
        screen,
        javaScript: script === 'with',
      });
      const press = (name: string) => leaving(page, () => page.getByRole('button', { name, exact: true }).click());
      await page.goto(url);
      await leaving(page, () => page.getByRole('link', { name: words.request }).click());
      await press(words.send);
      expect(await page.locator('h1').innerText()).toBe(words.sent);

      const { link, code } = await releaseAtTheDashboard(id);
      await page.goto(link);
      expect(await page.locator('h1').innerText()).toBe(words.title);
      await page.locator('[name=code]').fill('WRONG-CODES');
      await press(words.download);
      expect(await page.locator('.error-summary').innerText()).toContain(words.wrong);
      await page.locator('[name=code]').fill(code.toLowerCase());
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: words.download, exact: true }).click(),
      ]);
      complaints.expectNone();

      const opened = await unpacked(download);
      await expectReadable(opened, locale);
    });
  });

  /** Follows the list of requests to the verification and releases the copy. */
  async function releaseAtTheDashboard(id: string): Promise<{ link: string; code: string }> {
    const { page, complaints } = await atTheDashboard(site, owner);
    await page.goto(`${site.origin}/dashboard/settings`);
    await follow(page, 'Go to the requests');
    await follow(page, shortReference(id));
    await follow(page, 'Release the copy');
    await press(page, 'Release the copy');
    const [link, code] = await Promise.all(
      ['#export-link', '#export-code'].map((field) => page.locator(field).inputValue()),
    );
    // The walks share a browser and its clipboard.
    await page.evaluate('navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }');
    await page.getByRole('button', { name: 'Copy: Code' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate<string>('globalThis.copied')).toBe(code);
    // A reload leads to the verification, which no longer shows them.
    await page.reload();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/verifications/${id}`);
    expect(await page.content()).not.toContain(code);
    complaints.expectNone();
    return { link: link ?? '', code: code ?? '' };
  }

  /** Opens the document in both themes and widths: it is accessible, fits, has its files, and asks for nothing else. */
  async function expectReadable(document: string, locale: keyof typeof WORDS): Promise<void> {
    const { title, birth } = WORDS[locale];
    const requests: string[] = [];
    for (const [screen, theme] of [
      ['narrow', 'light'],
      ['desktop', 'dark'],
    ] as const) {
      const { page } = await newVisitor('file://', { locale, screen, theme });
      page.on('request', (request) => void requests.push(request.url()));
      await bringChecks(page);
      await page.goto(pathToFileURL(document).href);
      expect(await page.locator('h1').innerText()).toBe(title);
      expect(await factOf(page, birth[0])).toBe(birth[1]);
      expect((await outlineOf(page)).faults).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      const target = await page.locator('#files ~ ul a').first().getAttribute('href');
      expect(readFileSync(new URL(target ?? '', page.url())).byteLength).toBeGreaterThan(0);
    }
    expect(requests).toEqual([pathToFileURL(document).href, pathToFileURL(document).href]);
  }
});

function factOf(page: Page, label: string): Promise<string> {
  return page
    .locator('.facts > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .innerText();
}

/** Unpacks the zip. @returns the path of the document in it */
async function unpacked(download: Download): Promise<string> {
  expect(download.suggestedFilename()).toMatch(/^personal-data-\d{4}-\d\d-\d\d\.zip$/);
  const folder = temporaryFolder();
  for (const { name, content } of await readZip(readFileSync(await download.path()))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return join(folder, 'index.html');
}
