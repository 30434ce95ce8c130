import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differences, SURVIVORS } from '../mutation/survivors.mjs';
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
      const codes = mutants.map((mutant) => mutant.split(' → ')[0]?.replace(/…$/, '') ?? '');
      expect(codes.filter((code) => code === '' || !source.includes(code))).toEqual([]);
    },
  );

  it('reports a survivor without a reason and a reason without a survivor', () => {
    const mutant = { file: 'a.ts', line: 1, change: 'a < b → a <= b', range: 'a.ts:1:0-1:5', killed: false };
    const listed = [{ file: 'a.ts', reason: 'both are the same', mutants: ['a < b → a <= b'] }];
    expect(differences([mutant], listed)).toEqual([]);
    expect(differences([mutant], [])).toEqual(['survived and is not listed: a.ts:1: a < b → a <= b']);
    expect(differences([{ ...mutant, killed: true }], listed)).toEqual([
      'is listed and was killed, or is gone: a.ts: a < b → a <= b',
    ]);
    expect(differences([{ ...mutant, file: 'b.ts', killed: true }], listed)).toEqual([]);
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
