import { cleanUpFile } from '@countersign/test-support/processes/end-of-file';
import { afterAll, vi } from 'vitest';

// Vitest runs this before each test file.
afterAll(async () => {
  vi.useRealTimers();
  await cleanUpFile();
});
