import { isCountersignError } from '@countersign/domain';
import type { ActionEntry } from '@countersign/domain/actions';
import { monthOf } from '@countersign/domain/clients';
import { ERASURE_RULES, type RetentionReport } from '@countersign/domain/retention';
import type { Context, Handler, Hono } from 'hono';
import { retentionReportCsv } from '../../exports/retention-csv.ts';
import { retentionReportDocument } from '../../exports/retention-document.ts';
import { ErrorSummary } from '../../forms/field-parts.tsx';
import { Facts, type Link } from '../../parts/page-parts.tsx';
import { downloadStream } from '../../site/download-stream.ts';
import { figure, monthInWords } from '../../site/formats.ts';
import { loggedRequest } from '../../site/paths.ts';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { type Filter, FilterBar, type FilterValues, filterValues } from '../../staff/filters.tsx';
import { requireAction } from '../action-page.tsx';

/** Whose reports the pages of an area show. */
export interface ReportArea {
  readonly action: ActionEntry;
  /** The path of the page, below which its files are. */
  readonly pathOf: (context: Context<StaffEnv>) => string;
  readonly back: (context: Context<StaffEnv>) => Link;
  /** @throws CountersignError `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND` */
  readonly read: (context: Context<StaffEnv>, month: string) => Promise<RetentionReport>;
}

/** Allows the style in the document of a report and nothing else. */
const DOCUMENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Mounts the report of a month: its page, and the receipts as a document to print and as CSV. */
export function mountReportPages(routes: Hono<StaffEnv>, path: string, area: ReportArea): void {
  const { action } = area;
  routes.get(path, requireAction(action), reportPage(area));
  routes.get(
    `${path}.html`,
    requireAction(action),
    fileOf(area, (report, { language }) => ({
      chunks: retentionReportDocument(report, language),
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': DOCUMENT_POLICY },
    })),
  );
  routes.get(
    `${path}.csv`,
    requireAction(action),
    fileOf(area, (report) => ({
      chunks: retentionReportCsv(report),
      headers: {
        'Content-Type': 'text/csv; charset=utf-8; header=present',
        'Content-Disposition': `attachment; filename="erasures-${report.month}.csv"`,
      },
    })),
  );
}

/** The month of the address, or why it is none. */
interface Found {
  readonly values: FilterValues;
  readonly report: RetentionReport | null;
}

async function find(context: Context<StaffEnv>, { read }: ReportArea): Promise<Found> {
  const values = filterValues(filtersIn(context), (name) => context.req.query(name));
  try {
    return { values, report: await read(context, values.month ?? '') };
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return { values, report: null };
  }
}

function filtersIn(context: Context<StaffEnv>): readonly Filter[] {
  const { t } = context.get('page');
  const initial = monthOf(context.get('site').options.clock.now());
  return [{ name: 'month', type: 'month', label: t('staff:report.month'), initial }];
}

function reportPage(area: ReportArea): Handler<StaffEnv> {
  return async (context) => answerReportPage(context, area, await find(context, area));
}

/** Serves a file of the report. An invalid month gets the page with a message. */
function fileOf(
  area: ReportArea,
  write: (
    report: RetentionReport,
    page: StaffEnv['Variables']['page'],
  ) => { readonly chunks: AsyncGenerator<string>; readonly headers: Record<string, string> },
): Handler<StaffEnv> {
  return async (context) => {
    const found = await find(context, area);
    if (found.report === null) return answerReportPage(context, area, found);
    const page = context.get('page');
    const logged = { requestId: page.requestId, ...loggedRequest(context) };
    const { onFault } = context.get('site').options;
    const { chunks, headers } = write(found.report, page);
    const stream = downloadStream(encoded(chunks), (fault) => onFault(fault, logged));
    return context.body(stream, 200, { ...headers, 'Cache-Control': 'no-store' });
  };
}

async function* encoded(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}

function answerReportPage(
  context: Context<StaffEnv>,
  { pathOf, back }: ReportArea,
  { values, report }: Found,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href, language } = page;
  const path = pathOf(context);
  const title = t('staff:report.title');
  const problems = new Map(report === null ? [['month', t('staff:report.badMonth')]] : []);
  const fileAt = (kind: 'html' | 'csv', month: string) => href(`${path}.${kind}?month=${month}`);
  return answerStaffPage(
    context,
    { title, back: back(context), status: report === null ? 400 : 200, hasErrors: report === null },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <div class="list-head">
        <h1>{title}</h1>
        {report === null ? null : (
          <div class="buttons">
            <a href={fileAt('csv', report.month)} download class="button secondary">
              {t('staff:report.csv')}
            </a>
            <a href={fileAt('html', report.month)} class="button secondary">
              {t('staff:report.print')}
            </a>
          </div>
        )}
      </div>
      <p>{t('staff:report.intro')}</p>
      <div class="list">
        <FilterBar page={page} path={path} filters={filtersIn(context)} values={values} problems={problems} />
        {report === null ? null : (
          <section class="list-text" aria-labelledby="report-title">
            <h2 id="report-title">{monthInWords(report.month, language)}</h2>
            <p>
              {t('wording:erasureReport.total', { count: report.total, figure: figure(report.total, language) })}{' '}
              {report.madeAt < report.until ? t('staff:report.running') : null}
            </p>
            <Facts
              items={ERASURE_RULES.map((rule) => [
                t(`wording:erasureRule.${rule}`),
                figure(report.totals[rule], language),
              ])}
            />
          </section>
        )}
      </div>
    </>,
  );
}
