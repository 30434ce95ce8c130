import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

it('the README shows the very program that the packed packages run', () => {
  expect(read('README.md')).toContain(`\`\`\`ts\n${read('tests/packaging/consumer/embed.ts')}\`\`\``);
});

it.each(['README.md', 'docs/decisions/README.md', 'docs/performance.md'])(
  'whatever %s points at exists',
  (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link as string);
    expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([]);
  },
);
