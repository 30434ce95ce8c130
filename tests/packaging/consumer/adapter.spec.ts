import { createMemoryStorage } from '@countersign/memory';
import { storageContract } from '@countersign/storage-contract';
import { createSqliteStorage } from '@countersign/storage-sqlite';

// What an adopter writes to prove a storage adapter of their own; here those that are published stand in for it.
storageContract('an adapter in memory', async () => createMemoryStorage());

let count = 0;
storageContract('an adapter with a file', () => createSqliteStorage({ file: `contract/${count++}.db` }));
