import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

/** Which rules to judge by: all there are, or those alone that depend on colours and room. */
export type Rules = 'all' | 'look';

/** WCAG 2.2 AA and what axe counts as best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose verdict can change when nothing but the theme and the width of a page does. */
const LOOK = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

const OPTIONS: Readonly<Record<Rules, RunOptions>> = {
  // Of what passes nothing is told, which saves most of the time that telling takes.
  all: { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'], preload: false },
  look: { runOnly: { type: 'rule', values: LOOK }, resultTypes: ['violations'], preload: false },
};

/** To be done once for each page that is loaded, before it is asked for violations. */
export async function bringRules(page: Page): Promise<void> {
  // As a debugger does: past the page's content security policy, and compiled once for all pages of a process, which an
  // evaluation by playwright is not.
  const debugging = debugged.get(page) ?? page.context().newCDPSession(page);
  debugged.set(page, debugging);
  await (await debugging).send('Runtime.evaluate', { expression: RULES });
}

/** The small form: it is sent to the browser anew for each page. */
const RULES = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const debugged = new WeakMap<Page, Promise<CDPSession>>();

/** Every violation of the page as it stands, and where it lies. */
export async function violationsOf(page: Page, rules: Rules = 'all'): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(OPTIONS[rules])})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** What reaches out of the page sideways; none where nothing has to be scrolled to (WCAG 2.2, 1.4.10). */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(LISTS_TOO_WIDE);
}

/** Runs in the page. */
const LISTS_TOO_WIDE = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const out = [...document.body.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().right > clientWidth);
  const names = out.map((part) => part.tagName.toLowerCase() + (part.id && '#' + part.id) + ' ' + part.className);
  return [scrollWidth + ' pixels wide at ' + clientWidth + ': ' + names.join(', ')];
})()`;
