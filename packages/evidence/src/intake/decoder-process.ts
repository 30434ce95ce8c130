import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { LOGO_MAX_BYTES, LOGO_MAX_HEIGHT, LOGO_MAX_WIDTH } from '@countersign/domain/clients';
import { EVIDENCE_MAX_BYTES, PDF_PAGES_MAX } from '@countersign/domain/evidence';
import { type Deadline, killAtDeadline } from '../apart/deadline.ts';
import { startApart } from '../apart/start-apart.ts';
import { WASM_MAX_MEMORY_PAGES } from '../structure/limits.ts';
import { type Decoded, readDecoderOutput } from './decoder-output.ts';
import { release } from './release.ts';

/**
 * Deadline for decoding, against files made to decode for minutes, in processor time. The slowest picture within the limits takes a
 * third of it.
 */
export const DECODE_DEADLINE_MS = 10_000;
/** How many times as long a decoder may exist, not counting the time in which it only waits for a processor. */
const CLOCK_FACTOR = 6;
/**
 * How long a decoder may wait for a processor, so that a busy server refuses no good picture. With a minute on the clock, the
 * answer comes before the samples of proxies give up, after 310 s.
 */
const WAITING_MS = 240_000;

/** Returns the deadline of a decoder that may use this much processor time, in milliseconds. */
export function decoderDeadline(processorMs: number): Deadline {
  return { processorMs, clockMs: processorMs * CLOCK_FACTOR, waitingMs: WAITING_MS };
}

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

const MAIN = new URL(`../decoder/main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** Formats whose decoders are programs of WebAssembly. */
const WITH_WASM: readonly Decoding['format'][] = ['pdf', 'heic'];

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
  const { child, stdin, stdout } = startApart(MAIN, {
    parameters,
    wasmPages: WITH_WASM.includes(format) ? WASM_MAX_MEMORY_PAGES : undefined,
    niceness,
  });
  const deadline = killAtDeadline(child, decoderDeadline(deadlineMs));
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
  return { decoded, usedMs: deadline.usedMs() };
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
