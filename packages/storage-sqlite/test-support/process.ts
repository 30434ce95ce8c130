import { fileURLToPath } from 'node:url';
import { programsIn, type RunProgram } from '@countersign/test-support/servers';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Runs a small program that uses this package, in a separate process. */
export const run: RunProgram = programsIn(PACKAGE);

/** As `run`, by a command that starts Node, such as one that sets limits or the environment first. */
export function runBy(...launcher: readonly string[]): RunProgram {
  return programsIn(PACKAGE, launcher);
}
