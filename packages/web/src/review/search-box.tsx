import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { type Filter, FilterControl, type FilterValues } from '../staff/filters.tsx';
import { SEARCH_PATH } from './paths.ts';

/** Names of the fields. */
export const SEARCH = { query: 'query', birthDate: 'birthDate', client: 'clientId' } as const;

interface SearchBoxProps {
  readonly page: Page;
  /** The filters of the queue, as `workQuery` returns them. */
  readonly query: string;
  readonly values?: FilterValues;
  /** Whether it stands above the rows of a list. */
  readonly isInList?: true;
  /** Messages for invalid values, by name. */
  readonly problems?: ReadonlyMap<string, string>;
  /** Where there are too many clients to search all of them: the choice of one. */
  readonly client?: Filter | null;
}

/** The search for cases. It is posted, so that no name reaches an address. */
export const SearchBox: FC<SearchBoxProps> = (props) => {
  const { page, query, values = {}, problems, client = null, isInList } = props;
  const { t, href } = page;
  const filters: readonly Filter[] = [
    { name: SEARCH.query, label: t('review:search.query'), key: '/' },
    { name: SEARCH.birthDate, label: t('review:search.birthDate'), type: 'date' },
    ...(client === null ? [] : [client]),
  ];
  return (
    <search class={isInList ? 'filter-bar' : undefined}>
      <form method="post" action={href(SEARCH_PATH) + query} class="filters" aria-label={t('review:search.title')}>
        {filters.map((filter) => (
          <FilterControl {...{ page, path: SEARCH_PATH, filters, values, filter, problems }} />
        ))}
        <div class="filter-buttons">
          <button type="submit" class="secondary">
            {t('review:search.submit')}
          </button>
        </div>
      </form>
    </search>
  );
};
