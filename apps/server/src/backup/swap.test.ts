import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, test } from 'vitest';
import { restoredMarkOf } from '../database/restored-mark.ts';
import { finishSwap, type Swap, swap } from './swap.ts';

/** An old database with its log, an old folder, and new ones of both, one of which has no old one. */
function given(): { readonly mark: string; readonly swapped: Swap; at(...path: string[]): string } {
  const directory = temporaryFolder();
  const at = (...path: string[]) => join(directory, ...path);
  for (const folder of ['old', 'staged', 'staged/two']) mkdirSync(at(folder));
  for (const [file, text] of Object.entries({ db: 'old', 'db-wal': 'old log', 'old/file': 'old' }))
    writeFileSync(at(file), text);
  for (const file of ['staged/db', 'staged/two/file']) writeFileSync(at(file), 'new');
  const moves = [
    { place: at('db'), aside: at('aside/db'), staged: at('staged/db') },
    { place: at('db-wal'), aside: at('aside/db-wal'), staged: null },
    { place: at('db-shm'), aside: at('aside/db-shm'), staged: null },
    { place: at('old'), aside: at('aside/old'), staged: null },
    { place: at('two'), aside: at('aside/two'), staged: at('staged/two') },
  ];
  return { mark: at('mark'), swapped: { backup: 'one', moves, leftovers: [at('staged')] }, at };
}

function expectSwapped({ mark, at }: ReturnType<typeof given>): void {
  const text = (path: string) => readFileSync(at(path), 'utf8');
  expect([text('db'), text('two/file')]).toEqual(['new', 'new']);
  expect([text('aside/db'), text('aside/db-wal'), text('aside/old/file')]).toEqual(['old', 'old log', 'old']);
  expect([at('db-wal'), at('old'), at('staged'), mark].filter((path) => existsSync(path))).toEqual([]);
  // For the first start of a server.
  expect(readFileSync(restoredMarkOf(mark), 'utf8')).toBe('one\n');
}

test('swap: moves the old files aside whole and the new ones in', async () => {
  const place = given();
  await swap(place.mark, place.swapped);
  expectSwapped(place);
  expect(await finishSwap(place.mark)).toBeUndefined();
});

/** Every state that a process leaves that is killed while it swaps. */
const PHASES = ['aside', 'in'] as const;
const STATES = PHASES.flatMap((phase) => [0, 1, 2, 3, 4, 5].map((moves) => ({ phase, moves })));

test.each(STATES)(
  'finishSwap: finishes a swap that was killed in phase $phase after $moves moves',
  async ({ phase, moves }) => {
    const place = given();
    const { mark, swapped, at } = place;
    mkdirSync(at('aside'));
    const moved = (from: string, to: string) => existsSync(from) && renameSync(from, to);
    const asides = phase === 'aside' ? swapped.moves.slice(0, moves) : swapped.moves;
    for (const { place: from, aside } of asides) moved(from, aside);
    const ins = phase === 'aside' ? [] : swapped.moves.slice(0, moves);
    for (const { place: to, staged } of ins) if (staged !== null) moved(staged, to);
    writeFileSync(mark, JSON.stringify({ ...swapped, phase }));

    expect(await finishSwap(mark)).toMatchObject({ backup: 'one' });

    expectSwapped(place);
  },
);

test('finishSwap: refuses a mark that it cannot read, and changes nothing', async () => {
  const { mark, at } = given();
  writeFileSync(mark, '{"phase":"aside"}');
  await expect(finishSwap(mark)).rejects.toThrow('marks an unfinished restore, but cannot be read');
  expect([readFileSync(at('db'), 'utf8'), existsSync(mark)]).toEqual(['old', true]);
  expect(existsSync(restoredMarkOf(mark))).toBe(false);
});
