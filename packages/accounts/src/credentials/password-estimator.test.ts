import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';

/** Stands in for a thread: a test answers its questions, and ends it. */
class FakeThread extends EventEmitter {
  readonly main: string;
  readonly options: unknown;
  readonly questions: unknown[] = [];
  /** Whether it keeps the process running. */
  isHeld = true;
  isTerminated = false;

  constructor(main: string, options: unknown) {
    super();
    this.main = main;
    this.options = options;
    threads.push(this);
  }

  ref(): void {
    this.isHeld = true;
  }

  unref(): void {
    this.isHeld = false;
  }

  postMessage(question: unknown): void {
    this.questions.push(question);
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    return 1;
  }
}

let threads: FakeThread[];
let ask: (password: string) => Promise<number>;

const threadAt = (index: number): FakeThread => {
  const thread = threads[index];
  if (thread === undefined) throw new Error(`no thread ${index} has begun`);
  return thread;
};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  threads = [];
  vi.doMock('node:worker_threads', () => ({ Worker: FakeThread }));
  vi.resetModules();
  const { scoreOf } = await import('./password-estimator.ts');
  ask = (password) => scoreOf({ password, expected: ['ann'] });
});

// Other test files estimate passwords in a real thread.
afterAll(() => {
  vi.doUnmock('node:worker_threads');
  vi.resetModules();
});

it('password estimator: one thread answers all questions, in their order', async () => {
  const scores = [ask('one'), ask('two')];
  const thread = threadAt(0);
  expect(thread.questions).toEqual(['one', 'two'].map((password) => ({ password, expected: ['ann'] })));
  for (const score of [1, 4]) thread.emit('message', score);
  expect(await Promise.all(scores)).toEqual([1, 4]);
  void ask('three');
  expect(threads).toEqual([thread]);
});

it('password estimator: the thread runs the source, without the environment of the process', () => {
  void ask('one');
  const { main, options } = threadAt(0);
  expect(main).toMatch(/estimator.main\.ts$/);
  expect(existsSync(main)).toBe(true);
  expect(options).toEqual({ execArgv: ['--experimental-strip-types', '--no-warnings'], env: {} });
});

it('password estimator: the thread keeps the process running while a question has no answer', () => {
  void ask('one');
  void ask('two');
  const thread = threadAt(0);
  expect(thread.isHeld).toBe(true);
  thread.emit('message', 4);
  expect(thread.isHeld).toBe(true);
  thread.emit('message', 4);
  expect(thread.isHeld).toBe(false);
  void ask('three');
  expect(thread.isHeld).toBe(true);
});

it('password estimator: the thread ends after 20 seconds without a question, and the next question begins another', () => {
  void ask('one');
  const thread = threadAt(0);
  thread.emit('message', 4);
  vi.advanceTimersByTime(15_000);
  void ask('two');
  vi.advanceTimersByTime(60_000);
  expect(thread.isTerminated).toBe(false);
  thread.emit('message', 4);
  vi.advanceTimersByTime(19_999);
  expect(thread.isTerminated).toBe(false);
  vi.advanceTimersByTime(1);
  expect(thread.isTerminated).toBe(true);

  void ask('three');
  expect(threadAt(1).questions).toHaveLength(1);
  // The end of the earlier thread is reported late.
  thread.emit('exit', 1);
  void ask('four');
  expect(threadAt(1).questions).toHaveLength(2);
  expect(threads).toHaveLength(2);
});

it.each([
  ['fails', (thread: FakeThread) => thread.emit('error', new Error('out of memory')), 'out of memory'],
  [
    'ends',
    (thread: FakeThread) => thread.emit('exit', 3),
    'The thread that estimates passwords ended with code 3',
  ],
] as const)(
  'password estimator: if the thread %s, all questions without an answer are rejected, and the next begins another thread',
  async (_, end, message) => {
    const reasons: unknown[] = [];
    for (const password of ['one', 'two']) ask(password).catch((reason: unknown) => reasons.push(reason));
    end(threadAt(0));
    await setImmediate();
    expect(reasons).toEqual([new Error(message), new Error(message)]);

    const score = ask('three');
    threadAt(1).emit('message', 3);
    expect(await score).toBe(3);
    expect(threads).toHaveLength(2);
  },
);
