import { exportVerifications } from '@countersign/domain';
import type { Handler } from 'hono';
import { routeTemplate } from '../../site/route-template.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { readFilter, requestOf } from './browse-filter.ts';
import { answerExportPage } from './export-page.tsx';
import { exportStream } from './export-stream.ts';
import { askWith } from './filter-problems.ts';

/** The export itself, sent as it is read. What filters make no sense, the page of the export says. */
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
