// The mutants that no fast test kills, and why each may live.
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} Survivor
 * @property {string} file
 * @property {string} reason
 * @property {string[]} mutants `code → replacement`, with `2 × ` before it for two places in the file, and so on
 */

/** @type {readonly Survivor[]} */
export const SURVIVORS = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8'));

/**
 * Compares the mutants that lived with the list, place by place: a change that is equal in one place of a file may be wrong in
 * another one.
 * @param {readonly Pick<import('./mutants.mjs').Mutant, 'file' | 'line' | 'change' | 'killed'>[]} mutants all mutants of the files
 * @param {readonly Survivor[]} [survivors]
 * @returns {string[]} one line for each change of a file that lived in more or fewer places than are listed
 */
export function differences(mutants, survivors = SURVIVORS) {
  const files = new Set(mutants.map(({ file }) => file));
  /** @type {Map<string, number>} */
  const listed = new Map();
  for (const { file, mutants: changes } of survivors.filter((survivor) => files.has(survivor.file))) {
    for (const { places, change } of changes.map(placesOf)) {
      const key = `${file}: ${change}`;
      listed.set(key, (listed.get(key) ?? 0) + places);
    }
  }
  const alive = mutants.filter(({ killed }) => !killed);
  const living = Map.groupBy(alive, ({ file, change }) => `${file}: ${change}`);
  return [...new Set([...living.keys(), ...listed.keys()])].flatMap((key) => {
    const lines = (living.get(key) ?? []).map(({ line }) => `, line ${line}`);
    const places = listed.get(key) ?? 0;
    return lines.length === places ? [] : `${lines.length} survived, ${places} listed: ${key}${lines.join('')}`;
  });
}

/**
 * Splits a listed mutant into the number of its places and the change.
 * @param {string} listed
 */
export function placesOf(listed) {
  const { count = '1', change = listed } = /^(?<count>\d+) × (?<change>.*)$/s.exec(listed)?.groups ?? {};
  return { places: Number(count), change };
}
