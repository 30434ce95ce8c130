import { globSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, test } from 'vitest';
import { docstringOf, exportedNames, isNumber, namesErrors, throwsItself } from './exported-names.ts';
import { root } from './planted-tree.ts';

/** Units of numbers, at the end of a constant's name or in its docstring. What is counted is a unit too. */
const UNIT_IN_NAME = /_(?:BYTES|DAYS|HOURS|MS|YEARS)$/;
const UNIT =
  /\b(?:attempts|bytes|characters|clients|deliveries|digits|downloads|endpoints|events|files|keys|levels|months|networks|page|pages|passkeys|percent|pixels|renewals|requests|return addresses|secrets|templates|uploads|verifications|codes|years|days)\b/i;

/** Generated from the API's description, which documents the routes. */
const GENERATED = 'packages/client/src/api-types.ts';

/** Lists what the docstring of each name that the files export lacks. */
function lacking(files: readonly string[]): string[] {
  return files.flatMap((entry) =>
    exportedNames(entry).flatMap(({ name, file, declaration }) => {
      const where = `${name} (${relative(root, file)})`;
      if (relative(root, file) === GENERATED) return [];
      const docstring = docstringOf(declaration);
      if (docstring === '') return [`${where} has no docstring`];
      if (throwsItself(declaration) && !namesErrors(declaration)) return [`${where} throws and has no @throws`];
      if (isNumber(declaration) && !UNIT_IN_NAME.test(name) && !UNIT.test(docstring))
        return [`${where} has no unit`];
      return [];
    }),
  );
}

const ENTRIES = globSync('packages/*/src/{index,entries/*}.ts', { cwd: root }).map((file) => join(root, file));
const entriesOf = (name: string) => ENTRIES.filter((file) => relative(root, file).startsWith(`packages/${name}/`));
const packages = [...new Set(ENTRIES.map((file) => relative(root, file).split('/')[1] ?? ''))];

test.each(packages)('every name that %s exports has a docstring, with its errors and unit', (name) => {
  expect(entriesOf(name).flatMap((file) => exportedNames(file)).length).toBeGreaterThan(0);
  expect(lacking(entriesOf(name))).toEqual([]);
});

test('each name of the domain has one place', () => {
  const names = entriesOf('domain').flatMap((file) => exportedNames(file).map(({ name }) => name));
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('lacking', () => {
  const folder = temporaryFolder(tmpdir());
  let planted = 0;
  /** Writes a file of its own, because files are parsed once. @returns its name */
  const plant = (source: string): string => {
    planted += 1;
    writeFileSync(join(folder, `planted-${planted}.ts`), source);
    return `planted-${planted}.ts`;
  };

  test.each([
    ['export const half = 0.5;', 'has no docstring'],
    ['/** */\nexport interface Half {}', 'has no docstring'],
    ['// Half of it.\nexport type Half = 1;', 'has no docstring'],
    ['/** Halves it. */\nexport function half(): void { throw new Error(); }', 'has no @throws'],
    ['/** Halves it. */\nexport const half = () => { if (true) throw new Error(); };', 'has no @throws'],
    ['/** The largest one. */\nexport const ONE_MAX: number = 10 * 1024;', 'has no unit'],
  ])('reports %j: it %s', (source, reason) => {
    const name = /(?:const|interface|type|function) (\w+)/.exec(source)?.[1] ?? '';
    const entry = plant(`export { ${name} as outer } from './${plant(source)}';`);
    expect(lacking([join(folder, entry)])).toEqual([expect.stringMatching(`^outer .*${reason}$`)]);
  });

  test.each([
    '/** Half. */\nexport type Half = 1;',
    '/** Halves it. @throws Error always */\nexport function half(): void { throw new Error(); }',
    '/** Halves it later. */\nexport function half(): () => void { return () => { throw new Error(); }; }',
    '/** The largest one, in bytes. */\nexport const ONE_MAX: number = 10 * 1024;',
    '/** The largest one. */\nexport const ONE_MAX_BYTES = 10;',
  ])('allows %j', (source) => {
    expect(lacking([join(folder, plant(source))])).toEqual([]);
  });
});
