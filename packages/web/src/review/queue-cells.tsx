import {
  type CaseDecision,
  isActive,
  isOverdue,
  type QueueSubject,
  type QueueSubjectView,
  type ReviewQueueItem,
  type Severity,
} from '@countersign/domain';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { utcDayInWords } from '../site/days.ts';
import { countryName, figure, momentInWords, shortDurationInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { referenceInWords } from '../staff/data-state.tsx';
import type { Names } from '../staff/users.tsx';
import { reviewPath } from './paths.ts';
import { TONES } from './warnings.tsx';

/** A row of the queue, and what was read of its subject. */
interface QueueRow {
  readonly item: ReviewQueueItem;
  /** Undefined if the verification is gone. */
  readonly subject: QueueSubjectView | undefined;
  readonly page: Page;
  /** The filters of the queue, as `workQuery` returns them. */
  readonly query: string;
}

/** What was read of a subject that was not. */
const NOTHING_READ: QueueSubject = {
  name: null,
  document: null,
  country: null,
  isResubmitted: false,
  warnings: null,
};

function readOf(subject: QueueSubjectView | undefined): QueueSubject {
  return subject?.state === 'read' ? subject : NOTHING_READ;
}

/** Names the subject, and links to the case. Below stands the reference, which also stands for a name that is unknown. */
export const SubjectCell: FC<QueueRow> = ({ item, subject, page, query }) => {
  const { t, href } = page;
  const { name, isResubmitted } = readOf(subject);
  const reference = referenceInWords(item, page);
  return (
    <>
      <a href={href(reviewPath(item.id)) + query} data-case class="row-link as-typed">
        <bdi>{name ?? reference}</bdi>
      </a>
      <SecondLine>
        {name === null ? null : (
          <span class="as-typed">
            <bdi>{reference}</bdi>
          </span>
        )}
        {isResubmitted && item.status === 'submitted' ? <span>{t('review:queue.only.resubmitted')}</span> : null}
        {subject?.state === 'unreadable' ? <strong class="bad">{t('review:queue.unreadable')}</strong> : null}
        {subject?.state === 'unavailable' ? <span>{t('review:queue.unavailable')}</span> : null}
      </SecondLine>
    </>
  );
};

/** Says what proves the identity: the person's document or the business, and below its country. */
export const DocumentCell: FC<QueueRow> = ({ item: { type }, subject, page: { t, language } }) => {
  const { document, country } = readOf(subject);
  return (
    <>
      {document === null ? t(`wording:type.${type}`) : t(`wording:value.${document}`)}
      {country === null ? null : <SecondLine>{countryName(language, country)}</SecondLine>}
    </>
  );
};

/** Says how severe the worst kept warning of a case is, in a word and a colour, and how many there are. */
export const WarningsCell: FC<{ severity: Severity; subject: QueueSubjectView | undefined; page: Page }> = (
  props,
) => <WarningsBadge severity={props.severity} count={readOf(props.subject).warnings} page={props.page} />;

/** @param props.count null if it is not known */
export const WarningsBadge: FC<{ severity: Severity; count: number | null; page: Page }> = (props) => {
  const { severity, count, page } = props;
  return (
    <Badge tone={TONES[severity]} icon="triangle-alert" page={page}>
      {page.t(`review:severity.${severity}`)}
      {count === null ? null : ` · ${figure(count, page.language)}`}
    </Badge>
  );
};

/** Says how long the case has waited, and below when it is due. */
export const WaitingCell: FC<Pick<QueueRow, 'item' | 'page'> & { now: Date }> = ({ item, page, now }) => {
  const { status, submittedAt, requestedAt, dueAt } = item;
  if (!isActive(status)) return <span class="quiet">{page.t('review:queue.decided')}</span>;
  const since = status === 'submitted' ? (submittedAt ?? requestedAt) : requestedAt;
  return (
    <>
      <TimeSince since={since} page={page}>
        {shortDurationInWords(now.getTime() - since.getTime(), page.language)}
      </TimeSince>
      {dueAt === null ? null : (
        <SecondLine>
          <DueTime due={dueAt} now={now} page={page} />
        </SecondLine>
      )}
    </>
  );
};

/** How long a case has waited, in one unit. */
export const Waited: FC<{ since: Date; now: Date; page: Page }> = ({ since, now, page }) => (
  <TimeSince since={since} page={page}>
    {shortDurationInWords(inLargestUnit(now.getTime() - since.getTime()), page.language)}
  </TimeSince>
);

/** A duration in words, which shows when it began on hover. */
const TimeSince: FC<PropsWithChildren<{ since: Date; page: Page }>> = ({ since, page, children }) => (
  <time datetime={since.toISOString()} title={momentInWords(since, page.language)}>
    {children}
  </time>
);

/** Says who decided a case, and below when. One that ended without a review says so by its status. */
export const DecisionCell: FC<{ decision: CaseDecision; names: Names; page: Page }> = (props) => {
  const { decision, names, page } = props;
  const { at, reviewerId } = decision;
  const day = (
    <time datetime={at.toISOString()} title={momentInWords(at, page.language)}>
      {utcDayInWords(at, page)}
    </time>
  );
  if (reviewerId === null) return day;
  return (
    <>
      <bdi>{names.of(reviewerId)}</bdi>
      <SecondLine>{day}</SecondLine>
    </>
  );
};

/** The smaller line of a cell. */
const SecondLine: FC<PropsWithChildren> = ({ children }) => (
  <>
    {' '}
    <small class="second-line">{children}</small>
  </>
);

/** Says when the decision of a case is due, or for how long it has been overdue. The moment itself shows on hover. */
export const DueTime: FC<{ due: Date; now: Date; page: Page }> = ({ due, now, page }) => {
  const { t, language } = page;
  const isLate = isOverdue(due, now);
  const time = shortDurationInWords(inLargestUnit(Math.abs(due.getTime() - now.getTime())), language);
  return (
    <time datetime={due.toISOString()} title={momentInWords(due, language)} class={isLate ? 'bad' : undefined}>
      {isLate ? t('review:queue.overdue', { time }) : t('review:queue.dueIn', { time })}
    </time>
  );
};

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Leaves out the minutes of hours and the hours of days. */
function inLargestUnit(milliseconds: number): number {
  const unit = [DAY_MS, HOUR_MS].find((length) => milliseconds >= length) ?? 1;
  return milliseconds - (milliseconds % unit);
}
