import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundleOptions } from '../../scripts/server-bundle.mjs';

const root = join(import.meta.dirname, '../..');
const LOADED_WHEN_IT_RUNS = /\b(?:createRequire\(import\.meta\.url\)|require)(?:\.resolve)?\(['`]([^./'`][^'`]*)/g;

interface Import {
  /** The folder of the package that imports. */
  readonly importer: string;
  readonly name: string;
}

/** Lists what the modules of a program import from other packages. Libraries are not followed, because pnpm installs what they need. */
async function importsOf(options: BuildOptions): Promise<readonly Import[]> {
  const imports = new Map<string, Import>();
  const add = (file: string, specifier: string) => {
    if (isBuiltin(specifier)) return;
    const importer = /^(?:apps|packages)\/[^/]+/.exec(file)?.[0] ?? '.';
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    imports.set(`${importer} ${name}`, { importer, name });
  };
  const noteImports: Plugin = {
    name: 'note-imports',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point' || isBuiltin(path)) return undefined;
        add(relative(root, importer), path);
        return path.startsWith('@countersign/') ? undefined : { path, external: true };
      });
    },
  };
  const plugins = [noteImports, ...(options.plugins ?? [])];
  const { metafile } = await build({ ...options, plugins, bundle: true, write: false, metafile: true });
  for (const file of Object.keys(metafile.inputs).filter((input) => existsSync(join(root, input)))) {
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(LOADED_WHEN_IT_RUNS))
      add(file, specifier);
  }
  return [...imports.values()];
}

/** Leaves out what an install for serving has: it installs no `devDependencies`. */
function undeclared(imports: readonly Import[]): readonly Import[] {
  return imports.filter(({ importer, name }) => {
    const { dependencies = {} }: { dependencies?: object } = JSON.parse(
      readFileSync(join(root, importer, 'package.json'), 'utf8'),
    );
    return !Object.hasOwn(dependencies, name);
  });
}

describe('what `npm start` installs', () => {
  it('the packages of the server have what they import in `dependencies`', async () => {
    const imports = await importsOf(bundleOptions(join(root, 'unused')));
    // One of each kind: a package, a library that is imported, one that is required, and a file of one.
    expect(imports).toEqual(
      expect.arrayContaining([
        { importer: 'apps/server', name: '@countersign/domain' },
        { importer: 'packages/domain', name: 'zod' },
        { importer: 'packages/runtime', name: 'stdnum' },
        { importer: 'packages/web', name: 'htmx.org' },
      ]),
    );
    expect(undeclared(imports)).toEqual([]);
  });

  it('the launcher has what it imports to build the server in `dependencies`', async () => {
    const imports = await importsOf({
      absWorkingDir: root,
      entryPoints: ['scripts/server-bundle.mjs'],
      platform: 'node',
      format: 'esm',
    });
    expect(imports).toEqual([{ importer: '.', name: 'esbuild' }]);
    expect(undeclared(imports)).toEqual([]);
  });
});
