import { type ListedRequest, RECENT_REQUESTS_KEPT } from '@countersign/domain';
import { listApiRequests } from '@countersign/domain/actions';
import type { FC } from 'hono/jsx';
import { nameOfKey } from '../actions/keys/key-parts.tsx';
import { Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/page-parts.tsx';
import { figure } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import type { ListPage } from '../staff/list-page.tsx';
import { REQUESTS_PATH } from './paths.ts';

const FIRST_ERROR_STATUS = 400;

/** The client's last API requests that this server answered, newest first. */
export const requestList: ListPage<ListedRequest> = {
  path: REQUESTS_PATH,
  title: 'dashboard:requests.title',
  intro: (context) => <p>{context.get('page').t('dashboard:requests.intro', { limit: RECENT_REQUESTS_KEPT })}</p>,
  empty: { title: 'dashboard:requests.empty', text: 'dashboard:requests.emptyText' },
  load: async (context) => ({ rows: await context.get('as').run(listApiRequests, {}) }),
  columns(context) {
    const page = context.get('page');
    const { t, language } = page;
    const now = context.get('site').options.clock.now();
    return [
      {
        title: t('dashboard:requests.request'),
        isRowHeader: true,
        class: 'clip',
        cell: ({ method, route }) => (
          <code title={`${method} ${route}`}>
            {method} {route}
          </code>
        ),
      },
      {
        title: t('dashboard:requests.status'),
        class: 'status',
        cell: (request) => <Answer request={request} page={page} />,
      },
      {
        title: t('dashboard:requests.when'),
        isClear: true,
        class: 'time',
        cell: ({ answeredAt }) => <Ago at={answeredAt} now={now} page={page} />,
      },
      {
        title: t('dashboard:requests.duration'),
        hiddenOn: 'phone',
        class: 'number',
        cell: ({ durationMs }) => t('dashboard:requests.ms', { ms: figure(Math.ceil(durationMs), language) }),
      },
      {
        title: t('dashboard:requests.key'),
        class: 'clip share',
        cell: ({ key }) =>
          key === undefined ? (
            <span class="quiet">{t('dashboard:requests.noKey')}</span>
          ) : (
            <span class="as-typed" title={nameOfKey(key)}>
              <bdi>{nameOfKey(key)}</bdi>
            </span>
          ),
      },
      {
        title: t('dashboard:requests.id'),
        hiddenOn: 'phone',
        class: 'clip share',
        cell: ({ requestId }) => <code title={requestId}>{requestId}</code>,
      },
    ];
  },
};

/** The status, and the code of an error. */
const Answer: FC<{ request: ListedRequest; page: Page }> = ({ request: { status, code }, page }) => (
  <>
    <Badge tone={status < FIRST_ERROR_STATUS ? 'good' : 'bad'} page={page}>
      {String(status)}
    </Badge>{' '}
    {code === null ? null : <code>{code}</code>}
  </>
);
