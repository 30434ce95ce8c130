import { createWebhook, listWebhooks } from '@countersign/domain/actions';
import type { ListedEndpoint } from '@countersign/domain/webhooks';
import type { FC } from 'hono/jsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Ago } from '../../parts/page-parts.tsx';
import { momentInWords } from '../../site/formats.ts';
import { isolated } from '../../site/messages.ts';
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
    const count = context.get('page').t('dashboard:webhooks.count', { used: endpoints.length, limit });
    return { rows: endpoints, count };
  },
  async columns(context, endpoints) {
    const page = context.get('page');
    const { t, href, language } = page;
    const { signIn, clock } = context.get('site').options;
    const creators = endpoints.map(({ createdBy }) => createdBy);
    const names = await namesOf(creators, signIn, t);
    return [
      {
        title: t('dashboard:webhooks.endpoint'),
        isRowHeader: true,
        class: 'clip',
        cell: ({ id, name, createdAt, createdBy }) => {
          const by = createdBy === null ? t('dashboard:webhooks.byCommandLine') : names.of(createdBy);
          const added = t('dashboard:webhooks.addedBy', { at: momentInWords(createdAt, language), by });
          return (
            <a href={href(webhookPath(id))} class="row-link as-typed" title={`${isolated(name)}: ${added}`}>
              <bdi>{name}</bdi>
            </a>
          );
        },
      },
      {
        title: t('dashboard:webhooks.state'),
        class: 'status',
        cell: (endpoint) => <EndpointState endpoint={endpoint} page={page} />,
      },
      {
        title: t('dashboard:webhooks.url'),
        isClear: true,
        class: 'clip',
        cell: ({ url }) => (
          <code title={url}>
            <bdi>{url}</bdi>
          </code>
        ),
      },
      {
        title: t('dashboard:webhooks.types'),
        hiddenOn: 'phone',
        isClear: true,
        class: 'short',
        cell: ({ types }) => (
          <span title={types.join('\n')}>{t('dashboard:webhooks.typeCount', { count: types.length })}</span>
        ),
      },
      {
        title: t('dashboard:webhooks.created'),
        hiddenOn: 'narrow',
        class: 'time',
        cell: ({ createdAt }) => <Ago at={createdAt} now={clock.now()} page={page} />,
      },
    ];
  },
};

/** Shows the state of an endpoint, and whether its requests fail. */
export const EndpointState: FC<{ endpoint: ListedEndpoint; page: Page }> = ({ endpoint, page }) => {
  const { state, failingSince } = endpoint;
  return (
    <StateBadge
      of={state === 'active' && failingSince !== null ? 'endpoint.failing' : `endpoint.${state}`}
      page={page}
    />
  );
};
