import { expect, test } from 'vitest';
import { givenStorage } from '../../test-support/transfer-storage.ts';
import { pairsOf } from './compare-storages.ts';

const storageWith = (...months: `${number}-${number}`[]) =>
  givenStorage({ usage: months.map((month) => ({ clientId: 'client-1', month, used: 1, allowance: 2 })) });

test('pairsOf: pairs the entries of both storages, and gives those of one storage alone', async () => {
  const from = storageWith('2026-01', '2026-03', '2026-04');
  const to = storageWith('2026-02', '2026-03', '2026-05');
  const pairs = [];
  for await (const { key, source, target } of pairsOf('usage', { from, to, limit: 2 })) {
    pairs.push([key[1], source?.month, target?.month]);
  }
  expect(pairs).toEqual([
    ['2026-01', '2026-01', undefined],
    ['2026-02', undefined, '2026-02'],
    ['2026-03', '2026-03', '2026-03'],
    ['2026-04', '2026-04', undefined],
    ['2026-05', undefined, '2026-05'],
  ]);
});
