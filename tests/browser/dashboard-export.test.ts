// Downloads exports in a browser.
import { readFile } from 'node:fs/promises';
import type { Outfit } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { givenStaff, newStaffVisitor, type Staff } from '@countersign/test-support/browser/staff';
import { describeWith } from '@countersign/test-support/servers';
import type { Download, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

const EXPORT = '/dashboard/verifications/export';
const HEADER = 'id,type,subjectReference,status,requestedAt,submittedAt,resolvedAt,currentStep,totalSteps';
const ROWS = 30;

describeWith(['chromium'], 'the export of verifications', () => {
  let site: CountersignSite;
  let clara: Staff;

  beforeAll(async () => {
    site = await startSite();
    clara = await givenStaff(site, 'client');
    for (let made = 0; made < ROWS; made += 1) await site.create('kyc');
  });

  /** Opens the export page and collects every file saved from it. */
  async function atTheExport(outfit: Outfit = {}) {
    const { page, complaints } = await newStaffVisitor(site, clara, outfit);
    const saved: Download[] = [];
    page.on('download', (download) => saved.push(download));
    await page.goto(site.origin + EXPORT);
    return { page, complaints, saved };
  }

  const download = (page: Page) => page.getByRole('button', { name: 'Download the file' });
  const status = (page: Page) => page.locator('[data-export] [role=status]');

  it.each([true, false])('saves one file with all rows (JavaScript: %s)', async (javaScript) => {
    const { page, complaints } = await atTheExport({ javaScript });
    expect(await page.locator('.count').innerText()).toBe('30 verifications will be in the file.');
    const [file] = await Promise.all([page.waitForEvent('download'), download(page).click()]);
    expect(file.suggestedFilename()).toMatch(/^verifications-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe(HEADER);
    expect(lines).toHaveLength(ROWS + 2);
    if (javaScript) await expect.poll(() => status(page).innerText()).toBe('Done: 30 rows. The file is saved.');
    expect(complaints.all()).toEqual([]);
  });

  it('saves nothing when cancelled, and can be started again', async () => {
    const { page, saved } = await atTheExport();
    await page.route('**/export.csv*', () => {
      // Never responds, so that the download keeps running.
    });
    await download(page).click();
    expect(await page.locator('progress').isVisible()).toBe(true);
    const cancel = page.getByRole('button', { name: 'Cancel' });
    expect(await cancel.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await cancel.click();
    await expect.poll(() => status(page).innerText()).toBe('Cancelled. No file was saved.');
    expect(await page.locator('progress').isVisible()).toBe(false);
    expect(saved).toEqual([]);

    await page.unroute('**/export.csv*');
    await Promise.all([page.waitForEvent('download'), download(page).click()]);
  });

  it.each([
    ['within a row', 'id,type\r\n1,kyc\r\n2,ky'],
    ['within a cell with line breaks', 'id,type\r\n1,kyc\r\n2,"two\r\n'],
    ['before its first row', ''],
  ])('saves nothing and reports the interruption when the response ends %s', async (_where, body) => {
    const { page, saved } = await atTheExport();
    const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'X-Total-Count': '2000' };
    await page.route('**/export.csv*', (route) => route.fulfill({ status: 200, headers, body }));
    await download(page).click();
    await expect.poll(() => status(page).innerText()).toContain('of 2,000 rows. No file was saved.');
    expect(await download(page).isEnabled()).toBe(true);
    expect(saved).toEqual([]);
  });

  it('reports a lost connection and can be started again', async () => {
    const { page, saved } = await atTheExport();
    await page.route('**/export.csv*', (route) => route.abort('connectionreset'));
    await download(page).click();
    await expect.poll(() => status(page).innerText()).toContain('The download broke off after 0 of 30 rows.');
    expect(saved).toEqual([]);
    expect(await download(page).isEnabled()).toBe(true);
  });

  it('redirects to sign-in when the session has ended', async () => {
    const { page, saved } = await atTheExport();
    await page.context().clearCookies();
    await download(page).click();
    await page.waitForURL('**/account/sign-in?returnTo=*');
    expect(saved).toEqual([]);
  });
});
