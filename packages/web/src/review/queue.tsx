import {
  type QueueSubjectView,
  type ReviewQueueItem,
  STATUSES,
  type Status,
  SUBJECT_TYPES,
  type SubjectType,
} from '@countersign/domain';
import { listReviewQueue, readQueueSubjects } from '@countersign/domain/actions';
import type { Context } from 'hono';
import type { StaffEnv } from '../staff/area.tsx';
import { clientFilter } from '../staff/client-choice.tsx';
import { countInWords, IN_ORDER, type ListPage } from '../staff/list-page.tsx';
import { ONLY, onlyInput, StartReviewing, workQuery } from './next-case.tsx';
import { QUEUE_PATH } from './paths.ts';
import { INITIAL_STATUS, queueColumns } from './queue-columns.tsx';
import { SearchBox } from './search-box.tsx';
import { teamDay } from './team-day.tsx';

/** Values of the filter that hides test cases, or shows them among the others. */
const WITHOUT_TESTS = 'hidden';
const WITH_TESTS = 'shown';

/** Lists the cases, longest waiting first. Ignores unknown values of filters. */
export const queue: ListPage<ReviewQueueItem> = {
  path: QUEUE_PATH,
  title: 'review:queue.title',
  results: 'staff:result',
  class: 'queue',
  intro: async (context) => (
    <>
      <div class="queue-head">
        <StartReviewing page={context.get('page')} query={workQuery(context)} />
        <SearchBox page={context.get('page')} query={workQuery(context)} />
      </div>
      {await teamDay(context)}
    </>
  ),
  empty: {
    title: 'review:queue.emptyTitle',
    text: 'review:queue.emptyText',
    noMatch: 'review:queue.noMatchTitle',
  },
  async filters(context) {
    const { t } = context.get('page');
    return [
      {
        name: 'status',
        label: t('review:queue.status'),
        options: STATUSES.map((status) => [status, t(`wording:statusShort.${status}`)]),
        initial: INITIAL_STATUS,
        asLinks: true,
        ignoresUnknown: true,
      },
      {
        name: 'type',
        label: t('review:queue.type'),
        options: SUBJECT_TYPES.map((type) => [type, t(`wording:type.${type}`)]),
        ignoresUnknown: true,
      },
      await clientFilter(context, 'client', { label: t('review:queue.client'), ignoresUnknown: true }),
      {
        name: 'claim',
        label: t('review:queue.claim'),
        options: [
          ['unclaimed', t('review:queue.unclaimed')],
          ['mine', t('review:queue.mine')],
        ],
        ignoresUnknown: true,
      },
      {
        name: 'only',
        label: t('review:queue.only.label'),
        options: ONLY.map((only) => [only, t(`review:queue.only.${only}`)]),
        ignoresUnknown: true,
      },
      {
        name: 'tests',
        label: t('review:queue.tests'),
        options: [
          [WITHOUT_TESTS, t('review:queue.withoutTests')],
          [WITH_TESTS, t('review:queue.withTests')],
        ],
        initial: WITHOUT_TESTS,
        ignoresUnknown: true,
      },
    ];
  },
  problem: (_issue, _values, t) => ['after', t('review:queue.badPosition')],
  async load(context, { status, type, client, claim, only, tests }) {
    const { items, total, next } = await context.get('as').run(listReviewQueue, {
      status: status as Status,
      type: (type || undefined) as SubjectType | undefined,
      clientId: client || undefined,
      claimedBy: claim === 'mine' ? context.get('user').id : undefined,
      unclaimed: claim === 'unclaimed' ? true : undefined,
      ...onlyInput(only),
      withTests: tests === WITH_TESTS ? true : undefined,
      after: context.req.query('after') || undefined,
    });
    return {
      rows: items,
      total: total.count,
      count: countInWords('review:queue.count', total, context.get('page')),
      pages: { cursor: 'after', next, words: IN_ORDER },
    };
  },
  columns: async (context, items) => queueColumns(context, items, await subjectsOf(context, items)),
};

/** Reads whom the cases are about. A page behind the last case has none. */
async function subjectsOf(
  context: Context<StaffEnv>,
  items: readonly ReviewQueueItem[],
): Promise<ReadonlyMap<string, QueueSubjectView>> {
  if (items.length === 0) return new Map();
  return context.get('as').run(readQueueSubjects, { verificationIds: items.map(({ id }) => id) });
}
