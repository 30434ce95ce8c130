import { type ClientWithSubscription, STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { QUEUE_PATH } from './paths.ts';
import { CLAIMS, isFiltered, type QueueFilter } from './queue-filter.ts';

/** The form that says which cases the queue shows. It is sent as the query of an address, so that it can be kept. */
export const Filters: FC<{ page: Page; filter: QueueFilter; clients: readonly ClientWithSubscription[] }> = (
  props,
) => {
  const { page, filter, clients } = props;
  const { t, href } = page;
  const any: Option = ['', t('review:queue.any')];
  return (
    <form method="get" action={href(QUEUE_PATH)} class="filters" aria-label={t('review:queue.filters')}>
      <Filter
        name="status"
        label={t('review:queue.status')}
        chosen={filter.status}
        options={STATUSES.map((status) => [status, t(`wording:statusShort.${status}`)])}
      />
      <Filter
        name="type"
        label={t('review:queue.type')}
        chosen={filter.type}
        options={[any, ...SUBJECT_TYPES.map((type): Option => [type, t(`wording:type.${type}`)])]}
      />
      <Filter
        name="client"
        label={t('review:queue.client')}
        chosen={filter.clientId}
        options={[any, ...clients.map(({ client: { id, name } }): Option => [id, name])]}
      />
      <Filter
        name="claim"
        label={t('review:queue.claim')}
        chosen={filter.claim}
        options={[any, ...CLAIMS.map((claim): Option => [claim, t(`review:queue.${claim}`)])]}
      />
      <div class="filter-buttons">
        <button type="submit" class="secondary">
          {t('review:queue.apply')}
        </button>
        {isFiltered(filter) ? <a href={href(QUEUE_PATH)}>{t('review:queue.reset')}</a> : null}
      </div>
    </form>
  );
};

type Option = readonly [value: string, label: string];

const Filter: FC<{ name: string; label: string; chosen: string | null; options: readonly Option[] }> = (props) => (
  <div>
    <label for={`filter-${props.name}`}>{props.label}</label>
    <select id={`filter-${props.name}`} name={props.name}>
      {props.options.map(([value, label]) => (
        <option value={value} selected={value === (props.chosen ?? '') ? true : undefined}>
          {label}
        </option>
      ))}
    </select>
  </div>
);
