import type { DocumentReading } from '@countersign/domain';

/** The reading of a passport: its names are not sure, like all names. */
export const READ_PASSPORT: DocumentReading = {
  outcome: 'read',
  readerVersion: '1',
  fields: {
    documentNumber: { value: 'L01X00T47', sure: true },
    expiresOn: { value: '2031-08-01', sure: true },
    dateOfBirth: { value: '1964-08-12', sure: true },
    nationality: { value: 'DE', sure: true },
    lastName: { value: 'MUELLER', sure: false },
    firstName: { value: 'ANNA-LENA', sure: false },
  },
};
