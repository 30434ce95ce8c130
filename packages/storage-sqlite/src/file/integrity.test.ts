import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';

it('integrity: reports a broken page, even if the check itself fails there', async () => {
  const file = await givenDatabase(onTestFinished);
  const connection = rawConnection(onTestFinished, file);
  const page = Number(
    connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'clients'").pluck().get(),
  );
  const size = Number(connection.pragma('page_size', { simple: true }));
  connection.close();
  writeFileSync(file, readFileSync(file).fill(0xee, (page - 1) * size, page * size));
  const storage = await createSqliteStorage({ file, migrate: false });

  const { integrity } = await storage.inspect();

  expect(integrity).toContainEqual(expect.stringContaining(`page ${page}`));
  expect(integrity).toContain('database disk image is malformed');
  expect([...integrity].join('')).not.toMatch(/[\n*]/);
  await storage.close();
});
