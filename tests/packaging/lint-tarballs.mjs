// Runs publint and attw on packed packages: node lint-tarballs.mjs TARBALL… prints one JSON line per tarball, a list of
// problems. One process checks all tarballs, because each tool takes more than a second to load.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

// As in attw's profile `esm-only`: requiring these packages needs a Node that can require ES modules.
const NOT_SUPPORTED = ['node10', 'node16-cjs'];

for (const tarball of process.argv.slice(2)) {
  const data = new Uint8Array(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(data));
  const problems = analysis.types ? analysis.problems : [{ kind: 'NoTypes' }];
  const relevant = problems.filter(
    (problem) => !('resolutionKind' in problem && NOT_SUPPORTED.includes(problem.resolutionKind)),
  );
  console.log(
    JSON.stringify([
      ...messages.map(({ code, path }) => ({ code, path })),
      ...relevant.map(({ kind, ...where }) => ({ kind, ...where })),
    ]),
  );
}
