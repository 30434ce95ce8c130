// Stands in for `lazily` of the domain: a value made while one mutant is active must not serve the tests of the next.
/** @typedef {{ activeMutant?: string }} Stryker its state in this thread */

let tests = 0;
/** @type {Stryker | undefined} */
let stryker;

/** Discards all values: each is made again at its next use. @param {Stryker | undefined} state */
export function forgetMade(state) {
  stryker = state;
  tests += 1;
}

/** @template {object} T @param {() => T} make @returns {() => T} */
export function lazily(make) {
  /** @type {{ value: T, test: number, mutant: string | undefined } | undefined} */
  let made;
  return () => {
    const mutant = stryker?.activeMutant;
    if (made?.test !== tests || made.mutant !== mutant) made = { value: make(), test: tests, mutant };
    return made.value;
  };
}
