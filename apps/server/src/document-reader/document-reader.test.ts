import { expect, it } from 'vitest';
import { givenReader, request } from '../../test-support/document-readers/given-reader.ts';

it('a PDF is not read', async () => {
  const { reader } = givenReader();
  expect(await reader.read(request(Buffer.from('pid'), 'application/pdf'))).toMatchObject({ outcome: 'nothing' });
  expect(reader.stats().isRunning).toBe(false);
});

it.each([
  ['dies', 'die', 'it exited'],
  ['is killed', 'kill', 'it was killed'],
  ['writes no result', 'garbage', 'its result is invalid'],
  ['writes without end', 'flood', 'it was killed'],
])('a process that %s fails the picture, and the next one is read by another', async (_, fault, reason) => {
  const { failures, order } = givenReader();
  const [first, failed, next] = await Promise.all([order('pid'), order(fault), order('pid')]);
  expect(failed.outcome).toBe('failed');
  expect(failures).toEqual([reason]);
  expect(first.readerVersion).toMatch(/^\d+$/);
  expect(next.readerVersion).not.toBe(first.readerVersion);
});

it('a closed reader answers that no picture was tried, and starts no process', async () => {
  const { reader, failures, order } = givenReader();
  await order('pid');
  const running = order('hang');
  const waiting = order('pid');
  reader.close();
  const later = order('pid');
  expect((await Promise.all([running, waiting, later])).map(({ outcome }) => outcome)).toEqual([
    'off',
    'off',
    'off',
  ]);
  expect(reader.stats()).toEqual({ waiting: 0, isRunning: false });
  expect(failures).toEqual([]);
});
