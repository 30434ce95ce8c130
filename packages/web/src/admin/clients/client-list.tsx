import {
  type ClientWithSubscription,
  createClient,
  listClients,
  type MonthUsage,
  readClientMonth,
} from '@countersign/domain';
import { compareIn, figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { type ListPage, pageOf } from '../../staff/list-page.tsx';
import { Moment } from '../../staff/page-parts.tsx';
import { CLIENTS_PATH, clientPath, NEW_CLIENT_PATH } from '../paths.ts';
import { SubscriptionBadge } from './subscription-state.tsx';

/** Clients on one page. The usage of each is read. */
const PAGE_SIZE = 25;

type ListedClient = ClientWithSubscription & { readonly usage: MonthUsage };

/** The clients by name, or those whose name contains the search text. */
export const clientList: ListPage<ListedClient> = {
  path: CLIENTS_PATH,
  title: 'admin:clients.title',
  links: [{ path: NEW_CLIENT_PATH, label: 'admin:clients.create', action: createClient }],
  empty: { title: 'admin:clients.empty', noMatch: 'admin:clients.noMatch' },
  filters: (context) => [{ name: 'name', label: context.get('page').t('admin:clients.search') }],
  async load(context, { name = '' }) {
    const { t, language } = context.get('page');
    const { run } = context.get('as');
    const named = clientsNamed(name, await run(listClients, {}), language);
    const found = pageOf(named, context.req.query('page'), PAGE_SIZE);
    const rows = await Promise.all(
      found.rows.map(async (each) => ({
        ...each,
        usage: await run(readClientMonth, { clientId: each.client.id }),
      })),
    );
    const count = t('admin:clients.count', { count: named.length, number: figure(named.length, language) });
    return { ...found, rows, count };
  },
  columns(context) {
    const page = context.get('page');
    const { t, href } = page;
    const now = context.get('site').options.clock.now();
    return [
      {
        title: t('admin:clients.client'),
        isRowHeader: true,
        cell: ({ client: { id, name, sandbox } }) => (
          <>
            <a href={href(clientPath(id))} class="as-typed">
              {name}
            </a>{' '}
            {sandbox ? <span class="badge">{t('admin:sandboxTag')}</span> : null}
          </>
        ),
      },
      {
        title: t('admin:clients.plan'),
        cell: ({ subscription }) => t(`actions:choices.plan.${subscription?.plan ?? 'none'}`),
      },
      {
        title: t('admin:clients.state'),
        cell: ({ subscription }) => <SubscriptionBadge subscription={subscription} now={now} page={page} />,
      },
      { title: t('admin:clients.used'), cell: ({ usage }) => usedInWords(usage, page) },
      { title: t('admin:clients.created'), cell: ({ client }) => <Moment at={client.createdAt} page={page} /> },
    ];
  },
};

function clientsNamed(
  part: string,
  all: readonly ClientWithSubscription[],
  language: Page['language'],
): readonly ClientWithSubscription[] {
  const compare = compareIn(language);
  const wanted = part.toLocaleLowerCase(language);
  return all
    .filter(({ client }) => client.name.toLocaleLowerCase(language).includes(wanted))
    .toSorted((a, b) => compare(a.client.name, b.client.name));
}

function usedInWords({ used, allowance, state }: MonthUsage, { t, language }: Page): string {
  const of = { used: figure(used, language), allowance: figure(allowance, language) };
  return t(state === 'no_active_subscription' ? 'admin:clients.usedOnly' : 'admin:clients.usedOf', of);
}
