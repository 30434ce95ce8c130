import { type BrowsedPage, createVerification, exportVerifications, listVerifications } from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { fieldId } from '../../forms/form-state.ts';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { NEW_VERIFICATION_PATH, VERIFICATIONS_PATH } from '../paths.ts';
import { type BrowseFilterTexts, isFiltered, queryOf, readFilter, requestOf } from './browse-filter.ts';
import { FilterForm } from './filter-form.tsx';
import { askWith } from './filter-problems.ts';
import { VerificationTable } from './list-table.tsx';
import { EXPORT_PATH, STYLES } from './paths.ts';

const BAD_REQUEST = 400;

/** The client's verifications, the newest first. With a filter that makes no sense none are shown: not all of them. */
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

/** Pages begin after a verification, not at a number: what is created meanwhile moves nothing. */
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
