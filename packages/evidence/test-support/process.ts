import { fileURLToPath } from 'node:url';
import { programsIn, type RunProgram } from '@countersign/test-support/servers';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Runs a small program of this package in a separate process. */
export const run: RunProgram = programsIn(PACKAGE);

/** The same in a process that can write no file of more than 64 kB, as if the disk were full then. */
export const runWithSmallFiles: RunProgram = programsIn(PACKAGE, [
  'sh',
  '-c',
  'trap "" XFSZ; ulimit -f 64; exec "$0" "$@"',
]);

/** The same in a process that can write nothing into a file. */
export const runOnFullDisk: RunProgram = programsIn(PACKAGE, [
  'sh',
  '-c',
  'trap "" XFSZ; ulimit -f 0; exec "$0" "$@"',
]);
