import { expect, test } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { parsePosition, positionText } from './page-position.ts';

const ID = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';

test.each([
  ['with a moment', NOW, `2026-03-01T10:00:00.000Z_${ID}`],
  ['without a moment', null, `_${ID}`],
])('a position %s is written as text and parsed again', (_, at, text) => {
  expect(positionText({ at, id: ID })).toBe(text);
  expect(parsePosition(text)).toEqual({ at, id: ID });
});

test.each(['', ID, '_', `${NOW.toISOString()}_`])('the text %j is no position', (text) => {
  expect(() => parsePosition(text)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETERS' }));
});
