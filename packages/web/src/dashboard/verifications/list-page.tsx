import {
  type BrowsedPage,
  type BrowsedVerification,
  createVerification,
  exportVerifications,
  listVerifications,
  type Status,
} from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { fieldId } from '../../forms/form-state.ts';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Moment } from '../../staff/moment.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { type Column, Table } from '../../staff/table.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { NEW_VERIFICATION_PATH, VERIFICATIONS_PATH } from '../paths.ts';
import {
  askWith,
  type BrowseFilterTexts,
  FilterForm,
  isFiltered,
  queryOf,
  readFilter,
  requestOf,
} from './filters.tsx';
import { EXPORT_PATH, STYLES, verificationPath } from './paths.ts';

const BAD_REQUEST = 400;

/** Lists the client's verifications, newest first. An invalid filter lists none. */
export function listPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const as = context.get('as');
    const filter = readFilter((name) => context.req.query(name));
    const after = context.req.query('after') || undefined;
    const { found, problems } = await askWith(
      filter,
      () => as.run(listVerifications, { ...requestOf(filter), after }),
      t,
    );
    const hasErrors = problems.size > 0;
    return answerDashboardPage(
      context,
      site,
      {
        title: t('dashboard:verifications.title'),
        hasErrors,
        status: hasErrors ? BAD_REQUEST : 200,
        styles: STYLES,
      },
      <>
        <ErrorSummary title={t('site:error.summary')} errors={problems} />
        <div class="list-head">
          <h1>{t('dashboard:verifications.title')}</h1>
          <div class="buttons">
            {as.may(exportVerifications) !== 'no' ? (
              <a href={href(EXPORT_PATH + (hasErrors ? '' : queryOf(filter)))}>{t('dashboard:export.link')}</a>
            ) : null}
            {as.may(createVerification) !== 'no' ? (
              <a href={href(NEW_VERIFICATION_PATH)} class="action">
                {t('dashboard:verifications.create')}
              </a>
            ) : null}
          </div>
        </div>
        <FilterForm page={page} path={VERIFICATIONS_PATH} filter={filter} problems={problems} />
        {found === null ? (
          <NotAsked page={page} />
        ) : found.totalCount === 0 ? (
          <Empty page={page} filter={filter} mayCreate={as.may(createVerification) !== 'no'} />
        ) : (
          <>
            <p class="count">
              {t('dashboard:verifications.count', {
                count: found.totalCount,
                number: figure(found.totalCount, page.language),
              })}
            </p>
            <VerificationTable items={found.items} page={page} />
            <Pages page={page} filter={filter} found={found} isFirst={after === undefined} />
          </>
        )}
      </>,
    );
  };
}

const NotAsked: FC<{ page: Page }> = ({ page: { t, href } }) => (
  <div class="empty" id={fieldId('after')} tabindex={-1}>
    <p>{t('dashboard:verifications.filter.notShown')}</p>
    <p>
      <a href={href(VERIFICATIONS_PATH)}>{t('site:filter.reset')}</a>
    </p>
  </div>
);

const Empty: FC<{ page: Page; filter: BrowseFilterTexts; mayCreate: boolean }> = (props) => {
  const { page, filter, mayCreate } = props;
  const { t, href } = page;
  return isFiltered(filter) ? (
    <div class="empty">
      <p>{t('dashboard:verifications.empty.noMatch')}</p>
      <p>
        <a href={href(VERIFICATIONS_PATH)}>{t('site:filter.reset')}</a>
      </p>
    </div>
  ) : (
    <div class="empty">
      <p>{t('dashboard:verifications.empty.title')}</p>
      <p class="quiet">{t('dashboard:verifications.empty.text')}</p>
      {mayCreate ? (
        <p>
          <a href={href(NEW_VERIFICATION_PATH)}>{t('dashboard:verifications.create')}</a>
        </p>
      ) : null}
    </div>
  );
};

/** Links to other pages. A page begins after a verification, so new verifications do not move it. */
const Pages: FC<{ page: Page; filter: BrowseFilterTexts; found: BrowsedPage; isFirst: boolean }> = (props) => {
  const { page, filter, found, isFirst } = props;
  const { t, href } = page;
  if (isFirst && found.next === null) return null;
  return (
    <nav class="pages" aria-label={t('dashboard:verifications.pages.label')}>
      {isFirst ? null : (
        <a href={href(VERIFICATIONS_PATH + queryOf(filter))}>{t('dashboard:verifications.pages.newest')}</a>
      )}
      {found.next === null ? (
        <span class="quiet">{t('dashboard:verifications.pages.end')}</span>
      ) : (
        <a href={href(VERIFICATIONS_PATH + queryOf(filter, found.next))} rel="next">
          {t('dashboard:verifications.pages.older')}
        </a>
      )}
    </nav>
  );
};

/** The table of verifications. */
const VerificationTable: FC<{ items: readonly BrowsedVerification[]; page: Page }> = ({ items, page }) => {
  const { t, href } = page;
  const columns: readonly Column<BrowsedVerification>[] = [
    {
      title: t('dashboard:verifications.reference'),
      isRowHeader: true,
      cell: ({ id, subjectReference }) => (
        <a href={href(verificationPath(id))} class="as-typed">
          {subjectReference}
        </a>
      ),
    },
    {
      title: t('dashboard:verifications.status'),
      cell: ({ status }) => <StatusText status={status} page={page} />,
    },
    { title: t('dashboard:verifications.type'), cell: ({ type }) => t(`wording:type.${type}`) },
    {
      title: t('dashboard:verifications.requested'),
      cell: ({ requestedAt }) => <Moment at={requestedAt} page={page} />,
    },
    {
      title: t('dashboard:verifications.submitted'),
      cell: ({ submittedAt }) => <MomentOrNone at={submittedAt} page={page} />,
    },
    {
      title: t('dashboard:verifications.resolved'),
      cell: ({ resolvedAt }) => <MomentOrNone at={resolvedAt} page={page} />,
    },
    {
      title: t('dashboard:verifications.progress'),
      cell: ({ currentStep, totalSteps }) =>
        t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps }),
    },
  ];
  return <Table columns={columns} rows={items} />;
};

export const MomentOrNone: FC<{ at: Date | null; page: Page }> = ({ at, page }) =>
  at === null ? (
    <span class="quiet">{page.t('dashboard:verifications.notYet')}</span>
  ) : (
    <Moment at={at} page={page} />
  );

/** Shows the status, and whom an undecided verification waits for. */
export const StatusText: FC<{ status: Status; page: Page }> = ({ status, page: { t } }) => (
  <>
    <span class={`badge status-${status}`}>{t(`wording:statusShort.${status}`)}</span>
    {status === 'approved' || status === 'rejected' ? null : (
      <>
        {' '}
        <strong class="waits">{t(`dashboard:verifications.waits.${status}`)}</strong>
      </>
    )}
  </>
);
