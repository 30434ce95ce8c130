import { expect, test } from 'vitest';
import { paginationOf } from './read-verifications.ts';

test.each([
  [1, 10, 0, 0, false],
  [1, 10, 10, 1, false],
  [1, 10, 11, 2, true],
  [2, 10, 20, 2, false],
  [3, 10, 20, 2, false],
])(
  'page %i of %i each: of %i, there are %i pages, and more after it: %s',
  (page, limit, totalCount, totalPages, hasMore) => {
    expect(paginationOf({ page, limit, totalCount })).toEqual({ page, limit, totalCount, totalPages, hasMore });
  },
);
