import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** How a program is started apart. */
export interface ApartOptions {
  /** Arguments of the program. Default: none. */
  readonly parameters?: readonly string[];
  /** The most memory that WebAssembly may have, in pages of 64 kB. Undefined: the program has none. */
  readonly wasmPages?: number | undefined;
  /** How much the process leaves the processor to others, from 0 to 19 (setpriority(2)). Default 0. */
  readonly niceness?: number | undefined;
}

/** A process with an empty environment, and its pipes. */
export interface ApartProcess {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/**
 * Starts a program of Node in a process of its own, which inherits no environment and knows no secret: a crash or an exploit does not
 * affect this process, and all memory is freed.
 * @param main the module to run. From source, it may be TypeScript
 * @throws Error if the process gets no pipes
 */
export function startApart(
  main: URL,
  { parameters = [], wasmPages, niceness = 0 }: ApartOptions = {},
): ApartProcess {
  const isSource = main.pathname.endsWith('.ts');
  const child = fork(fileURLToPath(main), parameters, {
    execArgv: [
      '--max-semi-space-size=1',
      ...(isSource ? ['--experimental-strip-types', '--no-warnings', '--conditions=source'] : []),
      // Only where it is needed: with this flag, V8 refuses the compiled code in Node's own binary, and the start takes 20 ms of
      // processor time more.
      ...(wasmPages === undefined ? [] : [`--wasm-max-mem-pages=${wasmPages}`]),
    ],
    env: environmentOf(isSource),
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  });
  // Before it starts threads, which inherit it.
  if (child.pid !== undefined) lowerPriority(child.pid, niceness);
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('The process has no pipes.');
  return { child, stdin, stdout };
}

/**
 * Returns the environment: the setting that keeps the C library from holding memory that threads have freed, up to 30 MB for each
 * picture. From source also the compile cache, without which modules would be compiled for each process; a built program shares no folder
 * with the server.
 */
function environmentOf(isSource: boolean): NodeJS.ProcessEnv {
  const compileCache = isSource ? getCompileCacheDir() : undefined;
  // Node appends its version to the folder again.
  return {
    MALLOC_ARENA_MAX: '1',
    ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compileCache) }),
  };
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has already ended; its owner handles how.
  }
}
