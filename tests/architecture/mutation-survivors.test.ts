import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differences, placesOf, SURVIVORS } from '../mutation/survivors.mjs';
import { filesOf, TARGETS } from '../mutation/targets.mjs';
import { root } from './planted-tree.ts';

// `npm run test:mutation` takes hours. This test keeps its list and its targets right in between.

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
const mutated = new Set(Object.values(TARGETS).flatMap(({ mutate }) => filesOf(mutate)));

describe('the list of mutants that may survive', () => {
  it.each(SURVIVORS.map((survivor) => [survivor.file, survivor] as const))(
    'names code that exists in %s, and a reason',
    (file, { reason, mutants }) => {
      expect(mutated).toContain(file);
      expect(reason.length).toBeGreaterThan(20);
      const source = inOneLine(readFileSync(join(root, file), 'utf8'));
      const codes = mutants.map((mutant) => placesOf(mutant).change.split(' → ')[0]?.replace(/…$/, '') ?? '');
      expect(codes.filter((code) => code === '' || !source.includes(code))).toEqual([]);
    },
  );

  it('reports each change of a file that lives in more or fewer places than are listed', () => {
    const mutant = (line: number, killed = false) => ({ file: 'a.ts', line, change: 'a < b → a <= b', killed });
    const listed = (count: string) => [
      { file: 'a.ts', reason: 'both are the same', mutants: [`${count}a < b → a <= b`] },
    ];
    const found = (mutants: ReturnType<typeof mutant>[], count: string) => differences(mutants, listed(count));
    const here = 'a.ts: a < b → a <= b';
    expect(found([mutant(1), mutant(2, true)], '')).toEqual([]);
    expect(found([mutant(1), mutant(2)], '2 × ')).toEqual([]);
    expect(differences([mutant(1)], [...listed(''), ...listed('')])).toEqual([
      `1 survived, 2 listed: ${here}, line 1`,
    ]);
    expect(differences([mutant(1)], [])).toEqual([`1 survived, 0 listed: ${here}, line 1`]);
    expect(found([mutant(1), mutant(9)], '')).toEqual([`2 survived, 1 listed: ${here}, line 1, line 9`]);
    expect(found([mutant(1, true)], '')).toEqual([`0 survived, 1 listed: ${here}`]);
    expect(differences([{ ...mutant(1, true), file: 'b.ts' }], listed(''))).toEqual([]);
  });
});

describe('the targets of the mutation tests', () => {
  it('the targets of the mutation tests are found, and none of their files is a test', () => {
    for (const { mutate } of Object.values(TARGETS)) expect(filesOf(mutate).length).toBeGreaterThan(0);
    expect([...mutated].filter((file) => file.includes('.test.'))).toEqual([]);
  });

  it('the targets of the mutation tests have each file with rules of the domain and of sealing in exactly one target', () => {
    const all = Object.values(TARGETS).flatMap(({ mutate }) => filesOf(mutate));
    expect(all.length).toBe(mutated.size);
    const rules = filesOf(['packages/domain/src/**/*.ts', 'packages/sealing/src/**/*.ts']);
    const isEntry = (file: string) => file.startsWith('packages/domain/src/entries/');
    expect(rules.filter((file) => !isEntry(file) && !mutated.has(file))).toEqual([]);
  });
});
