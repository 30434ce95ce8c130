import { fileURLToPath } from 'node:url';
import { programsIn, type RunProgram } from '@countersign/test-support/servers';

/** Runs a small program that uses this package, in a separate process. */
export const run: RunProgram = programsIn(fileURLToPath(new URL('..', import.meta.url)));
