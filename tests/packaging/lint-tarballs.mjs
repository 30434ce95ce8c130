// What publint and attw say of packed packages: node lint-tarballs.mjs TARBALL… prints one line of JSON for each, a list of
// complaints. All in one process: each of the two tools takes a second and more to load.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

// As attw's own profile `esm-only`: who requires these packages needs a Node that can require ES modules.
const NOT_SUPPORTED = ['node10', 'node16-cjs'];

for (const tarball of process.argv.slice(2)) {
  const data = new Uint8Array(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(data));
  const problems = analysis.types ? analysis.problems : [{ kind: 'NoTypes' }];
  const told = problems.filter(
    (problem) => !('resolutionKind' in problem && NOT_SUPPORTED.includes(problem.resolutionKind)),
  );
  console.log(
    JSON.stringify([
      ...messages.map(({ code, path }) => ({ code, path })),
      ...told.map(({ kind, ...where }) => ({ kind, ...where })),
    ]),
  );
}
