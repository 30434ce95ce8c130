import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LOGO_MAX_BYTES, LOGO_MAX_HEIGHT, LOGO_MAX_WIDTH } from '@countersign/domain/clients';
import { EVIDENCE_MAX_BYTES, PDF_PAGES_MAX } from '@countersign/domain/evidence';
import { WASM_MAX_MEMORY_PAGES } from '../structure/limits.ts';
import { DECODE_DEADLINE_MS, killAtDeadline } from './decode-deadline.ts';
import { type Decoded, readDecoderOutput } from './decoder-output.ts';
import { release } from './release.ts';

export interface Decoding {
  /** The content in parts: it is never in memory as a whole. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Size of the content in bytes. */
  readonly size: number;
  readonly format: 'jpeg' | 'png' | 'webp' | 'heic' | 'pdf';
  /** Whether the picture is drawn as a logo. Default false. */
  readonly asLogo?: boolean | undefined;
  /** Default `DECODE_DEADLINE_MS`. */
  readonly deadlineMs?: number | undefined;
  /** How much the process leaves the processor to others, from 0 to 19 (setpriority(2)). Default 0. */
  readonly niceness?: number | undefined;
}

export interface DecodedApart {
  /** Null if the decoder was killed at the deadline. */
  readonly decoded: Decoded | null;
  /** Processor time of the process. */
  readonly usedMs: number;
}

const isSource = import.meta.url.endsWith('.ts');
/** Where this process keeps compiled code. A decoder that runs from source would compile its modules for each file. */
const compileCache = isSource ? getCompileCacheDir() : undefined;
/**
 * Environment of the decoder: the setting that keeps the C library from holding memory that threads have freed, up to
 * 30 MB for each picture. From source also the compile cache; a built decoder shares no folder with the server.
 */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: '1',
  ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
};

const MAIN: string = fileURLToPath(new URL(`../decoder/main.${isSource ? 'ts' : 'js'}`, import.meta.url));
const FLAGS: string[] = [
  '--max-semi-space-size=1',
  ...(isSource ? ['--experimental-strip-types', '--no-warnings'] : []),
];
/**
 * Limits the memory of WebAssembly. Only for PDFs and HEIC, whose decoders are such programs: with this flag, V8 refuses the compiled code in Node's own binary, and the
 * start takes 20 ms of processor time more.
 */
const WASM_FLAGS: string[] = [...FLAGS, `--wasm-max-mem-pages=${WASM_MAX_MEMORY_PAGES}`];

/**
 * Decodes a file in a separate process, so that a crash or an exploit does not affect this process and all memory is
 * freed. A file that crashes the decoder is refused as damaged.
 * @throws Error if the process or its library does not start, so that no file can be decoded
 */
export async function decodeApart({
  content,
  size,
  format,
  asLogo = false,
  deadlineMs = DECODE_DEADLINE_MS,
  niceness = 0,
}: Decoding): Promise<DecodedApart> {
  const bounds = asLogo
    ? [LOGO_MAX_BYTES, 0, LOGO_MAX_WIDTH, LOGO_MAX_HEIGHT]
    : [EVIDENCE_MAX_BYTES, PDF_PAGES_MAX];
  const sizes = [size, ...bounds];
  const parameters = [format, ...sizes.map(String)];
  const child = fork(MAIN, parameters, {
    execArgv: format === 'pdf' || format === 'heic' ? WASM_FLAGS : FLAGS,
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  });
  // Before it starts threads, which inherit it.
  if (child.pid !== undefined) lowerPriority(child.pid, niceness);
  const usedMs = killAtDeadline(child, deadlineMs);
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('The decoder of pictures has no pipes.');
  const pieces: Buffer<ArrayBuffer>[] = [];
  stdout.on('data', (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
  const feeding = feed(stdin, content).catch((fault: unknown) => {
    child.kill('SIGKILL');
    throw fault;
  });
  const [[code]] = await Promise.all([once(child, 'close') as Promise<[number | null]>, feeding]);
  // Only the deadline kills a decoder that has the whole content.
  const output = Buffer.concat(pieces);
  for (const piece of pieces) release(piece);
  const decoded = child.killed ? null : readDecoderOutput(output, code === 0);
  return { decoded, usedMs: usedMs() };
}

/** Writes the content, unless the process ends before it has read everything: its output tells how it ended. */
async function feed(stdin: Writable, content: AsyncIterable<Uint8Array>): Promise<void> {
  stdin.on('error', () => stdin.destroy());
  for await (const part of content) {
    const fault = await new Promise((resolve) => stdin.write(part, resolve));
    if (fault instanceof Error) return;
  }
  stdin.end();
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has already ended; the code above handles how.
  }
}
