import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@countersign/domain/storage';
import { storageContract } from '@countersign/storage-contract';
import { onTestFinished } from 'vitest';
import { createLmdbStorage } from './lmdb-storage.ts';

const folders = new Map<Storage, string>();

storageContract(
  'LMDB',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'embed-example-'));
    // No case depends on the disk.
    const storage = createLmdbStorage(folder, { waitForDisk: false });
    folders.set(storage, folder);
    onTestFinished(async () => {
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    });
    return storage;
  },
  { reopen: async (closed) => createLmdbStorage(folders.get(closed) ?? '') },
);
