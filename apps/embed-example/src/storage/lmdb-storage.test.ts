import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyValueStoreContract, storageContract } from '@countersign/storage-contract';
import { onTestFinished } from 'vitest';
import { createLmdbStorage, openLmdbStore } from './lmdb-storage.ts';

/** A folder that is removed after the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'embed-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

keyValueStoreContract(
  'store on LMDB',
  async () => {
    const folder = newFolder();
    return { ...openLmdbStore(folder), folder };
  },
  {
    // A copy, because this process has the folder open.
    crash: async ({ folder }) => {
      const copy = newFolder();
      cpSync(folder, copy, { recursive: true });
      return openLmdbStore(copy);
    },
  },
);

storageContract(
  'LMDB',
  async () => {
    const folder = newFolder();
    // No case depends on the disk.
    return { ...createLmdbStorage(folder, { waitForDisk: false }), folder };
  },
  { reopen: async ({ folder }) => createLmdbStorage(folder) },
);
