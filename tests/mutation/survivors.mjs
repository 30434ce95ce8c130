// The mutants that no fast test kills, and why each may live.
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Survivor
 * @property {string} file
 * @property {string} reason
 * @property {string[]} mutants `code → replacement`
 */

/** @type {readonly Survivor[]} */
export const SURVIVORS = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8'));

/**
 * Compares the mutants that lived with the list.
 * @param {readonly Pick<import('./mutants.mjs').Mutant, 'file' | 'line' | 'change' | 'killed'>[]} mutants all mutants of the files
 * @param {readonly Survivor[]} [survivors]
 * @returns {string[]} one line for each mutant that lived without a reason, and for each reason without a mutant
 */
export function differences(mutants, survivors = SURVIVORS) {
  const files = new Set(mutants.map(({ file }) => file));
  const listed = survivors
    .filter(({ file }) => files.has(file))
    .flatMap(({ file, mutants: changes }) => changes.map((change) => `${file}: ${change}`));
  const alive = mutants.filter(({ killed }) => !killed);
  const living = new Set(alive.map(({ file, change }) => `${file}: ${change}`));
  return [
    ...alive
      .filter(({ file, change }) => !listed.includes(`${file}: ${change}`))
      .map(({ file, line, change }) => `survived and is not listed: ${file}:${line}: ${change}`),
    ...listed.filter((key) => !living.has(key)).map((key) => `is listed and was killed, or is gone: ${key}`),
  ];
}
