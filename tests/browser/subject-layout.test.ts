// Walks the focus through eleven screens in three sizes: only a browser lays them out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectType } from '@countersign/domain';
import { bringChecks, outlineOf, tooWideOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Outfit, takeSession, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, press } from '@countersign/test-support/browser/dashboard';
import { leaving } from '@countersign/test-support/browser/leaving';
import { card } from '@countersign/test-support/pages/pictures';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';

/** More controls than any page of the test has. */
const TABS_MAX = 80;
/** Every page has a header, a footer and a form. */
const CONTROLS_MIN = 5;

/** What has the focus, and what covers it. */
interface Focused {
  readonly name: string;
  readonly isCovered: boolean;
}

/** Runs in the page. Reports what lies over the middle of the focused control, or over the part of it in the window. */
const FOCUSED = `(() => {
  const control = document.activeElement;
  const { left, right, top, bottom } = control.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const above = document.elementFromPoint(x, y);
  const next = document.querySelector('.next')?.getBoundingClientRect();
  const isNext = control.closest('.next') !== null;
  const overlaps = next !== undefined && !isNext && bottom > next.top + 1 && top < next.bottom - 1;
  const isCovered = overlaps || above === null || !(control.contains(above) || above.contains(control));
  return { name: control.tagName + ' ' + (control.name || control.textContent.trim().slice(0, 30)), isCovered };
})()`;

/** Moves the focus through all controls of the page, and lists them. */
async function tabThrough(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Focused[]> {
  const all: Focused[] = [];
  for (let tab = 0; tab < TABS_MAX; tab += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate<Focused>(FOCUSED);
    if (focused.name.startsWith('BODY')) break;
    all.push(focused);
  }
  return all;
}

/** Lays out a mark of a size. */
function logo(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: '#1d2b53' } })
    .png()
    .toBuffer();
}

describeWith(['chromium'], 'the layout of the pages of a subject', () => {
  let site: CountersignSite;
  let owner: StaffForms;
  let dashboard: Visitor;
  const subjects = new Map<SubjectType, ReturnType<CountersignSite['createAnswered']>>();

  beforeAll(async () => {
    site = await startSite({ TRUST_PROXY: '1' });
    owner = await newTeamMember(site.server, site.clientId);
    await owner.confirm();
    dashboard = await atTheDashboard(site, owner);
  });

  /** Sets name and colour, and after that a logo, as an owner does. */
  async function setAppearance(fields: Readonly<Record<string, string>>, picture: Buffer | null): Promise<void> {
    const { page } = dashboard;
    await page.goto(`${site.origin}/dashboard/face`);
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
    await press(page, 'Show preview');
    await press(page, 'Save');
    if (picture === null) return;
    await page.goto(`${site.origin}/dashboard/face/logo`);
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: picture };
    await page.locator('input[type=file]').setInputFiles(file);
    await press(page, 'Upload');
  }

  /** Answers everything but the last screen, once for each type: all screens of it can be opened. */
  function answered(type: SubjectType): ReturnType<CountersignSite['createAnswered']> {
    const made = subjects.get(type) ?? site.createAnswered(type, 'check');
    subjects.set(type, made);
    return made;
  }

  async function openBrowser(outfit: Outfit): Promise<Visitor> {
    const visitor = await newVisitor(site.origin, outfit);
    await bringChecks(visitor.page);
    return visitor;
  }

  async function goTo({ page, context }: Visitor, type: SubjectType, slug: string): Promise<void> {
    const { url, id } = await answered(type);
    await takeSession(context, url);
    await page.goto(`${site.origin}/verify/${id}/${slug}`);
  }

  async function openPage(slug: string, outfit: Outfit = {}): Promise<Page> {
    const visitor = await openBrowser(outfit);
    await goTo(visitor, 'kyb', slug);
    return visitor.page;
  }

  describe.each([
    ['a phone', { screen: 'phone' }, { width: 390, height: 844 }],
    ['a small phone', { screen: 'narrow' }, { width: 320, height: 640 }],
    [
      'a window of 1280 by 1024 pixels at 400 % zoom',
      { screen: 'desktop', pixelRatio: 4 },
      { width: 320, height: 256 },
    ],
  ] as const)('on %s', (_, outfit, size) => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await openBrowser(outfit);
      await visitor.page.setViewportSize(size);
    });

    it.each<[SubjectType, string]>([
      ['kyc', 'consent'],
      ['kyc', 'document'],
      ['kyc', 'document-front'],
      ['kyc', 'document-front?again'],
      ['kyc', 'details'],
      ['kyc', 'selfie?again'],
      ['kyc', 'address'],
      ['kyc', 'check'],
      ['kyb', 'business'],
      ['kyb', 'owners'],
      ['kyb', 'check'],
    ])('no control with the focus is covered, and nothing is too wide: %s, %s', async (type, slug) => {
      const { page } = visitor;
      await goTo(visitor, type, slug);
      const forward = await tabThrough(page, 'Tab');
      const backward = await tabThrough(page, 'Shift+Tab');
      expect(forward.length).toBeGreaterThan(CONTROLS_MIN);
      expect([...forward, ...backward].filter(({ isCovered }) => isCovered)).toEqual([]);
      expect((await outlineOf(page)).faults).toEqual([]);
    });
  });

  it.each(['owners', 'check'])(
    'the next step stays at the lower edge of a phone, and stands in the page with a mouse: %s',
    async (slug) => {
      const page = await openPage(slug);
      const button = page.locator('.next');
      const bottomOf = async () => {
        const box = (await button.boundingBox()) ?? expect.fail('no next step');
        return Math.round(box.y + box.height);
      };
      expect(await bottomOf()).toBe(844);
      await page.setViewportSize({ width: 1280, height: 600 });
      expect(await bottomOf()).toBeGreaterThan(600);
    },
  );

  it.each<[string, Readonly<Record<string, string>>, [number, number] | null]>([
    ['a name of 60 wide letters', { displayName: 'W'.repeat(60) }, null],
    ['a name of 60 words', { displayName: 'Ö '.repeat(30).trim() }, null],
    ['a name from right to left', { displayName: 'بنك السلام للتحقق من الهوية 7' }, null],
    ['a tall logo', { colour: '#ffff00' }, [64, 512]],
    ['a wide logo', { colour: '#0000ff' }, [512, 64]],
  ])('the layout holds: %s', async (_, appearance, size) => {
    await setAppearance(appearance, size === null ? null : await logo(...size));
    const page = await openPage('business', { screen: 'narrow' });
    const form = page.url();
    const start = form.replace('/business', '');
    for (const [address, width] of [start, form].flatMap((at) =>
      [320, 640, 1280].map((to) => [at, to] as const),
    )) {
      if (page.url() !== address) await page.goto(address);
      await page.setViewportSize({ width, height: 640 });
      expect((await outlineOf(page)).faults, String(width)).toEqual([]);
      expect(await tooWideOf(page), String(width)).toEqual([]);
      const header = await page.locator('.site-bar').first().boundingBox();
      expect(header?.height, String(width)).toBeLessThanOrEqual(56);
      const picture = page.locator('.appearance-logo');
      if ((await picture.count()) > 0) expect((await picture.boundingBox())?.height).toBeLessThanOrEqual(32);
    }
    expect(await violationsOf(page)).toEqual([]);
  });

  it('the layout holds without styles and without a script', async () => {
    const { url, id } = await site.createAnswered('kyc', 'selfie');
    const { page, context } = await newVisitor(site.origin, { screen: 'narrow', javaScript: false });
    await context.route('**/*.css', (route) => route.abort());
    await takeSession(context, url);
    await page.goto(`${site.origin}/verify/${id}/selfie`);
    expect(await page.locator('h1').innerText()).toBe('Picture of your face');
    expect(await page.locator('label', { hasText: 'Picture of your face' }).isVisible()).toBe(true);
    expect(await page.locator('input[type=file]').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Send this file' }).isVisible()).toBe(true);
  });

  it('a file that is dropped on the area is the file of the form, without a script', async () => {
    const { url, id } = await site.createAnswered('kyc', 'selfie');
    const { page, context } = await newVisitor(site.origin, { screen: 'desktop', javaScript: false });
    await takeSession(context, url);
    await page.goto(`${site.origin}/verify/${id}/selfie`);
    const { x, y } = (await page.locator('.drop-words').boundingBox()) ?? expect.fail('no area');
    const file = join(temporaryFolder(), 'me.jpg');
    writeFileSync(file, await card('dropped'));
    const browser = await page.context().newCDPSession(page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      const data = { items: [], files: [file], dragOperationsMask: 1 };
      await browser.send('Input.dispatchDragEvent', { type, x: x + 4, y: y + 4, data });
    }
    await leaving(page, () => page.getByRole('button', { name: 'Send this file' }).click());
    expect(await page.locator('img.taken-picture').isVisible()).toBe(true);
  });
});
