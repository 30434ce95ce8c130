import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

type Entry = string | Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, Entry>>;
  readonly publishConfig?: { readonly exports?: Manifest['exports'] };
  readonly scripts?: Readonly<Record<string, string>>;
}

/** The manifests of published packages, each with its folder. */
const published = globSync('{packages,apps}/*/package.json', { cwd: ROOT })
  .sort()
  .map((file) => ({ folder: join(ROOT, dirname(file)), manifest: manifestOf(file) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest }) => ({ ...manifest, folder }));
const libraries = published.filter(({ exports }) => exports !== undefined);

function manifestOf(file: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest;
}

it.each(published)('$name is built before it is packed', ({ scripts }) => {
  expect(scripts?.prepack).toBe('node ../../scripts/prepack.mjs');
});

describe.each(libraries)('the manifest of $name', ({ folder, exports = {}, publishConfig, files = [] }) => {
  it('publishes every entry of the repository: the build in place of the source', () => {
    const entries = Object.entries(exports).map(([subpath, entry]) => [subpath, publishedEntry(folder, entry)]);
    expect(publishConfig?.exports).toEqual(Object.fromEntries(entries));
  });

  it('publishes build, source, and what stands beside them, without tests', () => {
    const kinds = ['migrations', 'assets', 'scaling', '*-LICENSE'];
    const beside = globSync(kinds, { cwd: folder });
    const tests = ['ts', 'tsx'].filter(
      (ending) => globSync(`src/**/*.test.${ending}`, { cwd: folder }).length > 0,
    );

    expect(files).toEqual(
      expect.arrayContaining([
        'dist',
        'src',
        ...beside,
        '!dist/.tsbuildinfo',
        ...tests.map((ending) => `!src/**/*.test.${ending}`),
      ]),
    );
    expect(files.filter((file) => !file.startsWith('!') && !existsSync(join(folder, file)))).toEqual([]);
  });

  it('stands beside a README that begins with an example', () => {
    expect(/^```ts\n(.*)$/m.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1]).toMatch(/^import /);
  });
});

function publishedEntry(folder: string, entry: Entry): Entry {
  // A file as it is, or a bundle, which has no source.
  if (typeof entry === 'string' || entry.source === undefined) return entry;
  expect(existsSync(join(folder, entry.source)), entry.source).toBe(true);
  const module = entry.source.replace(/^\.\/src\/(.*)\.tsx?$/, './dist/$1');
  return { types: `${module}.d.ts`, default: `${module}.js` };
}
