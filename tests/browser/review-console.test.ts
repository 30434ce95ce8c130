// Opens pictures and warnings in a browser, which zooms and turns them.
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { picturesOf, wordsOf } from '@countersign/test-support/browser/review-console';
import { givenStaff, newStaffVisitor, type Staff } from '@countersign/test-support/browser/staff';
import { blurredCard, CARD_WIDTH, card } from '@countersign/test-support/pages/pictures';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

describeWith(['chromium'], 'the review console', () => {
  let site: CountersignSite;
  let reviewer: Staff;
  let person: string;

  beforeAll(async () => {
    site = await startSite();
    reviewer = await givenStaff(site);
    person = (await site.createAnswered('kyc')).id;
  });

  async function openConsole(path = '') {
    const visitor = await newStaffVisitor(site, reviewer);
    await visitor.page.goto(`${site.origin}/review${path}`);
    return visitor;
  }

  it('shows each picture large, with zoom and rotation', async () => {
    const { page, context, complaints } = await openConsole(`/${person}`);
    const pictures = page.locator('[data-picture]');

    expect(await page.locator('.film li').allInnerTexts()).toEqual([
      '1 Document, front',
      '2 Document, back',
      '3 Selfie',
      '4 Proof of address',
      's Compare',
    ]);
    expect(await picturesOf(page)).toEqual([CARD_WIDTH, CARD_WIDTH, CARD_WIDTH, CARD_WIDTH]);
    // Beside the proof stand the answers that it proves.
    expect(await page.locator('.rows:visible h3').innerText()).toBe('Proof of address');
    await page.keyboard.press('1');
    expect(await page.locator('.rows:visible h3').innerText()).toBe('Identity document');
    // At zoom 1 nothing scrolls: scroll bars would lie over the lowest rows.
    const scrolls = await page
      .locator('[data-frame]:visible')
      .evaluateAll(
        (frames: { scrollWidth: number; clientWidth: number; scrollHeight: number; clientHeight: number }[]) =>
          frames.map((frame) => [frame.scrollWidth - frame.clientWidth, frame.scrollHeight - frame.clientHeight]),
      );
    expect(scrolls).toEqual([[0, 0]]);
    // The line above is one row, though the page has everything of the case.
    expect((await page.locator('.case-bar').boundingBox())?.height).toBeLessThanOrEqual(48);

    const front = pictures.first();
    const fits = await widthOf(page);
    await front.getByRole('button', { name: 'Zoom in' }).click();
    expect(await widthOf(page)).toBeCloseTo(fits * 1.25, 0);
    await front.getByRole('button', { name: 'Rotate' }).click();
    expect(await turnOf(page)).toBe('rotate(90deg)');
    await front.getByRole('button', { name: 'Reset' }).click();
    expect([await widthOf(page), await turnOf(page)]).toEqual([fits, 'rotate(0deg)']);

    await front.locator('a').focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    expect(await widthOf(page)).toBeCloseTo(fits * 1.25 ** 2, 0);
    const before = await scrollOf(page);
    await page.keyboard.press('ArrowRight');
    expect(await scrollOf(page)).toBeGreaterThan(before);
    await page.keyboard.press('r');
    await page.keyboard.press('r');
    expect(await turnOf(page)).toBe('rotate(180deg)');
    await page.keyboard.press('-');
    expect(await widthOf(page)).toBeLessThan(fits * 1.25 ** 2);
    await page.keyboard.press('0');
    expect([await widthOf(page), await turnOf(page)]).toEqual([fits, 'rotate(0deg)']);

    // In full size, in a new tab.
    const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
    await tab.waitForLoadState();
    expect(await tab.locator('img').evaluate((img: { naturalWidth: number }) => img.naturalWidth)).toBe(
      CARD_WIDTH,
    );
    complaints.expectNone();
  });

  it('warns of a blurred picture, another country and a wrong check digit, each with a link', async () => {
    const blurred = new Blob([await blurredCard('front')], { type: 'image/jpeg' });
    const sharp = new Blob([await card('sharp')], { type: 'image/jpeg' });
    const { id } = await site.createAnswered('kyc', undefined, {
      answers: {
        name: { firstName: 'Marie', lastName: 'Curie' },
        // A PESEL with a wrong check digit: 44051401359 is valid.
        nationality: { 'nationalities.0': 'PL', nationalIdNumber: '44051401358' },
        document: { type: 'id_card', issuingCountry: 'DE' },
      },
      file: (slug) => (slug === 'document-front' ? blurred : sharp),
    });
    const { page, complaints } = await openConsole(`/${id}`);

    const checks = page.locator('#act-approve label');
    await page.keyboard.press('a');
    const found = (await checks.allInnerTexts()).filter((text) => text.startsWith('I checked')).sort();
    expect(found).toEqual([
      'I checked Identity document, Front: The picture may be blurred',
      'I checked Identity document, Issuing country: The country differs from another one given (Poland (PL))',
      'I checked Person, National identity number: The national identity number does not fit the rules of its country (Poland (PL))',
    ]);
    await page.locator('.case-warnings').getByText('Countries differ').click();
    const row = page.locator(new URL(page.url()).hash);
    expect(await row.innerText()).toContain('Germany (DE)');
    expect(await page.locator('[data-picture]').first().innerText()).toContain('Blurred?');
    complaints.expectNone();

    await page.goto(`${site.origin}/review/${person}`);
    await page.keyboard.press('a');
    expect(await wordsOf(page)).toContain('No warnings.');
  });
});

const firstPicture = (page: Page) => page.locator('[data-picture] img').first();
const widthOf = (page: Page) =>
  firstPicture(page).evaluate((img: { style: { width: string } }) => Number.parseFloat(img.style.width));
const turnOf = (page: Page) =>
  firstPicture(page).evaluate(
    (img: { style: { transform: string } }) => /rotate\(\d+deg\)/.exec(img.style.transform)?.[0],
  );
const scrollOf = (page: Page) =>
  page
    .locator('[data-frame]')
    .first()
    .evaluate((frame: { scrollLeft: number }) => frame.scrollLeft);
