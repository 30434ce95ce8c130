import {
  changeSubscription,
  createClient,
  listAudit,
  readClientMonth,
  readClientUsage,
  searchClients,
} from '@countersign/domain/actions';
import type { ClientWithSubscription, MonthUsage } from '@countersign/domain/clients';
import { Ago } from '../../parts/page-parts.tsx';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { countInWords, IN_ORDER, type ListPage } from '../../staff/list-page.tsx';
import { actionColumn, type RowAction } from '../../staff/row-actions.tsx';
import { auditPathFor, CLIENTS_PATH, clientPath, NEW_CLIENT_PATH } from '../paths.ts';
import { SubscriptionBadge } from './subscription-state.tsx';

type ListedClient = ClientWithSubscription & { readonly usage: MonthUsage };

/** The clients by name, or those whose name begins with the search text. */
export const clientList: ListPage<ListedClient> = {
  path: CLIENTS_PATH,
  title: 'admin:clients.title',
  links: [{ path: NEW_CLIENT_PATH, label: 'admin:clients.create', action: createClient }],
  empty: { title: 'admin:clients.empty', noMatch: 'admin:clients.noMatch' },
  filters: (context) => [{ name: 'name', label: context.get('page').t('admin:clients.search') }],
  async load(context, { name = '' }) {
    const page = context.get('page');
    const { run } = context.get('as');
    const after = context.req.query('after') || undefined;
    const found = await run(searchClients, { name: name || undefined, after });
    const rows = await Promise.all(
      found.clients.map(async (each) => ({
        ...each,
        usage: await run(readClientMonth, { clientId: each.client.id }),
      })),
    );
    return {
      rows,
      count: countInWords('admin:clients.count', found.total, page),
      pages: { cursor: 'after', next: found.next, words: IN_ORDER },
    };
  },
  problem: ({ path }, _values, t) =>
    path === 'name' ? ['name', t('admin:clients.badName')] : ['after', t('admin:clients.badAfter')],
  columns(context) {
    const page = context.get('page');
    const { t, href } = page;
    const now = context.get('site').options.clock.now();
    return [
      {
        title: t('admin:clients.client'),
        isRowHeader: true,
        class: 'clip',
        cell: ({ client: { id, name } }) => (
          <a href={href(clientPath(id))} class="row-link as-typed">
            <bdi>{name}</bdi>
          </a>
        ),
      },
      {
        title: t('admin:clients.plan'),
        isClear: true,
        cell: ({ subscription }) => t(`actions:choices.plan.${subscription?.plan ?? 'none'}`),
      },
      {
        title: t('admin:clients.state'),
        class: 'status',
        cell: ({ subscription }) => <SubscriptionBadge subscription={subscription} now={now} page={page} />,
      },
      { title: t('admin:clients.used'), class: 'number', cell: ({ usage }) => usedInWords(usage, page) },
      {
        title: t('admin:clients.created'),
        hiddenOn: 'narrow',
        class: 'time',
        cell: ({ client }) => <Ago at={client.createdAt} now={now} page={page} />,
      },
      ...actionColumn(context, ROW_ACTIONS, ({ client }) => client.name),
    ];
  },
};

const ROW_ACTIONS: readonly RowAction<ListedClient>[] = [
  { action: readClientUsage, label: 'admin:client.toUsage', path: ({ client }) => clientPath(client.id, 'usage') },
  {
    action: changeSubscription,
    label: 'admin:client.toSubscription',
    path: ({ client }) => clientPath(client.id, 'subscription'),
  },
  { action: listAudit, label: 'admin:client.toAudit', path: ({ client }) => auditPathFor({ client: client.id }) },
];

function usedInWords({ used, allowance, state }: MonthUsage, { t, language }: Page): string {
  const of = { used: figure(used, language), allowance: figure(allowance ?? 0, language) };
  return t(
    allowance === null || state === 'no_active_subscription' ? 'admin:clients.usedOnly' : 'admin:clients.usedOf',
    of,
  );
}
