import { expect, test } from 'vitest';
import { isDrawn } from './evidence-file.ts';

test.each([
  [{ contentType: 'image/jpeg' }, true],
  [{ contentType: 'application/pdf', pages: 1 }, true],
  [{ contentType: 'application/pdf', pages: 0 }, false],
  [{ contentType: 'application/pdf' }, false],
] as const)('isDrawn: a picture, and a PDF with drawn pages: %j is %s', (file, expected) => {
  expect(isDrawn(file)).toBe(expected);
});
