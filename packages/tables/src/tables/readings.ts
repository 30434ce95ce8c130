import type { ReadingRecord } from '@countersign/domain/storage';
import { table } from '../table.ts';

/** What was read from pictures of documents: at most one reading of each file. */
export const readings = table<ReadingRecord>()({
  name: 'readings',
  called: 'reading of the file',
  key: ['clientId', 'verificationId', 'fileId'],
  columns: {
    clientId: { kind: 'id' },
    verificationId: { kind: 'id' },
    fileId: { kind: 'id' },
    readerVersion: { kind: 'text' },
    readAt: { kind: 'moment' },
    data: { kind: 'object' },
  },
});
