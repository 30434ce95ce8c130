import { readFileSync } from 'node:fs';

/** The tokens of all pages, without their comments. */
const TOKENS = readFileSync(new URL('../../assets/tokens.css', import.meta.url), 'utf8').replaceAll(
  /\/\*[\s\S]*?\*\/\s*/g,
  '',
);

/** The rules of a document, with sizes and colours by their tokens. It prints without colours. */
export const DOCUMENT_RULES = `
body { margin: 0; background: var(--page); color: var(--text); font: var(--type-16) var(--font); overflow-wrap: anywhere; }
main {
  max-width: var(--column); margin: var(--space-8) auto; padding: var(--space-8) var(--gutter);
  border: var(--line-width) solid var(--line); border-radius: var(--radius-large); background: var(--card);
}
h1 { margin: 0 0 var(--space-4); font: 600 var(--type-24) var(--font); }
h2 { margin: var(--space-12) 0 var(--space-3); font: 600 var(--type-20) var(--font); }
h3 { margin: var(--space-6) 0 var(--space-1); font: 600 var(--type-16) var(--font); }
p, pre, ul, dl { margin: 0 0 var(--space-3); }
ul { padding-inline-start: var(--space-6); }
li { margin-bottom: var(--space-1); }
.lead { color: var(--text-2); }
.quiet { color: var(--text-3); font: var(--type-14) var(--font); }
.as-typed { white-space: pre-line; }
pre { font: var(--type-14) var(--mono); white-space: pre-wrap; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:focus-visible { outline: 0.1875rem solid var(--focus); outline-offset: 0.125rem; }
.facts > div { padding: var(--space-2) 0; border-bottom: var(--line-width) solid var(--line); }
dt { color: var(--text-3); font: var(--type-14) var(--font); }
dd { margin: 0; }
@media (max-width: 39.99rem) {
  main { margin: 0; border: 0; border-radius: 0; }
}
@media (min-width: 40rem) {
  .facts > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: var(--space-4); }
}
@media print {
  main { max-width: none; margin: 0; padding: 0; border: 0; }
  body, .lead, .quiet, dt, a { color: CanvasText; }
  h2, h3 { break-after: avoid; }
  .facts > div, li { break-inside: avoid; }
}
`;

/** The style of a document: part of it, so that the page needs no other file. */
export const DOCUMENT_STYLE: string = TOKENS + DOCUMENT_RULES;

/** The rules of a report beside those of a document. */
export const REPORT_RULES = `
main { max-width: var(--page-width); }
table { width: 100%; margin-bottom: var(--space-6); border-collapse: collapse; font: var(--type-12) var(--font); }
th, td { padding: var(--space-1) var(--space-2); border-bottom: var(--line-width) solid var(--line); text-align: start; vertical-align: top; }
.number { text-align: end; }
@media print { thead { display: table-header-group; } tr { break-inside: avoid; } }
`;

export const REPORT_STYLE: string = DOCUMENT_STYLE + REPORT_RULES;
