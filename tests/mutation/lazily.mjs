// Stands in for `lazily` of the domain: a value made while one mutant is active must not serve the tests of the next.
let tests = 0;

/** Discards all values: each is made again at its next use. */
export function forgetMade() {
  tests += 1;
}

/** @template {object} T @param {() => T} make @returns {() => T} */
export function lazily(make) {
  /** @type {{ value: T, test: number } | undefined} */
  let made;
  return () => {
    if (made?.test !== tests) made = { value: make(), test: tests };
    return made.value;
  };
}
