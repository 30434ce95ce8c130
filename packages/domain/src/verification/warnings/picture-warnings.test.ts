import { expect, it } from 'vitest';
import { aReading } from '../../../test-support/readings.ts';
import { CONTEXT, submitted } from '../../../test-support/verifications.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import { pictureWarnings } from './picture-warnings.ts';

const CASE = submitted('kyc');
const FRONT = '0'.repeat(64);

/** A hash that differs from that of the front in this many bits. */
function differing(bits: number): string {
  return BigInt(`0b0${'1'.repeat(bits)}`)
    .toString(16)
    .padStart(64, '0');
}

function found(back: Partial<StoredReading>, front: Partial<StoredReading> = { pictureHash: FRONT }): string[] {
  const readings = [aReading({}, front), aReading({}, { fileId: 'document_back', ...back })];
  return pictureWarnings(CASE, { ...CONTEXT, readings }).map(
    ({ code, step, path, detail }) => `${code} ${step}.${path} ${detail}`,
  );
}

it.each([0, 40])('a back that differs from the front in %d of 256 bits shows the same picture', (bits) => {
  expect(found({ outcome: 'nothing', pictureHash: differing(bits) })).toEqual([
    'same_picture document.frontFileId document_back',
    'same_picture document.backFileId document_front',
  ]);
});

it('a back that differs in 41 bits is another picture', () => {
  expect(found({ pictureHash: differing(41) })).toEqual([]);
});

it('pictures without a hash, and those that are gone, are compared with none', () => {
  expect(found({})).toEqual([]);
  for (const fileId of ['gone', 'selfie']) expect(found({ pictureHash: FRONT, fileId })).toEqual([]);
});

it('two places with the same file: none is another picture', () => {
  const [front] = CASE.files.filter(({ id }) => id === 'document_front');
  const files = CASE.files.map((file) =>
    file.id === 'document_back' ? { ...file, sha256: front?.sha256 ?? '' } : file,
  );
  const readings = ['document_front', 'document_back'].map((fileId) =>
    aReading({}, { fileId, sha256: front?.sha256 ?? '', pictureHash: FRONT }),
  );
  expect(pictureWarnings({ ...CASE, files }, { ...CONTEXT, readings })).toEqual([]);
});
