import { expect, it, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { createServerReader, endReadings, warnSeldom } from './reader.ts';

it('a reader that fails is logged once an hour, with the number of pictures', () => {
  const warning = vi.fn<Log['warning']>();
  let now = 0;
  const warn = warnSeldom({ warning }, () => now);
  warn('it exited');
  for (let picture = 0; picture < 100; picture += 1) warn('it took too long');
  now = 3_600_000;
  warn('it does not start');
  expect(warning.mock.calls.map(([, fields]) => fields)).toEqual([
    { reason: 'it exited', count: 1 },
    { reason: 'it does not start', count: 101 },
  ]);
});

it('a server with READER=off has no reader', () => {
  const log = { warning: vi.fn<Log['warning']>() };
  expect(createServerReader({ readsDocuments: false }, { log, metrics: undefined }).reader).toBeUndefined();
});

it('the reader ends before warnings are waited for, so that no reading asks for more of them', async () => {
  const order: string[] = [];
  const settled = async () => {
    order.push('waits');
    await Promise.resolve();
    order.push('settled');
  };
  await endReadings({ close: () => order.push('reader ended') }, { settled });
  order.push('goes on');
  expect(order).toEqual(['reader ended', 'waits', 'settled', 'goes on']);
});
