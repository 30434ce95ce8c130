import {
  type Client,
  type ClientWithSubscription,
  listClients,
  readClientUsage,
  type UsageReport,
} from '@countersign/domain';
import type { Handler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { compareIn, figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Moment } from '../../staff/moment.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { Table } from '../../staff/table.tsx';
import { answerAdminPage } from '../admin-page.tsx';
import { SheetLinks, sheetOf } from '../list-pages.tsx';
import { CLIENTS_PATH, clientPath, NEW_CLIENT_PATH } from '../paths.ts';
import { SubscriptionBadge } from './subscription-state.tsx';

/** Clients on one page. The usage of each is read. */
const PAGE_SIZE = 25;

/** Lists the clients by name, or those whose name contains the search text. */
export function clientsPage(site: Site): Handler<StaffEnv> {
  const { clock } = site.options;
  return async (context) => {
    const page = context.get('page');
    const { t, href, language } = page;
    const as = context.get('as');
    const name = (context.req.query('name') ?? '').trim();
    const found = named(await as.run(listClients, {}), name, language);
    const sheet = sheetOf(found, context.req.query('page'), PAGE_SIZE);
    const listed = await Promise.all(
      sheet.items.map(async (each) => ({
        ...each,
        usage: await as.run(readClientUsage, { clientId: each.client.id }),
      })),
    );
    return answerAdminPage(
      context,
      site,
      { title: t('admin:clients.title') },
      <>
        <div class="list-head">
          <h1>{t('admin:clients.title')}</h1>
          <a class="action" href={href(NEW_CLIENT_PATH)}>
            {t('admin:clients.create')}
          </a>
        </div>
        <Search page={page} name={name} />
        {found.length === 0 ? (
          <div class="empty">
            <p>{t(name === '' ? 'admin:clients.empty' : 'admin:clients.noMatch')}</p>
          </div>
        ) : (
          <>
            <p class="count">
              {t('admin:clients.count', { count: found.length, number: figure(found.length, language) })}
            </p>
            <Table
              rows={listed}
              columns={[
                {
                  title: t('admin:clients.client'),
                  isRowHeader: true,
                  cell: ({ client }) => nameCell(client, page),
                },
                {
                  title: t('admin:clients.plan'),
                  cell: ({ subscription }) => t(`actions:choices.plan.${subscription?.plan ?? 'none'}`),
                },
                {
                  title: t('admin:clients.state'),
                  cell: ({ subscription }) => (
                    <SubscriptionBadge subscription={subscription} now={clock.now()} page={page} />
                  ),
                },
                { title: t('admin:clients.used'), cell: ({ usage }) => usedInWords(usage, page) },
                {
                  title: t('admin:clients.created'),
                  cell: ({ client }) => <Moment at={client.createdAt} page={page} />,
                },
              ]}
            />
            <SheetLinks sheet={sheet} page={page} addressOf={(number) => href(addressOf(name, number))} />
          </>
        )}
      </>,
    );
  };
}

function named(
  all: readonly ClientWithSubscription[],
  part: string,
  language: Page['language'],
): readonly ClientWithSubscription[] {
  const compare = compareIn(language);
  const wanted = part.toLocaleLowerCase(language);
  return all
    .filter(({ client }) => client.name.toLocaleLowerCase(language).includes(wanted))
    .toSorted((a, b) => compare(a.client.name, b.client.name));
}

function addressOf(name: string, number: number): string {
  const query = new URLSearchParams({ ...(name !== '' && { name }), page: String(number) });
  return `${CLIENTS_PATH}?${query.toString()}`;
}

function nameCell({ id, name, sandbox }: Client, { t, href }: Page): Child {
  return (
    <>
      <a href={href(clientPath(id))} class="as-typed">
        {name}
      </a>{' '}
      {sandbox ? <span class="badge">{t('admin:sandboxTag')}</span> : null}
    </>
  );
}

function usedInWords({ used, allowance, state }: UsageReport, { t, language }: Page): string {
  const of = { used: figure(used, language), allowance: figure(allowance, language) };
  return t(state === 'no_active_subscription' ? 'admin:clients.usedOnly' : 'admin:clients.usedOf', of);
}

const Search: FC<{ page: Page; name: string }> = ({ page: { t, href }, name }) => (
  <search>
    <form method="get" action={href(CLIENTS_PATH)} class="filters">
      <div>
        <label for="client-name">{t('admin:clients.search')}</label>
        <input id="client-name" type="search" name="name" value={name} autocomplete="off" spellcheck={false} />
      </div>
      <div class="filter-buttons">
        <button type="submit" class="secondary">
          {t('admin:clients.searchSubmit')}
        </button>
        {name === '' ? null : <a href={href(CLIENTS_PATH)}>{t('admin:clients.searchReset')}</a>}
      </div>
    </form>
  </search>
);
