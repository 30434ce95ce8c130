import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

it.each(['embed.ts', 'pages.ts'])(
  'the README shows the very program that the packed packages run: %s',
  (program) => {
    expect(read('README.md')).toContain(`\`\`\`ts\n${read(`tests/packaging/consumer/${program}`)}\`\`\``);
  },
);

it.each(globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root }))(
  'whatever %s points at exists',
  (page) => {
    const links = [...read(page).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]+)[)#"]/g)].map(
      ([, link]) => link as string,
    );
    expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([]);
  },
);

it('the README lists every package and every setting', () => {
  const readme = read('README.md');
  const packages = globSync('packages/*/package.json', { cwd: root }).map((file) => file.split('/')[1] as string);
  const settings = [...read('apps/server/src/config/environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name as string,
  );
  expect(settings).toContain('SECRET_KEYS');
  expect(packages.filter((name) => !readme.includes(`(packages/${name}/README.md)`))).toEqual([]);
  expect(settings.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('the decisions are listed, each number once', () => {
  const files = globSync('docs/decisions/0*.md', { cwd: root }).map((file) =>
    file.slice('docs/decisions/'.length),
  );
  const index = read('docs/decisions/README.md');
  const title = (file: string) => read(`docs/decisions/${file}`).split('\n', 1)[0]?.replace(/^# /, '');
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  expect(files.filter((file) => !index.includes(`[${file.slice(0, 4)}](${file})`))).toEqual([]);
  expect(files.filter((file) => !index.includes(`| ${title(file)} `))).toEqual([]);
});

it('a picture in the README is small, and says what it shows', () => {
  const shown = [...read('README.md').matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
  const names = shown.map((tag) => /src="([^"]+)"/.exec(tag)?.[1] as string);
  expect(shown.filter((tag) => !/ alt="[^"]{20,}"/.test(tag))).toEqual([]);
  expect(names.sort()).toEqual(globSync('docs/screenshots/*.png', { cwd: root }).sort());
  expect(names.filter((name) => readFileSync(new URL(name, root)).length > 150 * 1024)).toEqual([]);
});
