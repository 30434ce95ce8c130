import { type ClientWithSubscription, STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { FilterBar } from '../staff/filter-bar.tsx';
import { QUEUE_PATH } from './paths.ts';
import { CLAIMS, isFiltered, type QueueFilter } from './queue-filter.ts';

interface FiltersProps {
  readonly page: Page;
  readonly filter: QueueFilter;
  readonly clients: readonly ClientWithSubscription[];
}

/** The filters of the queue. */
export const Filters: FC<FiltersProps> = ({ page, filter, clients }) => {
  const { t } = page;
  const { status, type, clientId, claim } = filter;
  return (
    <FilterBar
      page={page}
      path={QUEUE_PATH}
      label={t('review:queue.filters')}
      values={{ status, type, client: clientId, claim }}
      isFiltered={isFiltered(filter)}
      filters={[
        {
          name: 'status',
          label: t('review:queue.status'),
          options: STATUSES.map((each) => [each, t(`wording:statusShort.${each}`)]),
          isRequired: true,
        },
        {
          name: 'type',
          label: t('review:queue.type'),
          options: SUBJECT_TYPES.map((each) => [each, t(`wording:type.${each}`)]),
        },
        {
          name: 'client',
          label: t('review:queue.client'),
          options: clients.map(({ client: { id, name } }) => [id, name]),
        },
        {
          name: 'claim',
          label: t('review:queue.claim'),
          options: CLAIMS.map((each) => [each, t(`review:queue.${each}`)]),
        },
      ]}
    />
  );
};
