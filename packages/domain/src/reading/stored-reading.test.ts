import { expect, test } from 'vitest';
import { fromReadingRecord, type StoredReading, toReadingRecord } from './stored-reading.ts';

const READING: StoredReading = {
  clientId: 'client-1',
  verificationId: 'verification-1',
  fileId: 'file-1',
  readerVersion: '1.0',
  readAt: new Date(1),
  outcome: 'read',
  fields: { lastName: { value: 'MUSTERMANN', sure: false } },
  type: 'passport',
  sha256: 'a'.repeat(64),
  isOffered: true,
  attempts: 1,
};

test('a reading becomes a record and the reading again', () => {
  const record = toReadingRecord(READING);
  expect(Object.keys(record).sort()).toEqual([
    'clientId',
    'data',
    'fileId',
    'readAt',
    'readerVersion',
    'verificationId',
  ]);
  expect(fromReadingRecord(JSON.parse(JSON.stringify(record)) as never)).toMatchObject({ fields: READING.fields });
  expect(fromReadingRecord(record)).toEqual(READING);
});

test('stored values that a later rule refuses are dropped; a record without a picture is none', () => {
  const record = toReadingRecord(READING);
  const fields = { lastName: { value: 'A\nB', sure: false } };
  expect(fromReadingRecord({ ...record, data: { ...record.data, fields } })).toEqual({ ...READING, fields: {} });
  expect(fromReadingRecord({ ...record, data: { outcome: 'read' } })).toBeNull();
});
