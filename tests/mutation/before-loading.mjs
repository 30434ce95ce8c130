// Runs before each test file is loaded: in a kept worker, the mutant of the previous run would still be active.
import { beforeEach, inject } from 'vitest';
import { forgetMade } from './lazily.mjs';

/** @type {unknown} */
const stryker = Reflect.get(globalThis, inject(/** @type {never} */ ('globalNamespace')));
if (typeof stryker === 'object') Object.assign(stryker ?? {}, { activeMutant: undefined, hitCount: 0 });
forgetMade();
// Each test reaches what is made lazily, so that Stryker knows which tests to run for a mutant in it.
beforeEach(forgetMade);
