// Walks a subject through every screen in two looks of a client.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubjectType } from '@countersign/domain';
import { contrastOf } from '@countersign/domain/clients';
import { animatedPngOf, blackPng } from '@countersign/test-support/attack-files/png-files';
import { bringChecks, outlineOf, tooWideOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press } from '@countersign/test-support/browser/dashboard';
import { walk } from '@countersign/test-support/browser/walk';
import { extent } from '@countersign/test-support/installation/extent';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';

const NAME = 'Zoë & Söhne';
/** Too light for text on white, and its white text could not be read. */
const COLOUR = '#ffd400';

const TITLES = {
  kyc: {
    en: `${NAME} asks you to verify your identity`,
    de: `${NAME} bittet Sie, Ihre Identität zu bestätigen`,
  },
  kyb: {
    en: `${NAME} asks you to verify your business`,
    de: `${NAME} bittet Sie, Ihr Unternehmen prüfen zu lassen`,
  },
} as const;
const LOCALES = { en: 'en-GB', de: 'de-DE' } as const;

/** A word mark on a transparent ground. */
function logo(): Promise<Buffer> {
  const mark =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="150"><rect x="20" y="20" width="560" height="110" fill="#1d2b53"/></svg>';
  return sharp(Buffer.from(mark)).png().toBuffer();
}

describeWith(['chromium'], 'the appearance of a client', () => {
  let site: CountersignSite;
  let owner: StaffForms;

  beforeAll(async () => {
    site = await startSite({ TRUST_PROXY: '1' });
    owner = await newTeamMember(site.server, site.clientId);
    await owner.confirm();
  });

  const open = (page: Page, path: string) => page.goto(site.origin + path);

  /** Checks the open page with axe, in both themes: the dark one changes only the look. */
  async function expectAccessible(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect((await outlineOf(page)).faults, colorScheme).toEqual([]);
      expect(await tooWideOf(page), colorScheme).toEqual([]);
      expect(await violationsOf(page, colorScheme === 'light' ? 'all' : 'look'), colorScheme).toEqual([]);
    }
    // The checks open every menu, and an open menu covers what stands below it.
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = false");
  }

  async function upload(page: Page, content: Buffer | string): Promise<void> {
    const file =
      typeof content === 'string' ? content : { name: 'logo.png', mimeType: 'image/png', buffer: content };
    await page.locator('input[type=file]').setInputFiles(file);
    await press(page, 'Upload');
  }

  it('the appearance of a client is set by an owner, who sees a preview in both themes first', async () => {
    const { page, complaints } = await atTheDashboard(site, owner, { screen: 'narrow' });
    await bringChecks(page);
    await open(page, '/dashboard/settings');
    await follow(page, 'Change the appearance');
    await page.locator('[name=displayName]').fill(NAME);
    await page.locator('[type=color]').fill(COLOUR);
    await page.locator('[name=supportAddress]').fill('help@shop.example');
    await page.locator('[name=privacyAddress]').fill('https://shop.example/privacy');
    await press(page, 'Show preview');
    expect(await page.locator('[name=displayName]').inputValue()).toBe(NAME);
    expect(await page.locator('[name=colour]').inputValue()).toBe(COLOUR);
    const titles = await page.locator('.appearance-preview-title').allInnerTexts();
    expect(titles.slice(0, 2)).toEqual([TITLES.kyc.en, TITLES.kyc.en]);
    // Eleven pages of the flow, and those on a phone and after a request.
    expect(titles).toHaveLength(2 * 13);
    expect(await page.locator('.appearance-preview').locator('a, button, input').count()).toBe(0);
    for (const theme of ['light', 'dark']) {
      const button = await coloursOf(page, `.appearance-preview.${theme} .appearance-preview-button`);
      expect(button.background, theme).toBe(COLOUR);
      expect(contrastOf(button.text, button.background), theme).toBeGreaterThanOrEqual(4.5);
      const link = await coloursOf(page, `.appearance-preview.${theme} .appearance-preview-link`);
      const surface = await coloursOf(page, `.appearance-preview.${theme}`);
      expect(contrastOf(link.text, surface.background), theme).toBeGreaterThanOrEqual(4.5);
    }
    await expectAccessible(page);
    await press(page, 'Save');
    expect(await page.getByText('The appearance is saved.').isVisible()).toBe(true);

    await open(page, '/dashboard/face');
    await upload(page, await logo());
    expect(await page.getByText('The logo is saved.').isVisible()).toBe(true);
    await open(page, '/dashboard/face');
    expect(await isLoaded(page, '.appearance-preview.dark .appearance-logo >> nth=0')).toBe(true);
    await expectAccessible(page);
    complaints.expectNone();
  });

  it.each<[what: string, make: () => Promise<Buffer | string> | Buffer, message: string]>([
    [
      'an SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'The file is not a JPEG, PNG or WebP picture',
    ],
    ['a bomb', () => Buffer.from(blackPng(20_000, 20_000)), 'The picture has more than 40 megapixels'],
    ['50 MB', () => largeFile(), 'The file is larger than 25 MB'],
    ['a text', () => Buffer.from('no picture'), 'The file is not a JPEG, PNG or WebP picture'],
    ['an animation', async () => Buffer.from(await animatedPngOf(2)), 'or it is animated'],
    ['half a picture', async () => (await logo()).subarray(0, 200), 'The file is damaged'],
  ])('a logo that is %s is refused at the field, and nothing changes', async (_, make, message) => {
    const { page, complaints } = await atTheDashboard(site, owner);
    await open(page, '/dashboard/face');
    const before = await page.locator('.appearance-preview').first().innerHTML();
    await upload(page, await make());
    expect(await page.locator('.field-error').innerText()).toContain(message);
    expect(await page.locator('.error-summary, [role=alert]').first().innerText()).toContain(message);
    await open(page, '/dashboard/face');
    expect(await page.locator('.appearance-preview').first().innerHTML()).toBe(before);
    complaints.expectNone();
  });

  it('details that are not saved stay when the logo is sent or refused, without a script', async () => {
    const { page, complaints } = await atTheDashboard(site, owner, { javaScript: false });
    await open(page, '/dashboard/face');
    const name = page.locator('[name=displayName]');
    const saved = await name.inputValue();
    await name.fill('Not saved');
    await page.locator('[type=color]').fill('#0000ff');
    await upload(page, await logo());
    expect(await page.getByText('If you have changed the details, save them as well.').isVisible()).toBe(true);
    expect(await name.inputValue()).toBe('Not saved');
    await upload(page, Buffer.from('no picture'));
    expect(await page.locator('.field-error').innerText()).toContain(
      'The file is not a JPEG, PNG or WebP picture',
    );
    await press(page, 'Appearance');
    expect(await name.inputValue()).toBe('Not saved');
    expect(await page.locator('[name=colour]').inputValue()).toBe('#0000ff');
    await open(page, '/dashboard/face');
    expect(await name.inputValue()).toBe(saved);
    complaints.expectNone();
  });

  // The short run takes the first two: both types and both languages.
  const subjects: readonly [SubjectType, 'en' | 'de'][] = [
    ['kyc', 'de'],
    ['kyb', 'en'],
    ['kyc', 'en'],
    ['kyb', 'de'],
  ];
  describe.each(subjects.slice(0, extent({ full: 4, short: 2 })))(
    'a subject of %s in %s, at 320 px',
    (type, language) => {
      /** Expects logo, colour and contacts, readable in both themes. */
      async function expectAppearance({ page }: Visitor): Promise<void> {
        expect(await isLoaded(page, 'header .appearance-logo')).toBe(true);
        expect(await page.locator('header .appearance-logo').getAttribute('alt')).toBe(NAME);
        expect(await page.locator('footer a').allInnerTexts()).toEqual([
          'help@shop.example',
          'https://shop.example/privacy',
        ]);
        await expectAccessible(page);
      }

      it('sees who asks, from the first page to the last', async () => {
        const [{ url }, answered] = await Promise.all([site.create(type), site.createAnswered(type, 'check')]);
        const visitor = await newVisitor(site.origin, { screen: 'narrow', locale: LOCALES[language] });
        const { page, complaints } = visitor;
        await bringChecks(page);

        await page.goto(url);
        expect(await page.locator('h1').innerText()).toBe(TITLES[type][language]);
        expect(await page.title()).toBe(TITLES[type][language]);
        await expectAppearance(visitor);
        const action = await coloursOf(page, '.next button');
        expect(action.background).toBe(COLOUR);
        expect(contrastOf(action.text, action.background)).toBeGreaterThanOrEqual(4.5);

        expect(await page.locator('.consent-text').textContent()).toContain(NAME);
        await page.locator('[name=accepted]').check();
        await expectAppearance(visitor);

        await page.goto(answered.url);
        await walk(page, type);
        await expectAppearance(visitor);
        expect(await page.title()).toMatch(new RegExp(` – ${NAME}$`));
        complaints.expectNone();

        const { submittedData } = await site.details(answered.id);
        expect(submittedData.consent).toMatchObject({
          version: expect.stringMatching(new RegExp(`^${type}-`)),
        });
      });
    },
  );

  it('a messenger shows who asks for what beside a pasted link', async () => {
    const { url } = await site.create('kyb');
    const answer = await fetch(url, { headers: { 'User-Agent': 'WhatsApp/2.23' }, redirect: 'manual' });
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain(`<meta property="og:title" content="${TITLES.kyb.en.replace('&', '&amp;')}"`);
    const image = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const picture = await fetch(image);
    expect(picture.headers.get('Content-Type')).toBe('image/png');
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({
      width: 512,
      height: 128,
    });
  });
});

/** Writes 50 MB of zeros to a file: the browser's protocol takes no larger content. */
async function largeFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'logo-'));
  const file = join(folder, 'logo.png');
  writeFileSync(file, Buffer.alloc(50 * 1024 * 1024));
  setTimeout(() => rmSync(folder, { recursive: true, force: true }), 60_000).unref();
  return file;
}

const isLoaded = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .evaluate<boolean, { complete: boolean; naturalWidth: number }>(
      (image) => image.complete && image.naturalWidth > 0,
    );

/** What these tests use of a window: they are compiled without the types of browsers. */
interface View {
  getComputedStyle(element: unknown): Record<string, string>;
}

/** Reads the colours of an element as `#rrggbb`. */
async function coloursOf(page: Page, selector: string): Promise<{ text: string; background: string }> {
  const [text, background] = await page
    .locator(selector)
    .first()
    .evaluate<string[], { ownerDocument: { defaultView: View } }>((element) => {
      const view = element.ownerDocument.defaultView;
      const style = view.getComputedStyle(element);
      return [style.color ?? '', style.backgroundColor ?? ''];
    });
  return { text: hexOf(text ?? ''), background: hexOf(background ?? '') };
}

function hexOf(colour: string): string {
  const channels = [...colour.matchAll(/\d+/g)].slice(0, 3).map(([value]) => Number(value));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
