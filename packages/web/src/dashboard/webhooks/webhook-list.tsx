import { createWebhook, listWebhooks } from '@countersign/domain/actions';
import type { ListedEndpoint } from '@countersign/domain/webhooks';
import type { Child, FC } from 'hono/jsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Moment } from '../../parts/page-parts.tsx';
import type { Page } from '../../site/page.ts';
import type { ListPage } from '../../staff/list-page.tsx';
import { namesOf } from '../../staff/users.tsx';
import { NEW_WEBHOOK_PATH, WEBHOOKS_PATH, webhookPath } from '../paths.ts';

/** The client's endpoints, oldest first. */
export const webhookList: ListPage<ListedEndpoint> = {
  path: WEBHOOKS_PATH,
  title: 'dashboard:webhooks.title',
  results: 'dashboard:webhooks.done',
  links: [{ path: NEW_WEBHOOK_PATH, label: 'dashboard:webhooks.add', action: createWebhook }],
  empty: { title: 'dashboard:webhooks.empty', text: 'dashboard:webhooks.emptyText' },
  async load(context) {
    const { endpoints, limit } = await context.get('as').run(listWebhooks, {});
    const note = context.get('page').t('dashboard:webhooks.count', { used: endpoints.length, limit });
    return { rows: endpoints, note };
  },
  async columns(context, endpoints) {
    const page = context.get('page');
    const { t, href } = page;
    const creators = endpoints.map(({ createdBy }) => createdBy);
    const names = await namesOf(creators, context.get('site').options.signIn, t);
    return [
      {
        title: t('dashboard:webhooks.endpoint'),
        isRowHeader: true,
        cell: ({ id, name, url }) => (
          <>
            <a href={href(webhookPath(id))} class="as-typed">
              <bdi>{name}</bdi>
            </a>
            <code class="block as-typed">
              <bdi>{url}</bdi>
            </code>
          </>
        ),
      },
      {
        title: t('dashboard:webhooks.state'),
        class: 'status',
        cell: (endpoint) => <StateAndSince endpoint={endpoint} page={page} />,
      },
      {
        title: t('dashboard:webhooks.types'),
        cell: ({ types }) => <TypeList types={types} />,
      },
      {
        title: t('dashboard:webhooks.created'),
        cell: ({ createdAt, createdBy }) => (
          <>
            <Moment at={createdAt} page={page} />{' '}
            <span class="block quiet as-typed">
              {createdBy === null
                ? t('dashboard:webhooks.byCommandLine')
                : t('dashboard:webhooks.by', { name: names.of(createdBy) })}
            </span>
          </>
        ),
      },
    ];
  },
};

export const TypeList: FC<{ types: readonly string[] }> = ({ types }) => (
  <ul>
    {types.map((type) => (
      <li>
        <code>{type}</code>
      </li>
    ))}
  </ul>
);

/** Shows the state, and since when its requests have failed. */
export const StateAndSince: FC<{ endpoint: ListedEndpoint; page: Page }> = ({ endpoint, page }): Child => {
  const { state, failingSince } = endpoint;
  return (
    <>
      <StateBadge of={`endpoint.${state}`} page={page} />
      {failingSince === null ? null : (
        <span class="block quiet">
          {page.t('dashboard:webhooks.failingSince')} <Moment at={failingSince} page={page} />
        </span>
      )}
    </>
  );
};
