import { expect, it } from 'vitest';
import { createSession } from './session.ts';
import { createSortedMap } from './sorted-map.ts';
import { createTable, type Table } from './table.ts';

interface Row {
  readonly id: string;
  readonly group: string | null;
  readonly rank: number;
}

/** Runs operations on a table, and returns the keys that each writes. */
function givenTable() {
  const map = createSortedMap<unknown>();
  const keys: string[] = [];
  const session = createSession({
    async run(operation) {
      const { result, writes } = operation(map);
      for (const { key, value } of writes) {
        keys.push(key);
        if (value === undefined) map.delete(key);
        else map.set(key, value);
      }
      return result;
    },
  });
  const table: Table<Row, 'group'> = createTable(session, 'rows', {
    key: ({ id }: Row) => [id],
    indexes: { group: ({ group, rank }: Row) => (group === null ? null : [group, rank]) },
  });
  return async (operation: (table: Table<Row, 'group'>) => unknown) => {
    keys.length = 0;
    await session.run(() => {
      operation(table);
    }, []);
    return keys.length;
  };
}

it('a table writes entries of its indexes only where they change', async () => {
  const writesOf = givenTable();
  const row = { id: 'a', group: 'g', rank: 1 };

  expect(await writesOf((table) => table.put(row))).toBe(2);
  expect(await writesOf((table) => table.put({ ...row }))).toBe(1);
  expect(await writesOf((table) => table.put({ ...row, rank: 2 }))).toBe(3);
  expect(await writesOf((table) => table.put({ ...row, group: null }))).toBe(2);
  expect(await writesOf((table) => table.put({ ...row, group: null, rank: 3 }))).toBe(1);
  expect(await writesOf((table) => table.put(row))).toBe(2);
  expect(await writesOf((table) => table.remove('a'))).toBe(2);
  expect(await writesOf((table) => table.remove('a'))).toBe(0);
});
