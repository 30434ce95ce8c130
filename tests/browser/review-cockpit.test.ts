// Twelve subjects answer each step, and their pictures are decoded and sealed.
import type { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { leaving } from '@countersign/test-support/browser/leaving';
import { givenStaff, newStaffVisitor, type Staff } from '@countersign/test-support/browser/staff';
import { blurredCard, card } from '@countersign/test-support/pages/pictures';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

/** How often the reviewer did something, by the events of the pages. */
interface Effort {
  readonly keys: number;
  readonly clicks: number;
  readonly loads: number;
  readonly scrolls: number;
}

describeWith(['chromium'], 'the cockpit', () => {
  let site: CountersignSite;
  let reviewer: Staff;

  beforeAll(async () => {
    site = await startSite();
    reviewer = await givenStaff(site);
  });

  /** Opens the first case and counts from there. */
  async function startReviewing(options: Parameters<typeof newVisitor>[1] = {}) {
    const visitor = await newStaffVisitor(site, reviewer, options);
    const { page, context } = visitor;
    await page.setViewportSize({ width: 1280, height: 800 });
    await context.addInitScript(COUNT);
    await page.goto(`${site.origin}/review`);
    await leaving(page, () => page.getByRole('button', { name: 'Start reviewing' }).click());
    await page.evaluate('sessionStorage.clear()');
    return visitor;
  }

  it('ten clean cases take 20 keys, 10 loads and no scroll', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await site.createAnswered('kyc')).id));
    const { page, complaints } = await startReviewing();

    for (const _ of ids) {
      expect(await inSight(page)).toEqual([]);
      await page.keyboard.press('a');
      await leaving(page, () => page.keyboard.press('Enter'));
    }

    expect(new URL(page.url()).pathname).toBe('/review');
    expect(await page.getByRole('status').innerText()).toMatch(/^\s*Approved: \S+ · View$/);
    expect(await effortOf(page)).toEqual({ keys: 20, clicks: 0, loads: 10, scrolls: 0 });
    for (const id of ids) expect((await site.details(id)).status).toBe('approved');
    complaints.expectNone();
  });

  it('a clean case takes two clicks, and the keys of pictures, reasons and back work', async () => {
    const [first, second] = [await site.createAnswered('kyc'), await site.createAnswered('kyc')];
    const { page, complaints } = await startReviewing();
    const inView = page.locator('.view:visible');

    await clickAt(page, '#act-approve > summary');
    await leaving(page, () => clickAt(page, '#act-approve [data-yes]'));
    expect(await effortOf(page)).toEqual({ keys: 0, clicks: 2, loads: 1, scrolls: 0 });
    expect((await site.details(first.id)).status).toBe('approved');

    await page.keyboard.press('2');
    expect(await inView.locator('figcaption').innerText()).toContain('Document, back');
    await page.keyboard.press('s');
    expect(await inView.locator('figcaption').allInnerTexts()).toEqual(['Document, front', 'Selfie']);
    await page.keyboard.press('1');
    await page.keyboard.press('+');
    await page.keyboard.press('b');
    expect(await inView.locator('.is-zoomed').count()).toBe(1);

    await page.keyboard.press('c');
    await page.keyboard.press('Space');
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    expect(await page.locator('#act-ask .preview').innerText()).toMatch(
      /^Identity document, .+: The picture of the document shows a reflection/,
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.keyboard.press('7');
    await page.keyboard.press('Enter');
    expect(await page.locator('#act-ask').getAttribute('open')).toBeNull();
    expect(await page.locator('#act-reject .preview').innerText()).toContain('Data does not match the document');
    await leaving(page, () => page.keyboard.press('Enter'));
    expect((await site.details(second.id)).decision).toMatchObject({ reasonCodes: ['data_mismatch'] });
    complaints.expectNone();
  });

  it('a case with a warning does not go in two keys: it needs its tick', async () => {
    const [blurred, sharp] = [await blurredCard('front'), await card('sharp')].map(
      (picture) => new Blob([picture], { type: 'image/jpeg' }),
    );
    const { id } = await site.createAnswered('kyc', undefined, {
      file: (slug) => (slug === 'document-front' ? blurred : sharp) ?? new Blob([]),
    });
    const { page, complaints } = await startReviewing();

    await page.keyboard.press('w');
    expect(await page.locator(':focus').innerText()).toContain('The picture may be blurred');
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('name')).toBe('approve.checkedWarnings');
    expect((await site.details(id)).status).toBe('submitted');
    await page.keyboard.press('Space');
    await leaving(page, () => page.keyboard.press('Enter'));
    expect((await site.details(id)).status).toBe('approved');
    complaints.expectNone();
  });
});

/** Clicks as a hand does: Playwright's click may scroll first. */
async function clickAt(page: Page, part: string): Promise<void> {
  const box = await page.locator(part).boundingBox();
  if (box === null) throw new Error(`${part} is not in sight`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Counts in the storage of the tab, which outlives its pages. */
const COUNT = `
  const count = (name) => sessionStorage.setItem(name, String(Number(sessionStorage.getItem(name)) + 1));
  addEventListener('keydown', () => count('keys'), true);
  addEventListener('click', ({ detail }) => detail > 0 && count('clicks'), true);
  addEventListener('load', () => count('loads'));
  addEventListener('scroll', () => count('scrolls'), true);
`;

const effortOf = (page: Page): Promise<Effort> =>
  page.evaluate(
    `Object.fromEntries(['keys', 'clicks', 'loads', 'scrolls'].map((name) => [name, Number(sessionStorage.getItem(name))]))`,
  );

/** Names what of a clean case is not wholly in the window: the picture, its answers, the decision. */
async function inSight(page: Page): Promise<string[]> {
  const height = page.viewportSize()?.height ?? 0;
  const parts = ['.view:visible .picture-frame', '.rows:visible', '#decision'];
  const boxes = await Promise.all(parts.map((part) => page.locator(part).first().boundingBox()));
  const foot = boxes[2]?.y ?? 0;
  return parts.filter((part, index) => {
    const box = boxes[index];
    return (
      box === null ||
      box === undefined ||
      box.y < 0 ||
      box.y + box.height > (part === '.rows:visible' ? foot : height)
    );
  });
}
