import { AUDIT_OUTCOMES, type AuditAction, type ClientWithSubscription } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { FilterBar } from '../../staff/filter-bar.tsx';
import { AUDIT_PATH } from '../paths.ts';
import { type AuditFilterTexts, isFiltered } from './audit-filter.ts';
import { actionInWords } from './audit-names.ts';

interface FilterFormProps {
  readonly page: Page;
  readonly filter: AuditFilterTexts;
  readonly problems: ReadonlyMap<string, string>;
  readonly actions: readonly AuditAction[];
  readonly clients: readonly ClientWithSubscription[];
}

/** The filters of the audit log. */
export const FilterForm: FC<FilterFormProps> = ({ page, filter, problems, clients, actions }) => {
  const { t } = page;
  return (
    <FilterBar
      page={page}
      path={AUDIT_PATH}
      label={t('admin:audit.filters')}
      values={{ ...filter }}
      isFiltered={isFiltered(filter)}
      problems={problems}
      filters={[
        { name: 'actor', label: t('admin:audit.actor') },
        {
          name: 'client',
          label: t('admin:audit.client'),
          options: clients.map(({ client }) => [client.id, client.name]),
        },
        {
          name: 'action',
          label: t('admin:audit.action'),
          options: actions.map((action) => [action, actionInWords(action, t)]),
        },
        {
          name: 'outcome',
          label: t('admin:audit.outcome'),
          options: AUDIT_OUTCOMES.map((outcome) => [outcome, t(`admin:audit.outcomes.${outcome}`)]),
        },
      ]}
    />
  );
};
