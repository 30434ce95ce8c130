// Draws mails in a browser.
import { LANGUAGES } from '@countersign/domain';
import { contrastOf } from '@countersign/domain/clients';
import type { MailContent, MailValues } from '@countersign/domain/mail';
import { bringChecks, outlineOf, tooWideOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Visitor } from '@countersign/test-support/browser/browser';
import { describeWith } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';
import { contentOf, EVERY_MAIL, LOGO, NOW, writtenMail } from '../test-support/contents.ts';

const ORIGIN = 'https://verify.example';
/** Runs in the page. Reads the name in place of the logo, its colour and the colour behind it. */
const READS_NAME = `(() => {
  const hex = (colour) => '#' + colour.match(/\\d+/g).map((part) => Number(part).toString(16).padStart(2, '0')).join('');
  const image = document.querySelector('img');
  const behind = [image, document.body].map((part) => getComputedStyle(part).backgroundColor);
  return [image.alt, getComputedStyle(image).color, behind.find((colour) => !colour.startsWith('rgba'))].map(
    (text, index) => index === 0 ? text : hex(text));
})()`;

const WIDTHS = [360, 700];

/** A picture that loads without a request. */
const picture = (width: number, height: number) => ({
  url: `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/>`,
  width,
  height,
});

type Values = Partial<MailValues['verification.action_needed']>;

/** Clients that strain the layout, each with the width at which its logo is drawn. */
const CLIENTS: readonly (readonly [about: string, values: Values, logoWidth: number | null])[] = [
  ['a wide logo and a page of help', { logo: picture(480, 96), supportAddress: 'https://shop.example/help' }, 200],
  ['a square logo and a bright colour', { logo: picture(96, 96), colour: '#ffd400' }, 40],
  ['a logo eight times as wide as high', { logo: picture(512, 64), colour: '#000000' }, 240],
  ['a logo eight times as high as wide', { logo: picture(32, 256), colour: '#ffffff' }, 5],
  ['a blocked logo', { logo: { ...LOGO, url: 'data:image/png,broken' }, colour: '#7f7f7f' }, 200],
  [
    'a name of 60 wide characters',
    { clientName: 'W'.repeat(60), supportAddress: `${'w'.repeat(60)}@shop.example` },
    null,
  ],
  ['a name from right to left', { clientName: 'شركة المرفأ', colour: '#1d4f91' }, null],
];

/** Mails of every layout, with the width of their logo. */
const LAYOUTS: readonly (readonly [about: string, content: MailContent, logoWidth: number | null])[] = [
  ...CLIENTS.map(
    ([about, values, width]) => [about, contentOf('verification.action_needed', { values }), width] as const,
  ),
  ['a mail of the service', contentOf('user.invitation'), null],
  ['a link that ended', contentOf('verification.result', { values: { linkExpiresAt: NOW } }), null],
];

/** A mail has no landmarks: it is shown inside the page of a mail program. */
const ABOUT_LANDMARKS = /^0 main landmarks$|^(?:region|landmark-one-main) /;

/** Finds what makes a mail wider than the window, at each width. */
async function tooWideAt(page: Visitor['page']): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 600 });
    found.push(...(await tooWideOf(page)));
  }
  return found;
}

describeWith(['chromium'], 'a mail in a browser', () => {
  it.each(LANGUAGES)('every mail in %s fits the window', async (locale) => {
    const { page } = await newVisitor(ORIGIN, { screen: 'desktop' });
    await bringChecks(page);
    await page.goto('about:blank');
    const found: string[] = [];
    for (const [name, content] of EVERY_MAIL) {
      await page.setContent(writtenMail({ ...content, locale }).html);
      found.push(...(await tooWideAt(page)).map((fault) => `${name}: ${fault}`));
    }
    expect(found).toEqual([]);
  });

  describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
    it('fits and can be read in every layout', async () => {
      const { page } = await newVisitor(ORIGIN, { screen: 'desktop', theme });
      await bringChecks(page);
      await page.goto('about:blank');
      const found: string[] = [];
      for (const [about, content, logoWidth] of LAYOUTS) {
        await page.setContent(writtenMail(content).html);
        const { faults } = await outlineOf(page);
        const all = [...faults, ...(await tooWideAt(page)), ...(await violationsOf(page))];
        found.push(...all.filter((fault) => !ABOUT_LANDMARKS.test(fault)).map((fault) => `${about}: ${fault}`));
        if (logoWidth === null) continue;
        const logo = page.locator('img');
        expect(await logo.getAttribute('width'), about).toBe(String(logoWidth));
        expect((await logo.boundingBox())?.height, about).toBeLessThanOrEqual(48);
      }
      expect(found).toEqual([]);
    });

    it('names the client whose logo is blocked', async () => {
      const { page } = await newVisitor(ORIGIN, { screen: 'desktop', theme });
      const logo = { ...LOGO, url: 'data:image/png,broken' };
      await page.setContent(writtenMail(contentOf('verification.link', { values: { logo } })).html);
      const [name, colour, background] = await page.evaluate<string[]>(READS_NAME);
      expect(name).toBe('Acme');
      expect(contrastOf(colour ?? '', background ?? '')).toBeGreaterThanOrEqual(4.5);
    });
  });
});
