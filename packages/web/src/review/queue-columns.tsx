import {
  type CaseDecision,
  isActive,
  type QueueSubjectView,
  type ReviewQueueItem,
  type Status,
} from '@countersign/domain';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { VerificationBadge } from '../parts/badge.tsx';
import type { Column } from '../parts/table.tsx';
import { ShortReference } from '../site/short-reference.tsx';
import type { StaffEnv } from '../staff/area.tsx';
import { namesOf } from '../staff/users.tsx';
import { workQuery } from './next-case.tsx';
import { DecisionCell, DocumentCell, SubjectCell, WaitingCell, WarningsCell } from './queue-cells.tsx';

/** The status of the cases that the queue lists at first. */
export const INITIAL_STATUS: Status = 'submitted';

/**
 * Returns the columns of a list of cases.
 * @param subjects whom they are about, by their ids
 * @param decisions by their ids, for a list of cases of any status
 */
export async function queueColumns(
  context: Context<StaffEnv>,
  items: readonly ReviewQueueItem[],
  subjects: ReadonlyMap<string, QueueSubjectView>,
  decisions?: ReadonlyMap<string, CaseDecision>,
): Promise<readonly Column<ReviewQueueItem>[]> {
  const page = context.get('page');
  const { t } = page;
  const query = workQuery(context);
  const { signIn, clock } = context.get('site').options;
  const now = clock.now();
  const ownId = context.get('user').id;
  const rowOf = (item: ReviewQueueItem) => ({ item, subject: subjects.get(item.id), page, query });
  const holders = items.map(({ claim }) => claim?.reviewerId ?? null);
  const deciders = [...(decisions?.values() ?? [])].map(({ reviewerId }) => reviewerId);
  const names = await namesOf([...holders, ...deciders], signIn, t);
  const holderCell = ({ claim, status }: ReviewQueueItem): Child => {
    if (status !== 'submitted') return '';
    if (claim === null) return <span class="quiet">{t('review:queue.unclaimed')}</span>;
    return claim.reviewerId === ownId ? (
      <strong>{t('review:queue.you')}</strong>
    ) : (
      <bdi>{names.of(claim.reviewerId)}</bdi>
    );
  };
  const reviewerCell = (item: ReviewQueueItem): Child => {
    const decision = decisions?.get(item.id);
    if (decision === undefined) return holderCell(item);
    return <DecisionCell decision={decision} names={names} page={page} />;
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
      cell: (item) =>
        decisions === undefined || isActive(item.status) ? <WaitingCell {...rowOf(item)} now={now} /> : '',
    },
    { title: t('review:queue.client'), isClear: true, cell: ({ clientName }) => <bdi>{clientName}</bdi> },
    decisions === undefined
      ? { title: t('review:queue.claimedBy'), isClear: true, cell: holderCell }
      : { title: t('review:queue.reviewer'), isClear: true, cell: reviewerCell },
  ];
  // The list of what waits says it by its filter.
  if (decisions === undefined && items.every(({ status }) => status === INITIAL_STATUS)) return always;
  const withStatus: readonly Column<ReviewQueueItem>[] = [
    ...always,
    {
      title: t('review:queue.status'),
      class: 'status',
      cell: (item) => <VerificationBadge of={item} page={page} />,
    },
  ];
  // There is no room for it beside the decision.
  if (decisions !== undefined) return withStatus;
  return [
    ...withStatus,
    {
      title: t('wording:shortReference.label'),
      hiddenOn: 'narrow',
      isClear: true,
      class: 'id',
      cell: ({ id }) => <ShortReference id={id} />,
    },
  ];
}
