import { join } from 'node:path';
import { evidenceStoreContract } from '@countersign/storage-contract';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { onTestFinished } from 'vitest';
import { createFileEvidenceStore } from './file-evidence-store.ts';

evidenceStoreContract('file evidence store', async () =>
  createFileEvidenceStore({ directory: join(temporaryDirectory(onTestFinished), 'evidence') }),
);
