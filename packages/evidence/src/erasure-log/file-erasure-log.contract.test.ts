import { erasureLogContract } from '@countersign/storage-contract';
import { erasureLogFolder } from '../../test-support/erasures.ts';
import { createFileErasureLog } from './file-erasure-log.ts';

erasureLogContract('file erasure log', async () => {
  const directory = erasureLogFolder();
  return { instance: () => createFileErasureLog({ directory }) };
});
