import { describe, expect, it, test } from 'vitest';
import { parseBrowseFilter, parseBrowseRequest } from './browse-request.ts';
import { positionText } from './page-position.ts';

const EVERYTHING = {
  status: undefined,
  type: undefined,
  subjectReferencePrefix: undefined,
  requestedFrom: undefined,
  requestedUntil: undefined,
};

describe('parseBrowseFilter', () => {
  it.each([
    [{}, {}],
    [{ status: 'pending', type: 'kyb' }, {}],
    [{ search: ' user_' }, { subjectReferencePrefix: ' user_' }],
    [{ fromDay: '2026-03-01' }, { requestedFrom: new Date('2026-03-01') }],
    [{ untilDay: '2026-02-28' }, { requestedUntil: new Date('2026-03-01') }],
    [
      { fromDay: '2026-03-01', untilDay: '2026-03-01' },
      { requestedFrom: new Date('2026-03-01'), requestedUntil: new Date('2026-03-02') },
    ],
    [
      { fromDay: '1970-01-01', untilDay: '9998-12-31' },
      { requestedFrom: new Date(0), requestedUntil: new Date('9999-01-01') },
    ],
  ])('%j', (request, days) => {
    const {
      fromDay: _,
      untilDay: __,
      search: ___,
      ...rest
    } = {
      fromDay: null,
      untilDay: null,
      search: null,
      ...request,
    };
    expect(parseBrowseFilter(request)).toEqual({
      filter: { ...EVERYTHING, ...rest, ...days },
      reference: null,
    });
  });

  it.each([
    [{ fromDay: '1969-12-31' }, 'fromDay', 'not_a_date'],
    [{ untilDay: '9999-01-01' }, 'untilDay', 'not_a_date'],
    [{ fromDay: '2026-02-30' }, 'fromDay', 'not_a_date'],
    [{ fromDay: '2026-03-02', untilDay: '2026-03-01' }, 'untilDay', 'invalid'],
    [{ colour: 'red' }, 'colour', 'unknown_field'],
  ])('%j is refused', (request, path, code) => {
    const issue: unknown = expect.objectContaining({ path, code });
    expect(() => parseBrowseFilter(request)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS', data: { issues: [issue] } }),
    );
  });
});

test('a search that can be a short reference is read as one, and as the beginning of a subject reference', () => {
  expect(parseBrowseFilter({ search: '7k3f 92qd', status: 'pending' })).toEqual({
    filter: { ...EVERYTHING, status: 'pending', subjectReferencePrefix: '7k3f 92qd' },
    reference: '7K3F-92QD',
  });
});

const POSITION = { requestedAt: new Date('2026-03-01T10:00:00.000Z'), id: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602' };

test('the position of a page is read as it was written', () => {
  expect(parseBrowseRequest({ after: positionText({ at: POSITION.requestedAt, id: POSITION.id }) }).after).toEqual(
    POSITION,
  );
  expect(parseBrowseRequest({}).after).toBeUndefined();
});

test.each([
  '',
  POSITION.id,
  `_${POSITION.id}`,
  `2026-03-01T10:00:00.000Z_`,
  '2026-03-01T10:00:00.000Z_user_1',
  `2026-02-30T10:00:00.000Z_${POSITION.id}`,
  `2026-03-01T10:00:00Z_${POSITION.id}`,
  `1969-12-31T23:59:59.999Z_${POSITION.id}`,
  `9999-01-01T00:00:00.000Z_${POSITION.id}`,
  `x2026-03-01T10:00:00.000Z_${POSITION.id}`,
])('%j is no position', (after) => {
  expect(() => parseBrowseRequest({ after })).toThrow(
    expect.objectContaining({ data: { issues: [expect.objectContaining({ path: 'after' })] } }),
  );
});
