import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sqliteDatabases } from '../../test-support/databases.ts';
import { prepare } from './open-database.ts';

it('a database that could not be opened is opened by the next call', async () => {
  const databases = await sqliteDatabases();
  const place = await databases.emptied();
  if (place.kind !== 'sqlite') throw new Error(place.kind);
  const { database, close } = await prepare(place, { migrate: false });
  renameSync(place.file, `${place.file}.away`);
  await expect(database()).rejects.toMatchObject({ code: 'missing' });
  renameSync(`${place.file}.away`, place.file);
  const opened = await database();
  expect(await opened.selectFrom('staff_users').selectAll().execute()).toEqual([]);
  expect(await database()).toBe(opened);
  await close();
  await databases.close();
});
