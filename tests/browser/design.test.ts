// Thirteen pages, each in four looks and under six conditions: only here are all parts drawn with values that are hard to lay out.
import { bringChecks, outlineOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor, type Outfit, type Visitor } from '@countersign/test-support/browser/browser';
import {
  bringMeasures,
  createLayouts,
  layoutFaultsOf,
  layoutOf,
  type Measuring,
  openMeasuring,
} from '@countersign/test-support/browser/layout';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

/** The pages of parts, by the names of their stored accessibility trees. */
const PAGES = [
  ['parts', '/design'],
  ['list', '/design/list?rows=three'],
  ['list-empty', '/design/list?rows=none'],
  ['list-many', '/design/list?rows=many'],
  ['list-middle', '/design/list?rows=many&state=verification.pending&after=x'],
  ['list-last', '/design/list?rows=many&after=z'],
  ['list-refused', '/design/list?state=ship&from=31'],
  ['fields-refused', '/design/fields?refused'],
  ['subject', '/design/subject'],
  ['answers-refused', '/design/answers?refused'],
  ['detail', '/design/detail?done=renewed'],
  ['case', '/design/case'],
  ['end', '/design/end'],
] as const;

/** Lists what is drawn without a border that can be seen, in the colours of the system. Runs in the page. */
const WITHOUT_BORDER = `(() => {
  const parts = [...document.querySelectorAll('.badge, button, .button, input, select, textarea, .card, .notice')];
  return parts.filter((part) => {
    if (!part.checkVisibility() || part.matches('.list *, .filters *, .link-button, .phone-offer *, .user-menu *, [type=checkbox], [type=radio]')) return false;
    const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(part);
    return borderTopStyle === 'none' || parseFloat(borderTopWidth) < 1 || borderTopColor === backgroundColor;
  }).map((part) => part.outerHTML.slice(0, 120));
})()`;

/** An open menu lies over the links below it. tests/browser/menus checks open ones. Runs in the page. */
const CLOSE_MENUS = `for (const menu of document.querySelectorAll('details.menu')) menu.open = false;`;

/**
 * Lists the links to the present page that look like the others, in the colours of the system: without a background of their
 * own, which lets that of the page through, or with the page's. Runs in the page.
 */
const CURRENT_UNMARKED = `[...document.querySelectorAll('[aria-current]')]
  .filter((part) => {
    const [own, page] = [part, document.body].map((one) => getComputedStyle(one).backgroundColor);
    return own === page || own === 'transparent' || / 0\\)$/.test(own);
  })
  .map((part) => part.outerHTML)`;

/** Reports where the head of the first table is, and whether anything lies over it. Runs in the page. */
const TABLE_HEAD = `(() => {
  const head = document.querySelector('.table thead th');
  const { left, top, width, height } = head.getBoundingClientRect();
  const bar = document.querySelector('.shell').getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return { top, bar: innerWidth < 1024 ? bar.bottom : 0, isSeen: head.contains(above), rowsAbove: [...document.querySelectorAll('.table tbody tr')].filter((row) => row.getBoundingClientRect().bottom < top).length };
})()`;
interface TableHead {
  readonly top: number;
  /** The lower edge of the bar above the page, 0 with a rail beside it. */
  readonly bar: number;
  readonly isSeen: boolean;
  readonly rowsAbove: number;
}

/** Lists the icons and drawings that are larger than a line or a picture beside text. Runs in the page. */
const LARGE_DRAWINGS = `[...document.querySelectorAll('svg.icon, svg.drawing')]
  .filter((part) => part.getBoundingClientRect().width > (part.matches('.icon') ? 24 : 120)).map((part) => part.outerHTML)`;

const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

/** Kinds of elements that axe has checked on earlier pages. Each kind looks the same on all pages. */
const checkedInThemes = new Set<string>();
const checkedInForcedColours = new Set<string>();

/** Adds the kinds of elements of a page to those that were checked, and returns the new ones. */
function addedTo(checked: Set<string>, kinds: readonly string[]): string[] {
  const added = kinds.filter((kind) => !checked.has(kind));
  for (const kind of added) checked.add(kind);
  return added;
}

describeWith(['chromium'], 'the pages of all parts', () => {
  let server: ServerProcess;
  let origin: string;
  let visitor: Visitor;
  let measure: Measuring;

  beforeAll(async () => {
    server = await startServer({ flags: ['--design-pages'] });
    origin = `http://localhost:${server.port}`;
    visitor = await open({});
    measure = await openMeasuring(visitor.context, origin);
  });

  async function open(outfit: Outfit): Promise<Visitor> {
    const opened = await newVisitor(origin, { screen: 'desktop', ...outfit });
    await bringChecks(opened.page);
    await bringMeasures(opened.page);
    return opened;
  }

  /** Loads a page, unless it is open already: media and sizes of an open page change without loading it again. */
  async function showPage(path: string): Promise<void> {
    const { page } = visitor;
    if (page.url() !== origin + path) await page.goto(origin + path);
  }

  /** Lists the faults of the layout at the present size. */
  async function faultsOf(page: Page): Promise<string[]> {
    return createLayouts().faultsOf(await layoutOf(page), page.url());
  }

  async function setLook({ width, colorScheme }: (typeof LOOKS)[number]): Promise<void> {
    await visitor.page.setViewportSize({ width, height: 900 });
    await visitor.page.emulateMedia({ colorScheme, forcedColors: 'none' });
  }

  const treeOf = (page: Page) => page.locator('body').ariaSnapshot();

  describe.each(PAGES)('%s', (name, path) => {
    it('the page keeps its layout at every width', async () => {
      const { page } = visitor;
      await setLook(LOOKS[0]);
      await showPage(path);
      expect(await layoutFaultsOf(page, measure)).toEqual([]);
    });

    it('the page is accessible in both themes, and says the same in each', async () => {
      const { page, complaints } = visitor;
      await showPage(path);
      for (const look of LOOKS) {
        await setLook(look);
        await expect(`${await treeOf(page)}\n`).toMatchFileSnapshot(`./design/${name}-${look.width}.txt`);
      }
      const { faults, kinds } = await outlineOf(page);
      expect(faults).toEqual([]);
      await page.evaluate(CLOSE_MENUS);
      const added = addedTo(checkedInThemes, kinds);
      // More rows of the same kind break no other rule.
      const isLonger = ['list-many', 'list-middle', 'list-last'].includes(name);
      for (const look of LOOKS.toReversed()) {
        await setLook(look);
        const isWhole = look === LOOKS[0] && !isLonger;
        expect(await violationsOf(page, isWhole ? 'all' : 'look', isWhole ? undefined : added)).toEqual([]);
      }
      complaints.expectNone();
    });

    it('the page shows in the colours of the system where each part ends', async () => {
      const { page } = visitor;
      await showPage(path);
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await page.evaluate(WITHOUT_BORDER)).toEqual([]);
      expect(await page.evaluate(CURRENT_UNMARKED)).toEqual([]);
      const { kinds } = await outlineOf(page);
      await page.evaluate(CLOSE_MENUS);
      expect(await violationsOf(page, 'look', addedTo(checkedInForcedColours, kinds))).toEqual([]);
    });
  });

  it.each([200, 400])(
    'the pages keep their layout at a zoom of %d % of a window of 1280 by 1024 pixels',
    async (zoom) => {
      const pixelRatio = zoom / 100;
      const { page } = await open({ pixelRatio });
      await page.setViewportSize({ width: 1280 / pixelRatio, height: 1024 / pixelRatio });
      const faults: string[] = [];
      for (const [, path] of PAGES) {
        await page.goto(origin + path);
        faults.push(...(await faultsOf(page)).map((fault) => `${path} ${fault}`));
      }
      expect(faults).toEqual([]);
    },
  );

  it.each([1280, 768])(
    'the head of a long table stays in sight below the bar while its rows scroll, %d pixels wide',
    async (width) => {
      const { page } = visitor;
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      await page.setViewportSize({ width, height: 500 });
      await page.goto(`${origin}/design/list?rows=many`);
      await page.evaluate(
        "document.querySelector('.table tbody tr:nth-child(12)').scrollIntoView({ block: 'start' })",
      );
      const { top, bar, isSeen, rowsAbove } = await page.evaluate<TableHead>(TABLE_HEAD);
      expect(top).toBe(bar);
      expect(isSeen).toBe(true);
      expect(rowsAbove).toBeGreaterThan(5);
    },
  );

  it('the pages show everything without a script, and no button that needs one', async () => {
    const { page, complaints } = await open({ javaScript: false });
    for (const [, path] of PAGES) {
      await page.goto(origin + path);
      expect(await page.locator('h1').isVisible(), path).toBe(true);
      expect(await page.locator('button[data-copy]:visible').count(), path).toBe(0);
    }
    await page.goto(`${origin}/design`);
    await page.getByLabel('Actions: a key').click();
    expect(await page.getByRole('link', { name: 'Revoke' }).isVisible()).toBe(true);
    complaints.expectNone();
  });

  it('the pages can be read without a stylesheet', async () => {
    const { page, context } = await open({});
    await context.route('**/*.css', (route) => route.abort());
    for (const [, path] of PAGES) {
      await page.goto(origin + path);
      expect(await page.locator('h1').isVisible(), path).toBe(true);
      expect(await page.evaluate(LARGE_DRAWINGS), path).toEqual([]);
      expect(
        (await outlineOf(page)).faults.filter((fault) => !fault.includes('pixels wide')),
        path,
      ).toEqual([]);
    }
  });
});
