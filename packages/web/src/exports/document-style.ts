/** The style of the document: part of it, so that the page needs no other file. Colours keep 4.5:1 in both themes. */
export const DOCUMENT_STYLE = `
:root {
  color-scheme: light dark;
  --page: #fbfbfa;
  --text: #22272e;
  --quiet: #545d68;
  --link: #1d4f91;
  --line: #dcdfe3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b;
    --text: #d7dce2;
    --quiet: #a3acb7;
    --link: #8ab4f0;
    --line: #333a43;
  }
}
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 106.25%/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { margin: 0 0 1rem; font-size: clamp(1.6rem, 1.2rem + 2vw, 2.1rem); line-height: 1.2; }
h2 { margin: 2.5rem 0 0.75rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin: 1.75rem 0 0.25rem; font-size: 1.1rem; }
p, pre, ul, dl { margin: 0 0 1rem; }
ul { padding-inline-start: 1.25rem; }
li { margin-bottom: 0.35rem; }
.lead { font-size: 1.1rem; }
.quiet { color: var(--quiet); }
.as-typed { white-space: pre-line; }
pre { white-space: pre-wrap; font-size: 0.9rem; }
a { color: var(--link); text-underline-offset: 0.2em; }
a:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
.facts > div { padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0; }
@media (min-width: 40rem) {
  .facts > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 1rem; }
}
@media print {
  :root { --page: #fff; --text: #000; --quiet: #333; --link: #000; --line: #999; }
  main { max-width: none; padding: 0; }
  h2, h3 { break-after: avoid; }
  .facts > div, li { break-inside: avoid; }
}
`;
