import { createMemoryStorage } from '@countersign/memory';
import { storageContract } from '@countersign/storage-contract';

// An adopter tests a custom storage adapter like this; the memory adapter takes its place here.
storageContract('an adapter in memory', async () => createMemoryStorage());
