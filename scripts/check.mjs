// The quality gate: every step runs even if one before it failed, so that one run tells all.
import { runNode } from './process.mjs';

/** @type {[name: string, command: string][]} a command is a script of a package and its arguments */
const steps = [
  ['format and lint', '@biomejs/biome/bin/biome check --error-on-warnings'],
  ['types', 'typescript/bin/tsc -b'],
  ['types of the scripts', 'typescript/bin/tsc -p scripts'],
  ['types of the pages', 'typescript/bin/tsc -p packages/web/tsconfig.assets.json'],
  ['types of the benchmarks', 'typescript/bin/tsc -p tests/bench'],
  ['lint with types', 'oxlint/bin/oxlint --type-aware --deny-warnings'],
  [
    'boundaries',
    'dependency-cruiser/bin/dependency-cruiser.mjs --config .dependency-cruiser.mjs packages apps tests',
  ],
  ['unused code', 'knip/bin/knip.js'],
];

/** @returns {Promise<number>} the exit code: 0 if all is well */
export async function check() {
  let failed = 0;
  let summary = '';
  for (const [name, command] of steps) {
    process.stderr.write(`\n── ${name}\n`);
    const start = performance.now();
    const code = await runTool(command);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    summary += `${code === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${seconds} s\n`;
    if (code !== 0) failed++;
  }
  process.stderr.write(`\n${summary}`);
  return failed === 0 ? 0 : 1;
}

/** @returns {Promise<number>} the exit code */
export function format() {
  return runTool('@biomejs/biome/bin/biome check --write');
}

/** @param {string} command */
function runTool(command) {
  const [script, ...args] = command.split(' ');
  return runNode([`node_modules/${script}`, ...args], { stdio: ['ignore', 2, 2] });
}
