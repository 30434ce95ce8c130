import { listVerifications } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { VERIFICATIONS_PATH } from '../paths.ts';
import {
  type BrowseFilterTexts,
  FILTER_FIELDS,
  isFiltered,
  queryOf,
  readFilter,
  requestOf,
} from './browse-filter.ts';
import { FilterForm } from './filter-form.tsx';
import { askWith, type FilterProblems } from './filter-problems.ts';
import { EXPORT_FILE_PATH, EXPORT_PATH, STYLES } from './paths.ts';

const BAD_REQUEST = 400;

/** Says how many rows an export would have, and offers it. */
export function exportPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const filter = readFilter((name) => context.req.query(name));
    const { found, problems } = await askWith(
      filter,
      () => context.get('as').run(listVerifications, requestOf(filter)),
      context.get('page').t,
    );
    return answerExportPage(context, site, { filter, problems, totalCount: found?.totalCount ?? null });
  };
}

/** @param view `totalCount` is null where the filters make no sense: nothing is offered then */
export function answerExportPage(
  context: Context<StaffEnv>,
  site: Site,
  view: { filter: BrowseFilterTexts; problems: FilterProblems; totalCount: number | null },
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href, language } = page;
  const { filter, problems, totalCount } = view;
  const title = t('dashboard:export.title');
  const hasErrors = problems.size > 0;
  return answerDashboardPage(
    context,
    site,
    { title, status: hasErrors ? BAD_REQUEST : 200, hasErrors, scripts: ['export.js'], styles: STYLES },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <p>
        <a href={href(VERIFICATIONS_PATH + (hasErrors ? '' : queryOf(filter)))}>
          {`← ${t('dashboard:verifications.all')}`}
        </a>
      </p>
      <h1>{title}</h1>
      <p>{t('dashboard:export.intro')}</p>
      <FilterForm page={page} path={EXPORT_PATH} filter={filter} problems={problems} />
      {totalCount === null ? (
        <p>{t('dashboard:export.notOffered')}</p>
      ) : totalCount === 0 ? (
        <p>{t(`dashboard:verifications.empty.${isFiltered(filter) ? 'noMatch' : 'title'}`)}</p>
      ) : (
        <>
          <p class="count">
            {t('dashboard:export.rows', { count: totalCount, number: figure(totalCount, language) })}
          </p>
          <Download page={page} filter={filter} totalCount={totalCount} />
        </>
      )}
    </>,
  );
}

/** A plain form that the browser saves the answer of; with JavaScript, export.js shows how far it is. */
const Download: FC<{ page: Page; filter: BrowseFilterTexts; totalCount: number }> = (props) => {
  const { page, filter, totalCount } = props;
  const { t, href, language } = page;
  // The script fills in what it counts.
  const counted = { rows: '{rows}', total: '{total}' };
  return (
    <div
      data-export
      data-total={String(totalCount)}
      data-language={language}
      data-running={t('dashboard:export.running', counted)}
      data-done={t('dashboard:export.done', counted)}
      data-cancelled={t('dashboard:export.cancelled')}
      data-failed={t('dashboard:export.failed', counted)}
    >
      <form method="get" action={href(EXPORT_FILE_PATH)} class="buttons">
        {FILTER_FIELDS.filter((field) => filter[field] !== '').map((field) => (
          <input type="hidden" name={field} value={filter[field]} />
        ))}
        <button type="submit">{t('dashboard:export.download')}</button>
        <button type="button" class="secondary" data-export-cancel hidden>
          {t('dashboard:export.cancel')}
        </button>
      </form>
      <progress value="0" max={String(totalCount)} aria-label={t('dashboard:export.progress')} hidden />
      <p role="status" />
    </div>
  );
};
