/** The one stylesheet of this package's pages. It stands on its own: no fonts, no images, nothing from elsewhere. */
export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --ink: #1c2430;
  --quiet: #5b6675;
  --ground: #f4f6f8;
  --card: #ffffff;
  --line: #dfe4ea;
  --accent: #0b5fb0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8ecf1;
    --quiet: #a0abb8;
    --ground: #12161b;
    --card: #1a2028;
    --line: #2b343f;
    --accent: #7fb8f0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  padding: 1.5rem;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif;
}
main {
  max-width: 34rem;
  padding: 2.25rem 2.5rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
.brand { margin: 0 0 1.5rem; color: var(--quiet); font-size: 0.875rem; letter-spacing: 0.04em; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 0.75rem; }
p:last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); }
a { color: var(--accent); }
code { font: 0.9em ui-monospace, monospace; }
`;
