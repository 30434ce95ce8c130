import { expect, test } from 'vitest';
import { evidencePathOf, evidencePlaceOf, isEvidencePath } from './evidence-path.ts';

test.each([
  ['a/b/c', true],
  ['a/b', false],
  ['a/b/c/d', false],
  ['../b/c', false],
  ['a/../c', false],
  ['/a/b', false],
  ['a/b/', false],
])('isEvidencePath: %s is %s', (path, isOne) => expect(isEvidencePath(path)).toBe(isOne));

test('evidencePathOf: evidencePlaceOf returns the place again, and neither accepts an id that is no name', () => {
  const place = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
  expect(evidencePathOf(place)).toBe('client-1/verification-1/file-1');
  expect(evidencePlaceOf('client-1/verification-1/file-1')).toEqual(place);
  expect(evidencePathOf({ ...place, fileId: 'a.b' })).toBeNull();
  expect(evidencePlaceOf('client-1/verification-1/a.b')).toBeNull();
});
