import type { Readable } from 'node:stream';
import { type Deadline, killAtDeadline, startApart } from '@countersign/evidence';
import { READY, sizeOf } from './program/frame.ts';

const SUFFIX = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** A program of this package, and what it may use. */
export interface ReaderProgram {
  readonly main: URL;
  /** How long a picture may be read. */
  readonly limit: Deadline;
  /** The most memory that WebAssembly may have, in pages of 64 kB. Undefined: the program has none. */
  readonly wasmPages?: number | undefined;
}

/** How long a program may wait for a processor, in all. A busy machine ends neither its start nor the reading of a good picture. */
const WAITING_MS = 60_000;

/** How long the program may load itself. From source, on a busy machine, it takes a second of processor time. */
const START: Deadline = { processorMs: 5_000, clockMs: 30_000, waitingMs: WAITING_MS };

/** Reads machine-readable zones. Its limited work takes up to 1.4 s of a processor of 2026, so one a quarter as fast stays within the limit. */
export const ZONES: ReaderProgram = {
  main: new URL(`./program/main.${SUFFIX}`, import.meta.url),
  limit: { processorMs: 8_000, clockMs: 20_000, waitingMs: WAITING_MS },
};

/**
 * Reads the barcode of a licence in one picture, then ends: a fault of its decoder affects no other picture. A good picture takes up to half
 * a second of a processor of 2026; one that is full of false starts is killed.
 */
export const BARCODES: ReaderProgram = {
  main: new URL(`./program/barcode.${SUFFIX}`, import.meta.url),
  limit: { processorMs: 3_000, clockMs: 10_000, waitingMs: WAITING_MS },
  // 128 MB: the picture in four colours, in grey and in black and white, more than once.
  wasmPages: 2_048,
};

/** A quarter of the processor beside one other process: less, and a busy machine would let good pictures run into the deadline. */
const NICENESS = 5;

/** Characters of a result. The longest that the program writes has a tenth of it. */
const LINE_MAX = 10_000;

/** The reason of a process that ended by a signal. */
const KILLED = 'it was killed';

/** Why a picture was not read. */
class ReaderFault extends Error {
  override readonly name = 'ReaderFault';
}

/** The program cannot start, and will not the next time. */
export class StartFault extends ReaderFault {}

/** A process that reads one picture after the other. */
export interface ReaderProcess {
  /** Resolves when the process can read. @throws ReaderFault if it was killed before, StartFault if it cannot start */
  readonly ready: Promise<void>;
  /**
   * Reads a picture. A process that fails is killed, and reads no other.
   * @returns the result, which is not checked
   * @throws ReaderFault
   */
  read(content: Uint8Array): Promise<unknown>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Kills the process. */
  end(): void;
}

/** Starts a process that reads pictures. */
export function startReaderProcess({ main, limit, wasmPages }: ReaderProgram): ReaderProcess {
  const { child, stdin, stdout } = startApart(main, { wasmPages, niceness: NICENESS });
  // A process that has ended closes its input; its output says the same.
  stdin.on('error', () => undefined);
  const lines = linesOf(stdout);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const end = () => void child.kill('SIGKILL');

  /** Returns the next line of output. @throws ReaderFault at the deadline, or if the process ends before */
  async function nextLine(deadline: Deadline): Promise<string> {
    const running = killAtDeadline(child, deadline);
    try {
      const line = await Promise.race([lines.next(), ended.then(() => null)]);
      if (line !== null) return line;
      const isLate = child.killed;
      end();
      await ended;
      if (isLate) throw new ReaderFault('it took too long');
      throw new ReaderFault(child.exitCode === null ? KILLED : 'it exited');
    } finally {
      running.end();
    }
  }

  async function start(): Promise<void> {
    const line = await nextLine(START).catch((fault: unknown) => {
      // Killed by others: the next one may start.
      if (fault instanceof Error && fault.message === KILLED) throw fault;
      throw new StartFault('it does not start');
    });
    if (line === READY) return;
    end();
    throw new StartFault('it does not start');
  }

  return {
    ready: start(),
    async read(content) {
      stdin.write(sizeOf(content));
      stdin.write(content);
      const line = await nextLine(limit);
      try {
        return JSON.parse(line) as unknown;
      } catch {
        end();
        throw new ReaderFault('its result is invalid');
      }
    },
    ended,
    end,
  };
}

/** Reads lines. `next` resolves with null at the end, or once a line is longer than a result may be. */
function linesOf(stream: Readable): { next(): Promise<string | null> } {
  stream.setEncoding('utf8');
  let text = '';
  let isOver = false;
  let wake = (): void => undefined;
  stream.on('data', (piece: string) => {
    if (!isOver) text += piece;
    if (text.length > LINE_MAX) [text, isOver] = ['', true];
    wake();
  });
  stream.once('end', () => {
    isOver = true;
    wake();
  });
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n');
        if (end !== -1) {
          const line = text.slice(0, end);
          text = text.slice(end + 1);
          return line;
        }
        if (isOver) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
