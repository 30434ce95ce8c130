import type { PageDocument, PageElement } from './page-document.ts';

/**
 * Lists faults that make a page hard to use with a screen reader: missing names, labels, alternative texts and headings. The browser
 * tests also find faults that only a browser can compute (packages/test-support/browser/accessibility.ts).
 */
export function outlineFaults(page: PageDocument): readonly string[] {
  const all = (selector: string) => [...page.querySelectorAll(selector)];
  const ids = all('[id]').map((part) => part.getAttribute('id') ?? '');
  const levels = all('h1, h2, h3, h4, h5, h6').map(({ tagName }) => Number(tagName[1]));
  const labels = new Set(all('label').map((label) => label.getAttribute('for')));
  const within = new Set(all('label input, label select, label textarea').map((field) => describe(field)));
  const isNamed = (part: PageElement) =>
    (part.getAttribute('aria-label') ?? part.textContent).trim() !== '' ||
    part.hasAttribute('aria-labelledby') ||
    part.querySelector('img[alt]:not([alt=""]), svg[aria-label]') !== null;
  const isLabelled = (field: PageElement) =>
    labels.has(field.getAttribute('id')) ||
    within.has(describe(field)) ||
    field.hasAttribute('aria-label') ||
    field.hasAttribute('aria-labelledby');

  return [
    ...((page.querySelector('title')?.textContent ?? '').trim() === '' ? ['the page has no title'] : []),
    ...(page.documentElement.hasAttribute('lang') ? [] : ['the page has no language']),
    ...(all('main').length === 1 ? [] : ['not one main landmark']),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['not one heading of level 1']),
    ...levels.flatMap((level, index) =>
      index > 0 && level > (levels[index - 1] ?? 0) + 1 ? [`headings skip a level: ${levels.join()}`] : [],
    ),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `duplicate id ${id}`),
    ...['for', 'aria-labelledby', 'aria-describedby', 'aria-controls'].flatMap((attribute) =>
      all(`[${attribute}]`)
        .flatMap((part) => part.getAttribute(attribute)?.split(/\s+/) ?? [])
        .filter((id) => !ids.includes(id))
        .map((id) => `${attribute} refers to a missing element: ${id}`),
    ),
    ...all('a[href], button, summary')
      .filter((part) => !isNamed(part))
      .map((part) => `no name: ${describe(part)}`),
    ...all('input:not([type=hidden], [type=submit]), select, textarea')
      .filter((field) => !isLabelled(field))
      .map((field) => `no label: ${describe(field)}`),
    ...all('img:not([alt])').map((image) => `no alternative text: ${describe(image)}`),
  ];
}

function describe(part: PageElement): string {
  const values = ['id', 'name', 'value', 'href', 'src', 'class'].map((name) => part.getAttribute(name) ?? '');
  return `${part.tagName.toLowerCase()} ${values.filter(Boolean).join(' ')}`;
}
