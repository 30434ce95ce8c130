import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { storageClosed } from '@countersign/domain/storage';
import { errorAgain } from '../connection/sqlite-codes.ts';
import type { RunLongRead } from '../repositories/long-read-kinds.ts';
import type { Answer, Question } from './program.ts';

/** How long the thread waits for the next read, in milliseconds, before it ends and its memory is freed. */
const IDLE_MS = 30_000;

/** The thread's young generation, in MB: its garbage is rows that were just sent. */
const YOUNG_GENERATION_MB = 4;

const isSource = import.meta.url.endsWith('.ts');
const PROGRAM: string = fileURLToPath(new URL(`./program.${isSource ? 'ts' : 'js'}`, import.meta.url));
const FLAGS: string[] = isSource ? ['--conditions=source', '--experimental-strip-types', '--no-warnings'] : [];

/** Runs long reads beside the event loop. */
export interface ReaderThread {
  /** Runs a read in the thread, in a transaction of its own. Rejects as the same read would on the main connection. */
  readonly run: RunLongRead;
  /** Waits for running reads and ends the thread. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (rows: never) => void;
  readonly reject: (fault: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Reads without an answer. The thread answers in their order. */
  readonly waiting: Waiting[];
}

/**
 * Creates a thread that reads the file over a connection of its own, so that a read of many rows holds up neither requests nor
 * commits. It starts with the first read and ends after half a minute without one: it takes 35 MB.
 */
export function createReaderThread(file: string): ReaderThread {
  let running: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;

  function begin(): Thread {
    // An empty environment would turn the compile cache off. Node appends its version to the folder again.
    const compileCache = getCompileCacheDir();
    const worker = new Worker(PROGRAM, {
      execArgv: FLAGS,
      env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compileCache) },
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const thread: Thread = { worker, waiting: [] };

    function end(fault: unknown): void {
      if (running === thread) running = undefined;
      for (const { reject } of thread.waiting.splice(0)) reject(fault);
    }

    worker.on('message', (answer: Answer) => {
      const asked = thread.waiting.shift();
      if ('fault' in answer) asked?.reject(errorAgain(answer.fault));
      else asked?.resolve(answer.value as never);
      if (thread.waiting.length > 0) return;
      worker.unref();
      idle = setTimeout(() => void stop(), IDLE_MS).unref();
    });
    worker.on('error', end);
    worker.on('exit', (code) => end(new Error(`The thread that reads the database ended with code ${code}`)));
    return thread;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const worker = running?.worker;
    running = undefined;
    await worker?.terminate();
  }

  function ask(question: Question): Promise<never> {
    running ??= begin();
    const { worker, waiting } = running;
    clearTimeout(idle);
    worker.ref();
    worker.postMessage(question);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  const reads = new Set<Promise<unknown>>();
  let closed = false;

  return {
    async run(kind, ...given) {
      if (closed) throw storageClosed();
      const read = ask({ kind, given });
      reads.add(read);
      try {
        return await read;
      } finally {
        reads.delete(read);
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(reads);
      await stop();
    },
  };
}
