import { join } from 'node:path';
import { evidenceStoreContract } from '@countersign/storage-contract';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../test-support/temporary-directory.ts';
import { createFileEvidenceStore } from './file-evidence-store.ts';

evidenceStoreContract('file evidence store', async () =>
  createFileEvidenceStore({ directory: join(temporaryDirectory(onTestFinished), 'evidence') }),
);
