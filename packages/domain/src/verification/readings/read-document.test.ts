import { expect, it, test } from 'vitest';
import { aReading, attachedTo } from '../../../test-support/readings.ts';
import { file, pending, submitted } from '../../../test-support/verifications.ts';
import { chosenOf, documentUses, isReadKind, joinReadings, mayShowZone, readingsIn } from './read-document.ts';

it.each([
  ['id_card', 'document', 'document_back', true],
  ['id_card', 'document', 'document_front', false],
  ['id_card', 'selfie', 'document_back', false],
  ['passport', 'document', 'document_front', true],
  ['passport', 'document', 'document_back', false],
  [undefined, 'document', 'document_front', false],
] as const)('mayShowZone: with the type %s, the picture %s.%s may: %s', (type, step, kind, expected) => {
  const drafts = type === undefined ? {} : { document: { type } };
  expect(mayShowZone({ ...pending(), drafts }, { step, kind })).toBe(expected);
});

it.each([
  ['document', 'document_front', true],
  ['document', 'selfie', false],
  ['representative', 'document_front', false],
])('isReadKind: the picture %s.%s of a person is read: %s', (step, kind, expected) => {
  expect(isReadKind(pending(), { step, kind })).toBe(expected);
});

test('documentUses: other files of the same step are no pictures of the document', () => {
  const paths = documentUses(submitted('kyb')).map(({ path }) => path);
  expect(paths).toEqual(['document.frontFileId', 'document.backFileId']);
});

test('readingsIn: a file of the same content does not have the reading of another file', () => {
  const front = attachedTo(pending(), 'document_front');
  const copy = { ...file('document', 'document_front'), id: 'copy' };
  expect(readingsIn({ ...front, files: [...front.files, copy] }, [aReading()])).toEqual([aReading()]);
});

test('joinReadings: the type is the first one that was read, and absent without one', () => {
  const types = [aReading(), aReading({}, { type: 'passport' }), aReading({}, { type: 'id_card' })];
  expect(joinReadings(types).type).toBe('passport');
  expect(joinReadings([aReading()])).not.toHaveProperty('type');
});

test('chosenOf: nothing is chosen before the step is completed', () => {
  expect(chosenOf(attachedTo(pending(), 'document_front'))).toEqual({ documentType: null, issuer: null });
});
