import { exportVerifications, listVerifications } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { routeTemplate } from '../../site/paths.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { VERIFICATIONS_PATH } from '../paths.ts';
import { exportStream } from './export-stream.ts';
import {
  askWith,
  type BrowseFilterTexts,
  FILTER_FIELDS,
  FilterForm,
  type FilterProblems,
  isFiltered,
  queryOf,
  readFilter,
  requestOf,
} from './filters.tsx';
import { EXPORT_FILE_PATH, EXPORT_PATH, STYLES } from './paths.ts';

const BAD_REQUEST = 400;

/** Shows how many rows the export has, and a button that downloads it. */
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

/** @param view `totalCount` is null if a filter is invalid: then there is no download */
function answerExportPage(
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

/** A plain form that downloads the file. With JavaScript, export.js shows the progress. */
const Download: FC<{ page: Page; filter: BrowseFilterTexts; totalCount: number }> = (props) => {
  const { page, filter, totalCount } = props;
  const { t, href, language } = page;
  // export.js fills in the numbers.
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

/** Streams the export. An invalid filter gets the page of the export with messages. */
export function exportFile(site: Site): Handler<StaffEnv> {
  const { clock, onFault } = site.options;
  return async (context) => {
    const { t, requestId } = context.get('page');
    const filter = readFilter((name) => context.req.query(name));
    const { found, problems } = await askWith(
      filter,
      () => context.get('as').run(exportVerifications, requestOf(filter)),
      t,
    );
    if (found === null) return answerExportPage(context, site, { filter, problems, totalCount: null });

    const { method } = context.req;
    const path = routeTemplate(context);
    const stream = exportStream(found.rows, (fault) => onFault(fault, { requestId, method, path }));
    const day = clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length);
    return context.body(stream, 200, {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="verifications-${day}.csv"`,
      'Cache-Control': 'no-store',
      'X-Total-Count': String(found.totalCount),
    });
  };
}
