import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Question } from '../estimator/score.ts';

/** How long the thread waits for the next password, in milliseconds, before it ends and its memory is freed. */
const IDLE_MS = 20_000;

const isSource = import.meta.url.endsWith('.ts');
const MAIN: string = fileURLToPath(new URL(`../estimator/main.${isSource ? 'ts' : 'js'}`, import.meta.url));
const FLAGS: string[] = isSource ? ['--experimental-strip-types', '--no-warnings'] : [];

interface Waiting {
  readonly resolve: (score: number) => void;
  readonly reject: (fault: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Questions without an answer. The thread answers in their order. */
  readonly waiting: Waiting[];
}

let running: Thread | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Estimates how many guesses a password withstands, as zxcvbn's score from 0 to 4, with English and German words. A
 * thread loads the dictionaries for the first password: they take 0.3 s of processor time and 60 MB, and some passwords
 * half a second, which no other request waits for. The thread ends after 20 seconds without a password.
 * @throws Error if the thread ends, so that no password can be estimated
 */
export function scoreOf(question: Question): Promise<number> {
  running ??= begin();
  const { worker, waiting } = running;
  clearTimeout(idle);
  worker.ref();
  worker.postMessage(question);
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

function begin(): Thread {
  const worker = new Worker(MAIN, { execArgv: FLAGS, env: {} });
  const thread: Thread = { worker, waiting: [] };

  function end(fault: unknown): void {
    if (running === thread) running = undefined;
    for (const { reject } of thread.waiting.splice(0)) reject(fault);
  }

  worker.on('message', (score: number) => {
    thread.waiting.shift()?.resolve(score);
    if (thread.waiting.length > 0) return;
    worker.unref();
    idle = setTimeout(() => {
      running = undefined;
      void worker.terminate();
    }, IDLE_MS).unref();
  });
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`The thread that estimates passwords ended with code ${code}`)));
  return thread;
}
