import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageContract } from '@countersign/storage-contract';
import { createSqliteStorage } from '@countersign/storage-sqlite';

// Put your adapter in the place of SQLite.
storageContract(
  'my storage',
  async () => {
    const file = join(tmpdir(), `${randomUUID()}.db`);
    return { ...(await createSqliteStorage({ file })), file };
  },
  // For a durable storage: opens another instance on the data of a closed one.
  { reopen: ({ file }) => createSqliteStorage({ file }) },
);
