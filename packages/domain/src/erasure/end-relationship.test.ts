import { expect, it } from 'vitest';
import { parseRelationshipEnd } from './end-relationship.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');

it.each(['1970-01-01T00:00:00.000Z', '2026-03-10T13:00:00+01:00', '2026-03-11T12:00:00.000Z'])(
  'the end of a relationship may be %s: from 1970 to a day ahead, with an offset',
  (endedAt) => {
    expect(parseRelationshipEnd({ endedAt }, NOW)).toEqual(new Date(endedAt));
  },
);

it.each(['1969-12-31T23:59:59.999Z', '2026-03-11T12:00:00.001Z'])(
  'the end of a relationship cannot be %s',
  (endedAt) => {
    expect(() => parseRelationshipEnd({ endedAt }, NOW)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS' }),
    );
  },
);

it('the end of a relationship is removed by null', () => {
  expect(parseRelationshipEnd({ endedAt: null }, NOW)).toBeNull();
});
