// Runs before each test file is loaded: in a kept worker, the mutant of the previous run would still be active.
import { inject } from 'vitest';

/** @type {unknown} */
const stryker = Reflect.get(globalThis, inject(/** @type {never} */ ('globalNamespace')));
if (typeof stryker === 'object') Object.assign(stryker ?? {}, { activeMutant: undefined, hitCount: 0 });
