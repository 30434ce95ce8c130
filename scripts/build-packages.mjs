// The packages as they are published: `dist`, made by tsc. Only their own tests and the benchmarks load them from there.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildFinder } from './finder-bundle.mjs';
import { root, runNode } from './process.mjs';

const ALL = 'tsconfig.build.json';
/** Written by `buildFinder`. */
const BUNDLED = ['finder.js', 'finder.js.map'];

/**
 * Compiles what has changed since the last time, and removes what was compiled from files that are gone.
 * @param {string} [project] a package and those it needs; default: all of them
 * @throws if the compiler refuses; it has printed why
 */
export async function buildPackages(project = ALL) {
  // Standard output belongs to the program that asked.
  const code = await runNode(['node_modules/typescript/bin/tsc', '-b', project], {
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) throw new Error('the packages could not be built');
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name);
    for (const file of withoutSource(folder)) rmSync(join(folder, 'dist', file), { force: true });
  }
  if (project === ALL || basename(project) === 'reading') await buildFinder();
}

/**
 * Lists the compiled files in `dist` of a package whose source is gone: tsc leaves them, and they would be published.
 * @param {string} folder of the package
 * @returns {string[]} paths in `dist`
 */
function withoutSource(folder) {
  if (!existsSync(join(folder, 'dist'))) return [];
  return readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) => {
    if (BUNDLED.includes(file)) return false;
    const [, name] = /^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file) ?? [];
    return (
      name !== undefined && !['ts', 'tsx'].some((ending) => existsSync(join(folder, 'src', `${name}.${ending}`)))
    );
  });
}
