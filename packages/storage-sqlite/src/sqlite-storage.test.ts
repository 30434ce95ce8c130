// Every case of the kit has a file of its own.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Storage } from '@countersign/domain/storage';
import { storageContract } from '@countersign/storage-contract';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { afterAll, onTestFinished } from 'vitest';
import { createSqliteStorage, migrateSqlite } from './sqlite-storage.ts';

// Migrated once and copied for each case: a new database waits for the disk a dozen times.
const template = join(temporaryDirectory(afterAll), 'countersign.db');
await migrateSqlite({ file: template });

/** The file of each storage, to open it again. */
const files = new Map<Storage, string>();

async function givenStorage() {
  const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
  copyFileSync(template, file);
  const storage = await createSqliteStorage({ file });
  files.set(storage, file);
  return storage;
}

storageContract('sqlite', givenStorage, {
  reopen: (closed) => createSqliteStorage({ file: files.get(closed) ?? '' }),
});
