// Runs before each test file is loaded: in a worker that stays, the mutant of the run before would be active while it loads.
import { inject } from 'vitest';

/** @type {unknown} */
const stryker = Reflect.get(globalThis, inject(/** @type {never} */ ('globalNamespace')));
if (typeof stryker === 'object') Object.assign(stryker ?? {}, { activeMutant: undefined, hitCount: 0 });
