import { createMemoryStorage } from '@countersign/memory';
import { storageContract } from '@countersign/storage-contract';

// What an adopter writes to prove a storage adapter of their own; the memory adapter stands in for it.
storageContract('an adapter in memory', async () => createMemoryStorage());
