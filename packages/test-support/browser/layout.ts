import type { BrowserContext, Page } from 'playwright-core';

/** Widths at which pages are measured. */
export const WIDTHS = [320, 390, 768, 1024, 1280, 1920] as const;
export type Width = (typeof WIDTHS)[number];

/** The frame around a page: its area decides about header, edge and the height of controls. */
type Area = 'staff' | 'case' | 'subject' | 'docs';

/** What one visit measures at one width, in pixels. */
export interface Layout {
  readonly width: number;
  readonly area: Area;
  /** Faults that this page has whatever other pages look like. */
  readonly faults: readonly string[];
  /** Where the content begins. */
  readonly edge: number;
  /** Sizes of type of the texts in sight. */
  readonly typeSizes: readonly number[];
}

/** From this width on, staff have a rail beside the page instead of a bar above it. */
const RAIL_FROM = 1024;
const HEADER_MAX = 56;
const ROOT_SIZE = '16px';
/** The heights of buttons and fields. */
const CONTROL: Readonly<Record<Area, number>> = { staff: 40, case: 40, subject: 48, docs: 40 };
const TYPE_SIZES_MAX = 6;
/** What Chromium keeps free in a list of choices, for its arrow and beside its text. */
const LIST_ARROW = 24;
/** The least height of a table's row, where rows are not two lines of their own. */
const ROW_MIN = 44;
const ROWS_FROM = 768;
/** Where sizes of type and heights of controls are read: media queries change them once between these. */
const WHOLE_AT: readonly Width[] = [320, 1280];

/**
 * Controls that are not as tall as the others of their area, each for its reason:
 * - inside another control, which is measured in their place: a filter's field, whose box is the control;
 * - a list of their own: items and the switch of a menu, filters as links, the way to another mode or language;
 * - as small as a line: "⋯" of a row, tools of a picture, what copies a sample of code, and what is drawn as a link;
 * - an area: several lines to write in, and where a file is dropped.
 */
const OTHER_HEIGHTS: readonly string[] = [
  '.filters > div *',
  '.menu-items *',
  '.menu > summary',
  '.shell-nav *',
  '.choices *',
  '.language-switch *',
  '.picture-controls *',
  '.sample-head *',
  '.phone-offer *',
  'textarea',
  '.drop *',
];

/** Adds the measuring to each page that the tab loads from now on. */
export async function bringMeasures(page: Page): Promise<void> {
  await page.addInitScript(MEASURES);
}

/** Measures the open page at the present width of the window. Leaves each `details` open. */
export function layoutOf(page: Page): Promise<Layout> {
  return page.evaluate<Layout>('layoutMeasures.measure()');
}

/**
 * Measures copies of a page at every width: of the open one, and of `others`, its HTML in other languages. Opens each `details`
 * of the copies.
 */
export type Measuring = (page: Page, others?: readonly string[]) => Promise<Layout[]>;

/**
 * Opens a page for the copies. Its hidden frames, one for each set of styles, show them: the browser neither loads styles again
 * nor paints, which would take longer than measuring.
 */
export async function openMeasuring(context: BrowserContext, origin: string): Promise<Measuring> {
  const frames = await context.newPage();
  await bringMeasures(frames);
  // Answered here, so that the content security policy of the pages does not apply.
  await frames.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }), {
    times: 1,
  });
  await frames.goto(`${origin}/measured`);
  return async (page, others = []) => {
    const html = await page.evaluate<string>('document.documentElement.outerHTML');
    return frames.evaluate<Layout[]>(`layoutMeasures.measureAll(${JSON.stringify([html, ...others])})`);
  };
}

/** Measures the open page at every width, and returns its faults. */
export async function layoutFaultsOf(page: Page, measure: Measuring): Promise<string[]> {
  const layouts = createLayouts();
  return (await measure(page)).flatMap((layout) => layouts.faultsOf(layout, page.url()));
}

/** Compares the layouts of many pages with each other. */
export interface Layouts {
  /** Returns the faults of a layout: its own, and where it differs from the pages before. */
  faultsOf(layout: Layout, what: string): string[];
}

export function createLayouts(): Layouts {
  /** Where the content of staff's pages begins at a width, and the first page that was measured there. */
  const edges = new Map<number, { readonly edge: number; readonly what: string }>();
  const typeSizes = new Map<number, string>();
  return {
    faultsOf({ width, area, faults, edge, typeSizes: sizes }, what) {
      const all = [...faults];
      for (const size of sizes) {
        if (typeSizes.has(size)) continue;
        typeSizes.set(size, what);
        if (typeSizes.size > TYPE_SIZES_MAX)
          all.push(`${size}px is one size of type too many: ${list(typeSizes)}`);
      }
      const first = edges.get(width) ?? { edge, what };
      if (area === 'staff') {
        edges.set(width, first);
        if (first.edge !== edge) all.push(`the content begins at ${edge}, at ${first.edge} on ${first.what}`);
      }
      return all.map((fault) => `${width} ${fault}`);
    },
  };
}

const list = (sizes: ReadonlyMap<number, string>): string =>
  [...sizes].map(([size, what]) => `${size}px (${what})`).join(', ');

/** Runs in the page, before its own scripts and outside its content security policy. */
const MEASURES = `(() => {
  const OTHER_HEIGHTS = ${JSON.stringify(OTHER_HEIGHTS.join(', '))};
  const CONTROL = ${JSON.stringify(CONTROL)};
  const CONTROLS = 'button, .button, select, input:not([type=checkbox], [type=radio], [type=range], [type=hidden]), .filters > div:not(.filter-buttons), .menu-switch > summary, .act > summary';

  const all = (selector, within = document.body) => [...within.querySelectorAll(selector)];
  const isSeen = (part) => part.checkVisibility({ visibilityProperty: true }) && part.closest('.visually-hidden, .skip-link') === null;
  const named = (part) => {
    const text = (part.textContent.trim() || part.name || '').slice(0, 40);
    return part.tagName.toLowerCase() + [...part.classList].map((name) => '.' + name).join('') + ' "' + text + '"';
  };
  /** The middles of lines of text are at least half a line of 16 pixels apart. */
  const linesOf = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const middles = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top, bottom }) => (top + bottom) / 2);
    return middles.sort((a, b) => a - b).filter((middle, index) => index === 0 || middle - middles[index - 1] > 8).length;
  };
  const near = (a, b) => Math.abs(a - b) < 0.6;

  const areaOf = ({ classList }) =>
    classList.contains('without-rail') && innerWidth >= ${RAIL_FROM} ? 'case'
      : ['staff', 'docs'].find((name) => classList.contains(name)) ?? 'subject';

  /** The header is one line; from its width on, the rail stands beside the page. */
  const headerFaults = (area) => {
    const header = document.querySelector('.shell, .site-header');
    // A document to keep has no header.
    if (header === null) return [];
    const bar = area === 'case' ? document.querySelector('.case-bar') : header.querySelector('.shell-bar, .site-bar');
    const faults = [];
    if (area === 'staff' && innerWidth >= ${RAIL_FROM}) {
      const rail = header.getBoundingClientRect();
      const main = document.querySelector('main').getBoundingClientRect();
      if (rail.left !== 0 || rail.right > main.left || rail.width > main.width / 2) faults.push('no rail beside the page');
      return faults;
    }
    // A menu that is open stands below its bar, in the same header.
    for (const line of header.matches('.shell') ? [bar] : [header, bar]) {
      const { height } = line.getBoundingClientRect();
      if (height > ${HEADER_MAX}) faults.push('the header is ' + height + ' pixels tall');
      if (line.scrollWidth > line.clientWidth) faults.push('the header is wider than the page');
    }
    for (const part of all('.brand, .shell-title, .menu-switch > summary, .language-switch', header)) {
      if (isSeen(part) && linesOf(part) > 1) faults.push('takes two lines: ' + named(part));
    }
    return faults;
  };

  const sidewaysFaults = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = all('*').filter((part) => part.getBoundingClientRect().right > clientWidth);
    return ['scrolls sideways to ' + scrollWidth + ': ' + out.slice(-3).map(named).join(', ')];
  };

  const wrappedFaults = () =>
    all('.badge, time').filter((part) => isSeen(part) && linesOf(part) > 1).map((part) => 'wraps: ' + named(part));

  const controlFaults = (area) => all(CONTROLS).flatMap((part) => {
    if (!isSeen(part) || part.matches(OTHER_HEIGHTS)) return [];
    const { height } = part.getBoundingClientRect();
    // Words that need two lines are taller.
    const isRight = near(height, CONTROL[area]) || (height > CONTROL[area] && linesOf(part) > 1);
    return isRight ? [] : [height + ' pixels tall: ' + named(part)];
  });

  const pen = document.createElement('canvas').getContext('2d');
  /** The text of an empty filter is not cut: its placeholder, or its first choice beside the arrow of the list. A single long word may be cut. */
  const cutFaults = () => all('.filters :is(input[placeholder], select)').flatMap((part) => {
    const isList = part.matches('select');
    if (!isSeen(part) || (isList && part.selectedIndex > 0)) return [];
    const { font, paddingLeft, paddingRight } = getComputedStyle(part);
    pen.font = font;
    const text = isList ? (part.selectedOptions[0]?.text ?? '') : part.placeholder;
    const { width } = pen.measureText(text);
    const room = part.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - (isList ? ${LIST_ARROW} : 0);
    return width <= room || !text.includes(' ') ? [] : ['cut after ' + Math.floor(room) + ' of ' + Math.ceil(width) + ' pixels: ' + named(part)];
  });

  /** A row has room for a finger and leads to one page. Quiet links lead to what it names, a menu holds what else it offers. */
  const rowFaults = () => all('.list .table tbody tr').filter(isSeen).flatMap((row) => {
    const { height } = row.getBoundingClientRect();
    const links = all('a[href], button', row).filter((part) => part.closest('.menu') === null && !part.matches('.quiet-link'));
    return [
      ...(innerWidth >= ${ROWS_FROM} && height < ${ROW_MIN} ? ['a row is ' + height + ' pixels tall: ' + named(row)] : []),
      ...(links.length > 1 ? [links.length + ' links in a row: ' + links.map(named).join(', ')] : []),
    ];
  });

  /** Values that are written from right to left are isolated, so that they do not reorder what stands beside them. */
  const directionFaults = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faults = [];
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      const bare = data.replace(/\\u2068[^\\u2069]*\\u2069/g, '');
      const isBare = /[\\u0590-\\u08ff]/.test(bare) && parentElement.closest('bdi, [dir=auto], textarea, option, pre, script, style') === null;
      if (isBare) faults.push('not isolated: ' + named(parentElement));
    }
    return faults;
  };

  /** Where the first column of the content begins. */
  const edgeOf = () => {
    const parts = all('main > :not(.back-link)').filter(isSeen);
    return Math.round(Math.min(...parts.map((part) => part.getBoundingClientRect().left)));
  };

  const typeSizes = () => {
    const sizes = new Set();
    for (const part of all('*')) {
      const hasText = part.matches('input, select, textarea') || [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
      if (hasText && isSeen(part)) sizes.add(parseFloat(getComputedStyle(part).fontSize));
    }
    return [...sizes];
  };

  const measure = (isOwn = true) => {
    for (const part of all('details:not([open])')) part.open = true;
    const area = areaOf(document.body);
    const faults = [...headerFaults(area), ...sidewaysFaults(), ...wrappedFaults(), ...cutFaults()];
    // Sizes of type and heights of controls are the same in each language.
    const isWhole = isOwn && ${JSON.stringify(WHOLE_AT)}.includes(innerWidth);
    if (isWhole) {
      const root = getComputedStyle(document.documentElement).fontSize;
      if (root !== '${ROOT_SIZE}') faults.push('the root has a size of ' + root);
      faults.push(...controlFaults(area), ...directionFaults());
    }
    if (area !== 'subject') faults.push(...rowFaults());
    return { width: innerWidth, area, faults, edge: edgeOf(), typeSizes: isWhole ? typeSizes() : [] };
  };

  /** Makes a frame with the styles of a page and the attributes of its root element. */
  const openFrame = async (root, sheets) => {
    const frame = document.createElement('iframe');
    Object.assign(frame.style, { position: 'fixed', visibility: 'hidden', border: 0, height: '900px' });
    document.body.append(frame);
    const { contentDocument } = frame;
    contentDocument.write('<!doctype html>');
    contentDocument.close();
    const links = sheets.filter((sheet) => sheet.matches('link'));
    const loaded = links.map((link) => new Promise((resolve) => (link.onload = link.onerror = resolve)));
    root.append(...sheets, document.createElement('body'));
    contentDocument.replaceChild(root, contentDocument.documentElement);
    await Promise.all(loaded);
    return frame;
  };
  const frames = new Map();

  /** Loads the pictures: each has its size only then. */
  const loadPictures = (body) =>
    Promise.all([...body.querySelectorAll('img')].map((picture) => {
      picture.loading = 'eager';
      return picture.complete || new Promise((resolve) => (picture.onload = picture.onerror = resolve));
    }));

  window.layoutMeasures = {
    measure,
    async measureAll(pages) {
      const [own, ...others] = pages.map((html) => new DOMParser().parseFromString(html, 'text/html'));
      const root = own.documentElement.cloneNode();
      const sheets = [...own.head.querySelectorAll('link[rel=stylesheet], style')];
      const key = [root, ...sheets].map((part) => part.outerHTML).join('');
      const frame = frames.get(key) ?? (await openFrame(root, sheets));
      frames.set(key, frame);
      const { contentDocument, contentWindow } = frame;
      const layouts = [];
      for (const [index, { body }] of [own, ...others].entries()) {
        contentDocument.body.replaceWith(body);
        await loadPictures(body);
        for (const width of ${JSON.stringify(WIDTHS)}) {
          frame.style.width = width + 'px';
          layouts.push(contentWindow.layoutMeasures.measure(index === 0));
        }
      }
      return layouts;
    },
  };
})();`;
