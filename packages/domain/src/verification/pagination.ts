/** Interface, Pagination object. */
export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly totalCount: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

export const LIST_LIMIT_MAX = 100;
export const LIST_LIMIT_DEFAULT = 20;
/** So that page × limit stays an exact integer in every database. */
export const LIST_PAGE_MAX = 1_000_000_000;

export function paginationOf(page: { page: number; limit: number; totalCount: number }): Pagination {
  const { page: number, limit, totalCount } = page;
  return {
    page: number,
    limit,
    totalCount,
    totalPages: Math.ceil(totalCount / limit),
    hasMore: number * limit < totalCount,
  };
}
