import { isActive, isOverdue, type QueueSubjectView, type ReviewQueueItem } from '@countersign/domain';
import type { Child, FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Age } from '../parts/page-parts.tsx';
import { countryName, momentInWords, shortDurationInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { referenceInWords } from '../staff/data-state.tsx';
import { reviewPath } from './paths.ts';

/** A row of the queue, and what was read of its subject. */
interface QueueRow {
  readonly item: ReviewQueueItem;
  /** Undefined if the verification is gone. */
  readonly subject: QueueSubjectView | undefined;
  readonly page: Page;
}

/** Names the subject, and links to the case. The reference stands for a name that is unknown. */
export const SubjectCell: FC<QueueRow> = ({ item, subject, page }) => {
  const { t, href } = page;
  const name = subject?.state === 'read' ? subject.name : null;
  const reference = referenceInWords(item, page);
  return (
    <>
      <a href={href(reviewPath(item.id))} data-case class="row-link as-typed">
        <bdi>{name ?? reference}</bdi>
      </a>
      {name === null ? null : (
        <small class="quiet as-typed">
          {' '}
          <bdi>{reference}</bdi>
        </small>
      )}
      {subject?.state === 'unreadable' ? (
        <>
          {' '}
          <Badge tone="bad" icon="triangle-alert" page={page}>
            {t('review:queue.unreadable')}
          </Badge>
        </>
      ) : null}
      {subject?.state === 'unavailable' ? <small class="quiet"> {t('review:queue.unavailable')}</small> : null}
    </>
  );
};

/** Says what proves the identity: the person's document or the business, and its country. */
export function documentInWords({ item: { type }, subject, page: { t, language } }: QueueRow): string {
  const read = subject?.state === 'read' ? subject : null;
  const kind = read?.document == null ? t(`wording:type.${type}`) : t(`wording:value.${read.document}`);
  return read?.country == null ? kind : `${kind}, ${countryName(language, read.country)}`;
}

/** Says how long the case has waited, against its due time. */
export const WaitingCell: FC<QueueRow & { now: Date }> = ({ item, subject, page, now }) => {
  const { status, submittedAt, requestedAt, dueAt } = item;
  const { t } = page;
  if (!isActive(status)) return <span class="quiet">{t('review:queue.decided')}</span>;
  return (
    <>
      <Age since={status === 'submitted' ? (submittedAt ?? requestedAt) : requestedAt} now={now} page={page} />
      {dueAt === null ? null : (
        <>
          {' '}
          <DueTime due={dueAt} now={now} page={page} />
        </>
      )}
      {subject?.state === 'read' && subject.isResubmitted && status === 'submitted' ? (
        <>
          {' '}
          <Badge tone="info" icon="undo-2" page={page}>
            {t('review:queue.resubmitted')}
          </Badge>
        </>
      ) : null}
    </>
  );
};

/** Says when the decision of a case is due, or for how long it has been overdue. The moment itself shows on hover. */
export const DueTime: FC<{ due: Date; now: Date; page: Page }> = ({ due, now, page }) => {
  const { t, language } = page;
  const time = shortDurationInWords(Math.abs(due.getTime() - now.getTime()), language);
  const when = (words: Child) => (
    <time datetime={due.toISOString()} title={momentInWords(due, language)}>
      {words}
    </time>
  );
  return isOverdue(due, now) ? (
    <Badge tone="bad" icon="clock" page={page}>
      {when(t('review:queue.overdue', { time }))}
    </Badge>
  ) : (
    <small class="quiet">{when(t('review:queue.dueIn', { time }))}</small>
  );
};
