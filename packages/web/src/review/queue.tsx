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
import type { Child } from 'hono/jsx';
import { VerificationBadge } from '../parts/badge.tsx';
import type { Column } from '../parts/table.tsx';
import { ShortReference } from '../site/short-reference.tsx';
import type { StaffEnv } from '../staff/area.tsx';
import { clientFilter } from '../staff/client-choice.tsx';
import { countInWords, IN_ORDER, type ListPage } from '../staff/list-page.tsx';
import { namesOf } from '../staff/users.tsx';
import { ONLY, onlyInput, StartReviewing, workQuery } from './next-case.tsx';
import { QUEUE_PATH } from './paths.ts';
import { DocumentCell, SubjectCell, WaitingCell, WarningsCell } from './queue-cells.tsx';
import { teamDay } from './team-day.tsx';

const INITIAL_STATUS: Status = 'submitted';

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
      <StartReviewing page={context.get('page')} query={workQuery(context)} />
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
      { name: 'reference', label: t('review:queue.anyCase') },
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
  problem: ({ path }, _values, t) =>
    path === 'shortReference'
      ? ['reference', t('wording:shortReference.invalid')]
      : ['after', t('review:queue.badPosition')],
  async load(context, { reference, status, type, client, claim, only, tests }) {
    const { items, total, next } = await context.get('as').run(listReviewQueue, {
      shortReference: reference || undefined,
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
  async columns(context, items) {
    const page = context.get('page');
    const { t } = page;
    const query = workQuery(context);
    const { signIn, clock } = context.get('site').options;
    const now = clock.now();
    const ownId = context.get('user').id;
    const subjects = await subjectsOf(context, items);
    const rowOf = (item: ReviewQueueItem) => ({ item, subject: subjects.get(item.id), page, query });
    const holders = items.map(({ claim }) => claim?.reviewerId ?? null);
    const names = await namesOf(holders, signIn, t);
    const holderCell = ({ claim, status }: ReviewQueueItem): Child => {
      if (status !== 'submitted') return '';
      if (claim === null) return <span class="quiet">{t('review:queue.unclaimed')}</span>;
      return claim.reviewerId === ownId ? (
        <strong>{t('review:queue.you')}</strong>
      ) : (
        <bdi>{names.of(claim.reviewerId)}</bdi>
      );
    };
    const always: readonly Column<ReviewQueueItem>[] = [
      {
        title: t('review:queue.name'),
        class: 'clip',
        isRowHeader: true,
        cell: (item) => <SubjectCell {...rowOf(item)} />,
      },
      {
        title: t('review:queue.document'),
        isClear: true,
        cell: (item) => <DocumentCell {...rowOf(item)} />,
      },
      {
        title: t('review:queue.warnings'),
        class: 'status',
        cell: (item) =>
          item.severity === null ? (
            ''
          ) : (
            <WarningsCell severity={item.severity} subject={subjects.get(item.id)} page={page} />
          ),
      },
      {
        title: t('review:queue.waiting'),
        class: 'time',
        cell: (item) => <WaitingCell {...rowOf(item)} now={now} />,
      },
      { title: t('review:queue.client'), isClear: true, cell: ({ clientName }) => <bdi>{clientName}</bdi> },
      { title: t('review:queue.claimedBy'), isClear: true, cell: holderCell },
    ];
    // The list of what waits says it by its filter.
    if (items.every(({ status }) => status === INITIAL_STATUS) && !isSearch(context)) return always;
    return [
      ...always,
      {
        title: t('review:queue.status'),
        class: 'status',
        cell: (item) => <VerificationBadge of={item} page={page} />,
      },
      {
        title: t('wording:shortReference.label'),
        hiddenOn: 'narrow',
        isClear: true,
        class: 'id',
        cell: ({ id }) => <ShortReference id={id} />,
      },
    ];
  },
};

/** Reads whom the cases are about. A page behind the last case has none. */
async function subjectsOf(
  context: Context<StaffEnv>,
  items: readonly ReviewQueueItem[],
): Promise<ReadonlyMap<string, QueueSubjectView>> {
  if (items.length === 0) return new Map();
  return context.get('as').run(readQueueSubjects, { verificationIds: items.map(({ id }) => id) });
}

/** Whether the page lists what was found by a short reference. */
function isSearch(context: Context<StaffEnv>): boolean {
  return (context.req.query('reference') ?? '') !== '';
}
