// Runs before each test file is loaded: in a kept worker, the mutant of the previous run would still be active.
import { beforeEach, inject } from 'vitest';
import { forgetMade } from './lazily.mjs';

/** @type {unknown} */
const stryker = Reflect.get(globalThis, inject(/** @type {never} */ ('globalNamespace')));
if (typeof stryker === 'object') Object.assign(stryker ?? {}, { activeMutant: undefined, hitCount: 0 });
forgetMade();
// Each test makes lazy values again, so that Stryker sees which tests reach the code that makes them.
beforeEach(forgetMade);
