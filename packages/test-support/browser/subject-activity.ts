import type { Frame, Page } from 'playwright-core';

/** What a subject did so far. */
export interface SubjectActivity {
  /** The screens that were shown, by slug, in their order. */
  readonly screens: readonly string[];
  /** The fields that were typed or chosen, by screen and name. A date is one; a picture is none. */
  readonly inputs: ReadonlySet<string>;
  /** Counts the taps and clicks on the screen with this slug, or on all. */
  taps(slug?: string): number;
}

/** Counts what happens on the pages of a tab from now on. */
export async function recordActivity(page: Page): Promise<SubjectActivity> {
  const screens: string[] = [];
  const inputs = new Set<string>();
  const taps: string[] = [];
  const slugIn = (address: string) => new URL(address).pathname.split('/')[3] ?? 'state';
  page.on('framenavigated', (frame: Frame) => {
    const slug = slugIn(frame.url());
    if (screens.at(-1) !== slug) screens.push(slug);
  });
  await page.exposeFunction('countTap', (address: string) => void taps.push(slugIn(address)));
  await page.exposeFunction('countInput', (address: string, name: string) => {
    inputs.add(`${slugIn(address)}: ${name.replace(/\.(day|month|year)$/, '')}`);
  });
  await page.addInitScript(`
    addEventListener('pointerdown', () => countTap(location.href), true);
    addEventListener('input', ({ target }) => {
      if (target.type !== 'file') countInput(location.href, target.name);
    }, true);
  `);
  return {
    screens,
    inputs,
    taps: (slug) => taps.filter((each) => slug === undefined || each === slug).length,
  };
}
