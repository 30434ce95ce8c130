import { expect, it } from 'vitest';
import { aReading } from '../../test-support/readings.ts';
import { exportedReadings } from './exported-reading.ts';

it('an exported reading has what was read, and no hash of the picture', () => {
  const reading = aReading({ documentNumber: 'L01X00T47' }, { pictureHash: '0'.repeat(64) });
  const [exported] = exportedReadings([reading], [{ id: reading.fileId }]);
  const { fileId, readerVersion, readAt, outcome, fields } = reading;
  expect(exported).toEqual({ fileId, readerVersion, readAt, outcome, fields });
});

it('a reading of a file that the export lacks is left out', () => {
  expect(exportedReadings([aReading({ documentNumber: 'L01X00T47' })], [{ id: 'another file' }])).toEqual([]);
});
