import { EventEmitter } from 'node:events';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.doMock('./score.ts', () => ({ scoreOf: ({ password }: { password: string }) => password.length }));
});

afterAll(() => {
  vi.doUnmock('./score.ts');
  vi.doUnmock('node:worker_threads');
  vi.resetModules();
});

it('the thread of the estimator answers each question with its score', async () => {
  const answers: number[] = [];
  const parentPort = Object.assign(new EventEmitter(), { postMessage: (score: number) => answers.push(score) });
  vi.doMock('node:worker_threads', () => ({ parentPort }));
  await import('./main.ts');
  for (const password of ['a', 'abc']) parentPort.emit('message', { password, expected: [] });
  expect(answers).toEqual([1, 3]);
});

it('the program of the estimator does nothing outside a thread', async () => {
  vi.doMock('node:worker_threads', () => ({ parentPort: null }));
  await expect(import('./main.ts')).resolves.toBeDefined();
});
