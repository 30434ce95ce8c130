import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { storageContract } from '@countersign/storage-contract';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { afterAll, onTestFinished } from 'vitest';
import { createSqliteStorage, migrateSqlite } from './sqlite-storage.ts';

// Migrated once and copied for each case: a new database waits for the disk a dozen times.
const template = join(temporaryDirectory(afterAll), 'countersign.db');
await migrateSqlite({ file: template });

async function givenStorage() {
  const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
  copyFileSync(template, file);
  return createSqliteStorage({ file });
}

storageContract('sqlite', givenStorage);
