import { existsSync, globSync, readFileSync } from 'node:fs';
import { DEFAULT_REQUEST_RATES, EXPIRE_AFTER_DAYS } from '@countersign/domain';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

it.each(['core-only.ts', 'embed.ts', 'errors.ts', 'pages.ts', 'webhooks.ts'])(
  'docs/embedding.md shows the tested program %s',
  (program) => {
    expect(read('docs/embedding.md')).toContain(`\`\`\`ts\n${read(`tests/packaging/consumer/${program}`)}\`\`\``);
  },
);

it.each(globSync('tests/clients/samples/**/*.*', { cwd: root }))(
  'docs/clients.md shows the tested sample %s',
  (sample) => {
    const shown = [...read('docs/clients.md').matchAll(/^```\w+\n(.*?)^```/gms)].map(([, text]) => text);
    expect(shown).toContain(read(sample));
  },
);

it.each(['durable.spec.ts', 'key-value.spec.ts'])(
  'docs/storage-adapter.md shows the compiled program %s',
  (program) => {
    expect(read('docs/storage-adapter.md')).toContain(
      `\`\`\`ts\n${read(`tests/packaging/consumer/${program}`)}\`\`\``,
    );
  },
);

const PAGES = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root });

/** Returns the anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

it.each(PAGES)('every local link in %s points to an existing file and heading', (page) => {
  const links = [...read(page).matchAll(/(?:\]\(|src=")(?!https?:)([^)"]+)[)"]/g)].map(
    ([, link]) => link as string,
  );
  const isBroken = (link: string) => {
    const url = new URL(link, new URL(page, root));
    const anchor = url.hash.slice(1);
    url.hash = '';
    if (!existsSync(url)) return true;
    const headings = anchor === '' ? [] : (readFileSync(url, 'utf8').match(/^#+ .+/gm) ?? []);
    return anchor !== '' && !headings.some((line) => anchorOf(line.replace(/^#+ /, '')) === anchor);
  };
  expect(links.filter(isBroken)).toEqual([]);
});

it.each(PAGES)('every path and npm script in %s exists', (page) => {
  const text = read(page);
  const paths = [...text.matchAll(/`((?:packages|apps|tests|scripts|docs|quality)\/[^`\s…]*)`/g)].map(([, path]) =>
    (path as string).replaceAll(/<\w+>/g, '*'),
  );
  expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
  const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name as string);
  expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
});

it('docs/architecture.md names only constants and functions that exist in their files', () => {
  const rows = [...read('docs/architecture.md').matchAll(/^\|[^|]+\| `([^`]+)` \(([^)]+)\)/gm)];
  expect(rows.length).toBeGreaterThan(2);
  const missing = rows.flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).filter((name) => !read(file).includes(name)),
  );
  expect(missing).toEqual([]);
});

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

/** Returns the value of a default's source text. */
function defaultOf(source: string): string {
  const [, rate] = /^DEFAULT_REQUEST_RATES\.(\w+)$/.exec(source) ?? [];
  if (rate !== undefined) return String(DEFAULT_REQUEST_RATES[rate as keyof typeof DEFAULT_REQUEST_RATES]);
  if (source === 'EXPIRE_AFTER_DAYS') return String(EXPIRE_AFTER_DAYS);
  return source === 'DEFAULT_HOST' ? '127.0.0.1' : source.replaceAll(/['_]/g, '');
}

it('docs/operations.md lists every setting with its default', () => {
  const rows = read('docs/operations.md').match(/^\| `[A-Z_]+`.*/gm) ?? [];
  const source = read('apps/server/src/config/environment.ts');
  const settings = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): (?:.*\.default\((.+)\))?/gm)];
  const wrong = settings.filter(([, name = '', value]) => {
    const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``));
    const literal = value === undefined ? undefined : defaultOf(value);
    return row === undefined || (literal !== undefined && !row.includes(`\`${literal}\``));
  });
  expect(settings.length).toBeGreaterThan(15);
  expect(wrong.map(([, name]) => name)).toEqual([]);
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

it('every screenshot is used, has alternative text and is at most 150 KiB', () => {
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

it.each(globSync('.changeset/*.md', { cwd: root }).filter((file) => !file.endsWith('README.md')))(
  '%s can be released: it names packages between two lines of dashes, then says what changed',
  (file) => {
    expect(read(file)).toMatch(/^---\n+(?:'@countersign\/[\w-]+': (?:major|minor|patch)\n)+\n*---\n\n\S/);
  },
);
