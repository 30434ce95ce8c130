// npm run test:mutation [-- NAME or FILE …] [--incremental]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFinder } from '../../scripts/finder-bundle.mjs';
import { loadKit } from './kit-cases.mjs';
import { testMutants } from './mutants.mjs';
import { differences } from './survivors.mjs';
import { FURTHER_TESTS, filesOf, root, TARGETS, targetOf } from './targets.mjs';

/** The share of mutants that the tests must kill, listed survivors included. */
const LEAST_KILLED = 0.95;

const usage = `Usage: npm run test:mutation                    mutate all targets
       npm run test:mutation -- NAME …          mutate these: ${Object.keys(TARGETS).join(', ')}
       npm run test:mutation -- FILE …          mutate single files
       npm run test:mutation -- --incremental   reuse earlier results where code and tests are the same`;

/** @param {string} problem @returns {never} */
function refuse(problem) {
  console.error(`${problem}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = /** @type {const} */ ({ incremental: { type: 'boolean' } });
    return parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
}

/** @typedef {import('./mutants.mjs').Mutant} Mutant */

/** Mutates a target against the nearest tests. @param {string} name @param {import('./targets.mjs').Target} target */
async function mutateTarget(name, { mutate, tests, further = FURTHER_TESTS }) {
  const cache = join(root, 'node_modules/.cache/mutation', `${name.replaceAll('/', '-')}.json`);
  const mutants = await testMutants(filesOf(mutate), tests, values.incremental ? cache : undefined);
  console.error(figureLine(`${name}, first`, share(mutants.filter(({ isStatic }) => !isStatic))));
  return { name, mutants, further };
}

/**
 * Runs further tests on the survivors and marks those that they kill.
 * @param {readonly Mutant[]} survivors of all targets with these `further` tests: even without a mutant, they take minutes
 * @param {readonly string[]} further patterns of test files
 */
async function testAgain(survivors, further) {
  if (survivors.length === 0) return;
  // A range may hold other mutants too: only survivors count again.
  const ranges = [...new Set(survivors.map(({ range }) => range))];
  const again = new Map(
    (await testMutants(ranges, further)).map((mutant) => [mutant.range + mutant.change, mutant]),
  );
  for (const mutant of survivors) {
    const { isReached, killed, isStatic } = again.get(mutant.range + mutant.change) ?? mutant;
    // What tests did not reach stays as it was; what once lived in a test is not static.
    if (isReached) Object.assign(mutant, { killed, isStatic: isStatic && mutant.isStatic });
  }
}

/** @param {readonly Mutant[]} mutants */
function share(mutants) {
  const killed = mutants.filter((mutant) => mutant.killed).length;
  return { killed, of: mutants.length, share: killed / Math.max(1, mutants.length) };
}

/** @param {string} name @param {ReturnType<typeof share>} figure */
const figureLine = (name, { killed, of, share: part }) =>
  `${name.padEnd(16)} ${String(killed).padStart(5)} of ${String(of).padStart(5)} killed, ${(part * 100).toFixed(1)} %`;

/** Lists the cases of the kit that no mutant proves, generated or hand-written. @param {readonly Mutant[]} mutants */
async function unprovenCases(mutants) {
  const kit = await loadKit(`${root}/`);
  const unproven = await kit.unproven(mutants.map(({ killedBy }) => killedBy));
  return unproven.map((id) => `no mutant fails the case: ${id}`);
}

const { positionals, values } = readArguments();
const names = positionals.length > 0 ? positionals : Object.keys(TARGETS);
const targets = names.map(
  (name) =>
    /** @type {const} */ ([name, targetOf(name) ?? refuse(`${name} is neither a target nor a file of one`)]),
);

// The pages of web serve the finder.
await buildFinder();
const results = [];
for (const [name, target] of targets) results.push(await mutateTarget(name, target));
for (const group of Map.groupBy(results, ({ further }) => JSON.stringify(further)).values()) {
  const mutants = group.flatMap((result) => result.mutants);
  for (const tests of group[0]?.further ?? []) {
    await testAgain(
      mutants.filter(({ killed }) => !killed),
      tests,
    );
  }
}

const figures = [];
const problems = [];
const all = [];
for (const { name, mutants: found } of results) {
  const mutants = found.filter(({ isStatic }) => !isStatic);
  const figure = share(mutants);
  all.push(...mutants);
  figures.push(figureLine(name, figure));
  if (figure.share < LEAST_KILLED)
    problems.push(`${name}: less than ${LEAST_KILLED * 100} % of the mutants were killed`);
  problems.push(...differences(mutants));
  // A single file proves only some cases.
  if (TARGETS[name]?.tests === 'kit') problems.push(...(await unprovenCases(mutants)));
}
console.log([...figures, figureLine('all', share(all)), ...problems].join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
