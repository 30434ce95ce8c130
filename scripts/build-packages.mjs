// The packages as they are published: `dist`, made by tsc. Only their own tests and the benchmarks load them from there.
import { basename } from 'node:path';
import { buildFinder } from './finder-bundle.mjs';
import { runNode } from './process.mjs';

const ALL = 'tsconfig.build.json';

/**
 * Compiles what has changed since the last time.
 * @param {string} [project] a package and those it needs; default: all of them
 * @throws if the compiler refuses; it has printed why
 */
export async function buildPackages(project = ALL) {
  // Standard output belongs to the program that asked.
  const code = await runNode(['node_modules/typescript/bin/tsc', '-b', project], {
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) throw new Error('the packages could not be built');
  if (project === ALL || basename(project) === 'reading') await buildFinder();
}
