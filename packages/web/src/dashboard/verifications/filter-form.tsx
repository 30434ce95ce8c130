import { STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { FilterBar } from '../../lists/filter-bar.tsx';
import type { Page } from '../../site/page.ts';
import { type BrowseFilterTexts, isFiltered } from './browse-filter.ts';
import type { FilterProblems } from './filter-problems.ts';

interface FilterFormProps {
  readonly page: Page;
  /** Path of the page that the form is on. */
  readonly path: string;
  readonly filter: BrowseFilterTexts;
  readonly problems: FilterProblems;
}

/** The filters of the client's verifications. */
export const FilterForm: FC<FilterFormProps> = ({ page, path, filter, problems }) => {
  const { t } = page;
  return (
    <FilterBar
      page={page}
      path={path}
      label={t('dashboard:verifications.filter.label')}
      values={filter}
      isFiltered={isFiltered(filter)}
      problems={problems}
      filters={[
        {
          name: 'status',
          label: t('dashboard:verifications.status'),
          options: STATUSES.map((status) => [status, t(`wording:statusShort.${status}`)]),
        },
        {
          name: 'type',
          label: t('dashboard:verifications.type'),
          options: SUBJECT_TYPES.map((type) => [type, t(`wording:type.${type}`)]),
        },
        { name: 'prefix', label: t('dashboard:verifications.filter.prefix') },
        { name: 'from', type: 'date', label: t('dashboard:verifications.filter.from') },
        { name: 'until', type: 'date', label: t('dashboard:verifications.filter.until') },
      ]}
    />
  );
};
