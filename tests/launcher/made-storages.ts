import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Finished } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach } from 'vitest';
import { launchIn, makeTree } from './made-tree.ts';

/** An entry of the journal from a clock that was far ahead. */
export const WHEN = 9_999_999_999_999;
const PARTS = { tables: {}, enums: {}, views: {} };

/** Two storages with one migration, which creates nothing. */
export const STORAGES = {
  sqlite: { folder: 'packages/storage-sqlite', dialect: 'sqlite', version: '6', number: '0031', parts: PARTS },
  postgres: {
    folder: 'packages/storage-postgres',
    dialect: 'postgresql',
    version: '7',
    number: '0040',
    parts: { ...PARTS, schemas: {}, sequences: {}, roles: {}, policies: {} },
  },
};
type Storage = keyof typeof STORAGES;

let root: string;

/** Makes the two storages in a tree of their own before each test. */
export function makeStorages(): void {
  beforeEach(() => {
    root = temporaryFolder(tmpdir());
    makeTree(root, { ...filesOf('sqlite'), ...filesOf('postgres') });
    for (const { folder } of Object.values(STORAGES)) {
      const modules = join(import.meta.dirname, '../..', folder, 'node_modules');
      symlinkSync(modules, join(root, folder, 'node_modules'));
    }
  });
}

/** Returns the folder of a storage in the tree. */
export const folderOf = (storage: Storage): string => join(root, STORAGES[storage].folder);

function filesOf(storage: Storage): Record<string, string> {
  const { folder, dialect, version, number, parts } = STORAGES[storage];
  const meta = { schemas: {}, tables: {}, columns: {} };
  const snapshot = { ...parts, version, dialect, id: 'first', prevId: 'none', _meta: meta };
  const entry = { idx: Number(number), version, when: WHEN, tag: `${number}_nothing`, breakpoints: true };
  return {
    [`${folder}/package.json`]: '{ "type": "module" }',
    [`${folder}/drizzle.config.ts`]: "export default { schema: './schema.ts' };",
    [`${folder}/schema.ts`]: '',
    [`${folder}/migrations/meta/${number}_snapshot.json`]: JSON.stringify(snapshot),
    [`${folder}/migrations/meta/_journal.json`]: JSON.stringify({ dialect, entries: [entry] }),
  };
}

/** Declares a table `notes`. */
export function declareTable(storage: Storage, ...columns: string[]): void {
  const [library, table] = storage === 'sqlite' ? ['sqlite', 'sqliteTable'] : ['pg', 'pgTable'];
  const declared = columns.map((name) => `${name}: text('${name}')`);
  const source = `import { ${table}, text } from 'drizzle-orm/${library}-core';
    export const notes = ${table}('notes', { ${declared.join(', ')} });`;
  writeFileSync(join(root, STORAGES[storage].folder, 'schema.ts'), source);
}

/** Runs `npm run migration` in the tree. */
export function migration(...args: string[]): Promise<Finished> {
  return launchIn(root, ['migration', ...args]).finished;
}

/** Returns the paths below `migrations` of a storage, or of both, and the text of each. */
export function migrations(storage = '*'): Record<string, string> {
  const found = globSync(`packages/storage-${storage}/migrations/**`, { cwd: root, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}
