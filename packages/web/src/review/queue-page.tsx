import { listReviewQueue, type ReviewQueuePage } from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { namesOf } from '../staff/names.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { casePath, QUEUE_PATH } from './paths.ts';
import { caseQueryOf, isFiltered, type QueueFilter, queryOf, readFilter } from './queue-filter.ts';
import { Filters } from './queue-filters.tsx';
import { Cases } from './queue-table.tsx';
import { answerReviewPage } from './review-page.tsx';

/** The cases, whoever waits longest first. */
export function queuePage(site: Site): Handler<StaffEnv> {
  const { countersign, signIn, clock } = site.options;
  return async (context) => {
    const page = context.get('page');
    const { t } = page;
    const reviewer = context.get('user');
    const filter = readFilter((name) => context.req.query(name));
    const [cases, clients] = await Promise.all([
      context.get('as').run(listReviewQueue, caseQueryOf(filter, reviewer.id)),
      countersign.clients.list(),
    ]);
    const holders = cases.items.map(({ claim }) => claim?.reviewerId ?? null);
    const names = await namesOf(holders, signIn, t);
    const { totalCount } = cases.pagination;
    return answerReviewPage(
      context,
      site,
      { title: t('review:queue.title') },
      <>
        <h1>{t('review:queue.title')}</h1>
        <Filters page={page} filter={filter} clients={clients} />
        {totalCount === 0 ? (
          <Empty page={page} filter={filter} />
        ) : (
          <>
            <p class="count">{t('review:queue.count', { count: totalCount })}</p>
            <Cases cases={cases} page={page} names={names} reviewerId={reviewer.id} now={clock.now()} />
            <Pages cases={cases} page={page} filter={filter} />
          </>
        )}
      </>,
    );
  };
}

/** Leads to the case that waits longest and that nobody works on; to the queue where there is none. */
export const nextCase: Handler<StaffEnv> = async (context) => {
  const { items } = await context.get('as').run(listReviewQueue, { unclaimed: true, limit: 1 });
  const first = items[0];
  return context.redirect(context.get('page').href(first === undefined ? QUEUE_PATH : casePath(first.id)), 303);
};

const Empty: FC<{ page: Page; filter: QueueFilter }> = ({ page: { t, href }, filter }) =>
  isFiltered(filter) ? (
    <div class="empty">
      <p>{t('review:queue.noMatchTitle')}</p>
      <p>
        <a href={href(QUEUE_PATH)}>{t('site:filter.reset')}</a>
      </p>
    </div>
  ) : (
    <div class="empty">
      <p>{t('review:queue.emptyTitle')}</p>
      <p class="quiet">{t('review:queue.emptyText')}</p>
    </div>
  );

const Pages: FC<{ cases: ReviewQueuePage; page: Page; filter: QueueFilter }> = ({
  cases,
  page: { t, href },
  filter,
}) => {
  const { page, totalPages, hasMore } = cases.pagination;
  if (totalPages <= 1 && page === 1) return null;
  const address = (number: number) => href(QUEUE_PATH + queryOf({ ...filter, page: number }));
  return (
    <nav class="pages" aria-label={t('review:queue.pages')}>
      {page > 1 ? (
        <a href={address(Math.min(page - 1, totalPages))} rel="prev">
          {t('review:queue.previous')}
        </a>
      ) : null}
      <span>{t('review:queue.page', { page, total: totalPages })}</span>
      {hasMore ? (
        <a href={address(page + 1)} rel="next">
          {t('review:queue.next')}
        </a>
      ) : null}
    </nav>
  );
};
