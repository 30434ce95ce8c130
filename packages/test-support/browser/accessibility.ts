import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Which axe rules to run: all, or only those that depend on colours and space. */
export type Rules = 'all' | 'look';

/** The results of the checks that need no axe. */
export interface Outline {
  readonly language: string;
  /** Faults of width, of texts and of ids: the faults that a page of known kinds of elements can still have. */
  readonly faults: readonly string[];
  /**
   * The kinds of elements on the page: tag, type, role, classes and states of an element and its two ancestors. Pages
   * with the same kinds look alike, whatever their texts.
   */
  readonly kinds: readonly string[];
}

/** WCAG 2.2 AA and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose result depends on the theme and the width of a page. */
const LOOK = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

const OPTIONS: Readonly<Record<Rules, RunOptions>> = {
  // Without `resultTypes`, axe spends most of its time on reporting rules that pass.
  all: { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'], preload: false },
  look: { runOnly: { type: 'rule', values: LOOK }, resultTypes: ['violations'], preload: false },
};

/** Adds the checks to each page that the tab loads from now on. */
export async function bringChecks(page: Page): Promise<void> {
  await page.addInitScript(CHECKS);
}

/** Opens each `details` of the page and checks everything that needs no axe. The page keeps its elements by kind. */
export function outlineOf(page: Page): Promise<Outline> {
  return page.evaluate<Outline>('accessibilityChecks.outline()');
}

/**
 * Lists the elements that are too wide at the present width, with each `details` closed and open again. Call `outlineOf`
 * first.
 */
export function tooWideOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('accessibilityChecks.tooWide()');
}

/**
 * Runs axe on the page, or on its parts of the given kinds only. Call `outlineOf` first.
 * @returns each element that is too wide, and each violation with its element
 */
export function violationsOf(page: Page, rules: Rules = 'all', kinds?: readonly string[]): Promise<string[]> {
  // Without kinds, axe would check the whole page.
  if (kinds?.length === 0) return Promise.resolve([]);
  const parts = kinds === undefined ? 'null' : JSON.stringify(kinds);
  return page.evaluate<string[]>(`accessibilityChecks.violations(${parts}, ${JSON.stringify(OPTIONS[rules])})`);
}

/** Runs axe on the parts of the page that match a selector. Call `outlineOf` first. */
export function violationsIn(page: Page, selector: string, rules: Rules): Promise<string[]> {
  const parameters = [selector, OPTIONS[rules]].map((parameter) => JSON.stringify(parameter));
  return page.evaluate<string[]>(`accessibilityChecks.violationsIn(${parameters.join(', ')})`);
}

/** Runs in the page, and keeps the elements of each kind there. */
const LISTS_KINDS = `() => {
  const partsByKind = new Map();
  const STATES = /^(aria-(?!labelledby|describedby|controls)|disabled$|open$|required$|hidden$|multiple$)/;
  const visit = (part, around) => {
    const states = [...part.attributes].filter(({ name }) => STATES.test(name)).map(({ name }) => name).sort();
    const own = [part.tagName, part.getAttribute('type'), part.getAttribute('role'), ...part.classList, ...states];
    const path = [...around.slice(-2), own.join('.')];
    const kind = path.join('>');
    if (!partsByKind.has(kind)) partsByKind.set(kind, []);
    partsByKind.get(kind).push(part);
    for (const child of part.children) visit(child, path);
  };
  visit(document.body, []);
  partsOfKinds = (kinds) => {
    const parts = new Set(kinds.flatMap((kind) => partsByKind.get(kind)));
    const isWithin = (part) => part !== null && (parts.has(part) || isWithin(part.parentElement));
    return [...parts].filter((part) => !isWithin(part.parentElement));
  };
  return [...partsByKind.keys()];
}`;

/** Runs in the page. Takes a hundredth of the time of all rules. */
const LISTS_OUTLINE_FAULTS = `() => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  if (document.title.trim() === '') faults.push('the page has no title');
  if (all('main').length !== 1) faults.push(all('main').length + ' main landmarks');
  if (all('h1').length !== 1) faults.push(all('h1').length + ' headings of level 1');
  const levels = all('h1, h2, h3, h4, h5, h6').map((heading) => Number(heading.tagName[1]));
  if (levels.some((level, index) => index > 0 && level > levels[index - 1] + 1)) faults.push('headings skip a level: ' + levels);
  const ids = all('[id]').map(({ id }) => id);
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) faults.push('duplicate id ' + id);
  for (const attribute of ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls']) {
    for (const part of all('[' + attribute + ']')) {
      const missing = part.getAttribute(attribute).split(/\\s+/).filter((id) => !ids.includes(id));
      if (missing.length > 0) faults.push(attribute + ' refers to a missing element: ' + missing);
    }
  }
  const named = (part) => (part.getAttribute('aria-label') ?? part.textContent).trim() !== '' ||
    part.hasAttribute('aria-labelledby') || part.querySelector('img[alt]:not([alt=""]), svg[aria-label]') !== null;
  for (const part of all('a[href], button')) if (!named(part)) faults.push('no name: ' + part.outerHTML.slice(0, 200));
  for (const field of all('input:not([type=hidden], [type=submit]), select, textarea')) {
    const labels = [...(field.labels ?? [])];
    if (!labels.some(named) && !field.hasAttribute('aria-label') && !field.hasAttribute('aria-labelledby')) {
      faults.push('no label: ' + field.outerHTML.slice(0, 200));
    }
  }
  for (const image of all('img:not([alt])')) faults.push('no alternative text: ' + image.outerHTML.slice(0, 200));
  return faults;
}`;

/** Runs in the page. Lists the elements that make the page scroll horizontally (WCAG 2.2, 1.4.10). */
const LISTS_TOO_WIDE = `() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const out = [...document.body.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().right > clientWidth);
  const names = out.map((part) => part.tagName.toLowerCase() + (part.id && '#' + part.id) + ' ' + part.className);
  return [scrollWidth + ' pixels wide at ' + clientWidth + ': ' + names.join(', ')];
}`;

/**
 * Runs in the page. Opens each `details` and shortens each `select` to three options: the hidden options of the list of
 * countries would take axe most of its time.
 */
const UNFOLDS = `() => {
  unfolded = document.querySelectorAll('details:not([open])');
  for (const part of unfolded) part.open = true;
  for (const option of document.querySelectorAll('select option:nth-child(n + 4)')) option.remove();
}`;

/** The minified script of axe. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Runs in each page before its own scripts, outside its content security policy. Chromium keeps the compiled script for all
 * pages, so the browser receives axe once; a page that needs no rules does not run it.
 */
const CHECKS = `(() => {
  if (window !== window.top) return;
  let partsOfKinds;
  let unfolded = [];
  const loadAxe = () => { ${AXE}
  };
  const kindsOfParts = ${LISTS_KINDS};
  const outlineFaults = ${LISTS_OUTLINE_FAULTS};
  const tooWide = ${LISTS_TOO_WIDE};
  const unfold = ${UNFOLDS};
  const tooWideInBothStates = () => {
    const folded = tooWide();
    unfold();
    return [...folded, ...tooWide().map((part) => 'unfolded, ' + part)];
  };
  window.accessibilityChecks = {
    outline() {
      const faults = [...tooWideInBothStates(), ...outlineFaults()];
      return { language: document.documentElement.lang, faults, kinds: kindsOfParts() };
    },
    tooWide() {
      for (const part of unfolded) part.open = false;
      return tooWideInBothStates();
    },
    violations(kinds, options) {
      return this.violationsIn(kinds === null ? document : { include: partsOfKinds(kinds) }, options);
    },
    async violationsIn(parts, options) {
      if (window.axe === undefined) loadAxe();
      const wide = tooWide().map((part) => 'unfolded, ' + part);
      const { violations } = await axe.run(parts, options);
      const faults = violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' (' + help + ') at ' + target.join(' ') + ': ' + failureSummary));
      return [...wide, ...faults];
    },
  };
})();`;
