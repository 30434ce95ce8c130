import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

it.each(['embed.ts', 'pages.ts'])(
  'docs/embedding.md shows the program that the packed packages run: %s',
  (program) => {
    expect(read('docs/embedding.md')).toContain(`\`\`\`ts\n${read(`tests/packaging/consumer/${program}`)}\`\`\``);
  },
);

it.each(globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root }))(
  'every local link in %s leads to a file',
  (page) => {
    const links = [...read(page).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]+)[)#"]/g)].map(
      ([, link]) => link as string,
    );
    expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([]);
  },
);

it('README.md lists every package', () => {
  const readme = read('README.md');
  const packages = globSync('packages/*/package.json', { cwd: root })
    .filter((file) => !('private' in (JSON.parse(read(file)) as object)))
    .map((file) => file.split('/')[1] as string);
  expect(packages.length).toBeGreaterThan(10);
  expect(packages.filter((name) => !readme.includes(`(packages/${name}/README.md)`))).toEqual([]);
});

it('README.md has at most 160 lines and names the two commands before its first picture', () => {
  const readme = read('README.md');
  expect(readme.split('\n').length).toBeLessThanOrEqual(160);
  const firstPicture = readme.indexOf('<img');
  expect(readme.indexOf('npm start')).toBeLessThan(firstPicture);
  expect(readme.indexOf('npm test')).toBeLessThan(firstPicture);
});

it('docs/operations.md lists every setting', () => {
  const operations = read('docs/operations.md');
  const settings = [...read('apps/server/src/config/environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name as string,
  );
  expect(settings).toContain('SECRET_KEYS');
  expect(settings.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
});

it('docs/decisions/README.md lists every decision once, with its title', () => {
  const files = globSync('docs/decisions/0*.md', { cwd: root }).map((file) =>
    file.slice('docs/decisions/'.length),
  );
  const index = read('docs/decisions/README.md');
  const title = (file: string) => read(`docs/decisions/${file}`).split('\n', 1)[0]?.replace(/^# /, '');
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  expect(files.filter((file) => !index.includes(`[${file.slice(0, 4)}](${file})`))).toEqual([]);
  expect(files.filter((file) => !index.includes(`| ${title(file)} `))).toEqual([]);
});

it('every screenshot is shown with a description and is smaller than 150 KiB', () => {
  const shownIn = (page: string) => [...read(page).matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
  const source = (tag: string) => /src="(?:docs\/)?([^"]+)"/.exec(tag)?.[1] as string;
  const tags = [...shownIn('README.md'), ...shownIn('docs/tour.md')];
  expect(tags.filter((tag) => !/ alt="[^"]{20,}"/.test(tag))).toEqual([]);
  const names = [...new Set(tags.map((tag) => `docs/${source(tag)}`))].sort();
  expect(names).toEqual(globSync('docs/screenshots/*.png', { cwd: root }).sort());
  expect(names.filter((name) => readFileSync(new URL(name, root)).length > 150 * 1024)).toEqual([]);
});

it('README.md shows at most three pictures', () => {
  expect([...read('README.md').matchAll(/<img /g)].length).toBeLessThanOrEqual(3);
});
