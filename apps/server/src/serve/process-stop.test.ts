import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { listenForStopSignals } from './process-stop.ts';

function listening() {
  const source = new EventEmitter();
  const seconds: string[] = [];
  let now = 0;
  const signals = listenForStopSignals({
    source: source as unknown as NodeJS.Process,
    now: () => now,
    onSecond: (signal) => seconds.push(signal),
  });
  const receive = (signal: string, at: number) => {
    now = at;
    source.emit(signal, signal);
  };
  return { source, signals, seconds, receive };
}

test.each(['SIGTERM', 'SIGINT'])('stop signals: %s resolves `first`', async (signal) => {
  const { signals, receive, seconds } = listening();
  receive(signal, 0);
  expect(await signals.first).toBe(signal);
  expect(seconds).toEqual([]);
});

test('stop signals: ignores a repetition within one second, because npm repeats Ctrl-C', () => {
  const { receive, seconds } = listening();
  receive('SIGINT', 0);
  receive('SIGINT', 999);
  expect(seconds).toEqual([]);
});

test('stop signals: a later one calls onSecond', () => {
  const { receive, seconds } = listening();
  receive('SIGINT', 0);
  receive('SIGTERM', 1_000);
  expect(seconds).toEqual(['SIGTERM']);
});

test('stop signals: ignore removes the listeners', () => {
  const { source, signals } = listening();
  signals.ignore();
  expect(source.eventNames()).toEqual([]);
});
