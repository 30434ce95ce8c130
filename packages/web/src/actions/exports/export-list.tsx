import { listExports, nameClients } from '@countersign/domain/actions';
import type { ExportRequest } from '@countersign/domain/exports';
import { Ago, type Link } from '../../parts/page-parts.tsx';
import type { Column } from '../../parts/table.tsx';
import { ShortReference } from '../../site/short-reference.tsx';
import type { ListPage } from '../../staff/list-page.tsx';
import type { CopyPathOf } from './export-section.tsx';

/** Makes the list of requests that wait for their release, newest first. Each leads to the page that releases it. */
export function exportList({
  path,
  back,
  pathOf,
  ofAllClients,
}: {
  readonly path: string;
  readonly back?: Link;
  readonly pathOf: CopyPathOf;
  /** Whether the list names the client of each request. */
  readonly ofAllClients: boolean;
}): ListPage<ExportRequest> {
  return {
    path,
    title: 'exports:list.title',
    ...(back !== undefined && { back }),
    intro: (context) => <p>{context.get('page').t('exports:list.intro')}</p>,
    empty: { title: 'exports:list.empty' },
    async load(context) {
      const after = context.req.query('after') || undefined;
      const { exports, next } = await context.get('as').run(listExports, { waiting: true, after });
      return { rows: exports, pages: { cursor: 'after', next } };
    },
    async columns(context, requests) {
      const page = context.get('page');
      const { t, href } = page;
      const now = context.get('site').options.clock.now();
      const columns: Column<ExportRequest>[] = [
        {
          title: t('exports:list.verification'),
          isRowHeader: true,
          class: 'clip',
          cell: ({ verificationId }) => (
            <a href={href(pathOf(verificationId))} class="row-link">
              <ShortReference id={verificationId} />
            </a>
          ),
        },
        {
          title: t('exports:list.requested'),
          class: 'time',
          cell: ({ requestedAt }) => <Ago at={requestedAt} now={now} page={page} />,
        },
        { title: t('exports:list.by'), cell: ({ requestedBy }) => t(`exports:list.requester.${requestedBy}`) },
      ];
      if (!ofAllClients) return columns;
      const clientIds = requests.map(({ clientId }) => clientId);
      const names = await context.get('as').run(nameClients, { clientIds });
      return [
        ...columns,
        { title: t('exports:list.client'), cell: ({ clientId }) => <bdi>{names.get(clientId) ?? clientId}</bdi> },
      ];
    },
  };
}
