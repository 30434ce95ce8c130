// Runs before each test file is loaded: in a kept worker, the mutant of the previous run would still be active.
import { beforeEach, inject } from 'vitest';
import { forgetMade } from './lazily.mjs';

/** @type {string} */
const namespace = inject(/** @type {never} */ ('globalNamespace'));
/** @type {import('./lazily.mjs').Stryker | undefined} */
const stryker = Reflect.get(globalThis, namespace);
if (stryker) Object.assign(stryker, { activeMutant: undefined, hitCount: 0 });
forgetMade(stryker);
// Without a mutant, each test makes lazy values again, so that Stryker sees which tests reach the code that makes them.
beforeEach(() => {
  if (stryker?.activeMutant === undefined) forgetMade(stryker);
});
