import type { BrowseRequest } from '@countersign/domain';
import { exportVerifications, listVerifications } from '@countersign/domain/actions';
import type { BoundedCount } from '@countersign/domain/clients';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/field-parts.tsx';
import type { Page } from '../../site/page.ts';
import { loggedRequest } from '../../site/paths.ts';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { FilterBar, type FilterValues, filterValues, isFiltered, queryOf } from '../../staff/filters.tsx';
import { countInWords, findWith } from '../../staff/list-page.tsx';
import { EXPORT_FILE_PATH, EXPORT_PATH, VERIFICATIONS_PATH } from '../paths.ts';
import { exportStream } from './export-stream.ts';
import { requestOf, verificationFilters, verificationList } from './verification-list.tsx';

const BAD_REQUEST = 400;

/** Shows how many rows the export has, and a button that downloads it. */
export const exportPage: Handler<StaffEnv> = async (context) => {
  const { found, ...search } = await searchWith(context, (request) =>
    context.get('as').run(listVerifications, request),
  );
  return answerExportPage(context, search, found?.total ?? null);
};

interface Search {
  readonly values: FilterValues;
  readonly problems: ReadonlyMap<string, string>;
}

/** Runs an action with the filters of the address. */
async function searchWith<T>(
  context: Context<StaffEnv>,
  find: (request: BrowseRequest) => Promise<T>,
): Promise<Search & { readonly found: T | null }> {
  const { t } = context.get('page');
  const values = filterValues(verificationFilters(t), (name) => context.req.query(name));
  return { values, ...(await findWith(verificationList, values, t, () => find(requestOf(values)))) };
}

/** @param total null if a filter is invalid: then there is no download */
function answerExportPage(
  context: Context<StaffEnv>,
  { values, problems }: Search,
  total: BoundedCount | null,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t } = page;
  const filters = verificationFilters(t);
  const title = t('dashboard:export.title');
  const hasErrors = problems.size > 0;
  return answerStaffPage(
    context,
    {
      title,
      back: {
        path: VERIFICATIONS_PATH + (hasErrors ? '' : queryOf(filters, values)),
        label: 'dashboard:nav.verifications',
      },
      status: hasErrors ? BAD_REQUEST : 200,
      hasErrors,
      scripts: ['export.js'],
    },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <h1>{title}</h1>
      <p>{t('dashboard:export.intro')}</p>
      <div class="list">
        <FilterBar page={page} path={EXPORT_PATH} filters={filters} values={values} problems={problems} />
        <div class="list-text">
          {total === null ? (
            <p>{t('dashboard:export.notOffered')}</p>
          ) : total.count === 0 ? (
            <p>{t(`dashboard:verifications.empty.${isFiltered(filters, values) ? 'noMatch' : 'title'}`)}</p>
          ) : (
            <>
              <p class="count">{countInWords('dashboard:export.rows', total, page)}</p>
              <Download page={page} values={values} totalCount={total.count} />
            </>
          )}
        </div>
      </div>
    </>,
  );
}

/** A plain form that downloads the file. With JavaScript, export.js shows the progress, and reads the exact total. */
const Download: FC<{ page: Page; values: FilterValues; totalCount: number }> = (props) => {
  const { page, values, totalCount } = props;
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
        {Object.entries(values)
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
        <button type="submit">{t('dashboard:export.download')}</button>
        <button type="button" class="secondary" data-export-cancel hidden>
          {t('site:cancel')}
        </button>
      </form>
      <progress value="0" max={String(totalCount)} aria-label={t('dashboard:export.progress')} hidden />
      <p role="status" />
    </div>
  );
};

/** Streams the export. An invalid filter gets the page of the export with messages. */
export const exportFile: Handler<StaffEnv> = async (context) => {
  const { clock, onFault } = context.get('site').options;
  const { requestId } = context.get('page');
  const { found, ...search } = await searchWith(context, (request) =>
    context.get('as').run(exportVerifications, request),
  );
  if (found === null) return answerExportPage(context, search, null);

  const logged = { requestId, ...loggedRequest(context) };
  const stream = exportStream(found.rows, (fault) => onFault(fault, logged));
  const day = clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length);
  return context.body(stream, 200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="verifications-${day}.csv"`,
    'Cache-Control': 'no-store',
    'X-Total-Count': String(found.totalCount),
  });
};
