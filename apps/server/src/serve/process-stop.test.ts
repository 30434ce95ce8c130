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

test.each(['SIGTERM', 'SIGINT'])('%s is the wish to stop', async (signal) => {
  const { signals, receive, seconds } = listening();
  receive(signal, 0);
  expect(await signals.first).toBe(signal);
  expect(seconds).toEqual([]);
});

test('a second one within a second is the same wish: npm repeats the Ctrl-C of the terminal', () => {
  const { receive, seconds } = listening();
  receive('SIGINT', 0);
  receive('SIGINT', 999);
  expect(seconds).toEqual([]);
});

test('a later one means that somebody will not wait', () => {
  const { receive, seconds } = listening();
  receive('SIGINT', 0);
  receive('SIGTERM', 1_000);
  expect(seconds).toEqual(['SIGTERM']);
});

test('afterwards the signals are Node’s again', () => {
  const { source, signals } = listening();
  signals.ignore();
  expect(source.eventNames()).toEqual([]);
});
