import { expect, it } from 'vitest';
import { sql } from '../drizzle.ts';
import { lookUpTogether } from './look-up-together.ts';
import type { Rows } from './rows.ts';
import { statementOf } from './statement.ts';

/** Finds one row for each id but `c`, unless the database is down. */
function given() {
  const database = { isDown: false };
  const asked: unknown[] = [];
  const lookUp = async (_: unknown, { ids }: Readonly<Record<string, unknown>>): Promise<Rows> => {
    asked.push(ids);
    if (database.isDown) throw new Error('down');
    const found = String(ids)
      .slice(1, -1)
      .split(',')
      .filter((id) => id !== 'c');
    return Object.assign(
      found.map((id) => [id]),
      { count: found.length },
    );
  };
  return { database, asked, find: lookUpTogether({ lookUp }, statementOf(sql`select 1`), ([id]) => id) };
}

it('look-ups of one turn share a statement, and each gets its own rows', async () => {
  const { asked, find } = given();
  const found = () => Promise.all(['a', 'b', 'a', 'c'].map(find));
  expect(await found()).toEqual([[['a']], [['b']], [['a']], []]);
  await found();
  expect(asked).toEqual(['{a,b,c}', '{a,b,c}']);
});

it('a look-up that begins while a statement runs gets a statement of its own', async () => {
  const { asked, find } = given();
  const first = find('a');
  await Promise.resolve();
  await Promise.all([first, find('a')]);
  expect(asked).toEqual(['{a}', '{a}']);
});

it('a failed statement fails all that share it, and no later one', async () => {
  const { database, find } = given();
  database.isDown = true;
  const outcomes = async () => (await Promise.allSettled(['a', 'b'].map(find))).map(({ status }) => status);
  expect(await outcomes()).toEqual(['rejected', 'rejected']);
  database.isDown = false;
  expect(await outcomes()).toEqual(['fulfilled', 'fulfilled']);
});
