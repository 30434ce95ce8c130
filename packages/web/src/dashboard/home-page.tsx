import type { BrowsedVerification } from '@countersign/domain';
import {
  createVerification,
  getOwnClient,
  listAttention,
  listVerifications,
  readOwnActivity,
  readOwnMonth,
} from '@countersign/domain/actions';
import type {
  ActivityDay,
  ActivityFigures,
  ActivityReport,
  BoundedCount,
  MonthUsage,
} from '@countersign/domain/clients';
import type { Context, Handler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { docsOf } from '../docs/docs.ts';
import { Card, Empty } from '../parts/blocks.tsx';
import { COPY_SCRIPT } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { Result } from '../parts/page-parts.tsx';
import { Stat } from '../parts/stat.tsx';
import { Table } from '../parts/table.tsx';
import { figure, percentInWords, shortDurationInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { countInWords } from '../staff/list-page.tsx';
import { StandingNotice } from '../staff/usage/usage-meter.tsx';
import { Attention } from './attention.tsx';
import { FirstSteps, firstStepsOf } from './first-steps.tsx';
import { NEW_VERIFICATION_PATH, VERIFICATIONS_PATH } from './paths.ts';
import { verificationList } from './verifications/verification-list.tsx';

/** Rows of the recent verifications. */
const RECENT_ROWS = 8;

/** Shows what came about in the last days, what needs attention, the first steps until they are done, and the newest verifications. */
export const homePage: Handler<StaffEnv> = async (context) => {
  const page = context.get('page');
  const { t, href } = page;
  const { may, run } = context.get('as');
  const [{ client }, usage, activity, attention, steps, recent] = await Promise.all([
    run(getOwnClient, {}),
    run(readOwnMonth, {}),
    run(readOwnActivity, {}),
    run(listAttention, {}),
    firstStepsOf(context),
    run(listVerifications, { limit: RECENT_ROWS }),
  ]);
  const newVerification =
    may(createVerification) === 'no' ? null : (
      <a href={href(NEW_VERIFICATION_PATH)} class="button">
        <Icon page={page} name="plus" />
        {t('dashboard:verifications.create')}
      </a>
    );
  const title = t('dashboard:nav.home');
  return answerStaffPage(
    context,
    { title, scripts: [COPY_SCRIPT] },
    <>
      <Result context={context} texts="staff:result" />
      <div class="list-head">
        <h1>{title}</h1>
        {recent.items.length === 0 ? null : newVerification}
      </div>
      {client.testOf === null ? null : (
        <p class="quiet">
          {t('dashboard:home.testOutcomeText')} <code>metadata.sandboxOutcome</code>
        </p>
      )}
      <StandingNotice usage={usage} page={page} />
      <Numbers activity={activity} usage={usage} now={context.get('site').options.clock.now()} page={page} />
      <Attention context={context} items={attention} />
      <FirstSteps steps={steps} page={page} docs={docsOf(context.get('site'))} />
      {recent.items.length === 0 ? (
        <Empty
          page={page}
          drawing="nothing"
          title={t('dashboard:verifications.empty.title')}
          text={t('dashboard:verifications.empty.text')}
        >
          {newVerification === null ? null : <div class="buttons">{newVerification}</div>}
        </Empty>
      ) : (
        <RecentVerifications context={context} rows={recent.items} total={recent.total} />
      )}
    </>,
  );
};

interface NumbersProps {
  readonly activity: ActivityReport;
  readonly usage: MonthUsage;
  readonly now: Date;
  readonly page: Page;
}

/** Four numbers, each with a line of the same number on each of the last days. */
const Numbers: FC<NumbersProps> = ({ activity, usage, now, page }) => {
  const { t, href, language } = page;
  const { days, totals, medianMs, medianBeforeMs, waiting, waitingSince } = activity;
  const decided = decidedOf(totals);
  const inDays = { days: days.length };
  const trend = (title: string, perDay: (day: ActivityDay) => number | null) => ({
    title,
    values: days.map(perDay),
  });
  const duration = (ms: number) => ({ duration: shortDurationInWords(ms, language) });
  return (
    <ul class="cards trends" aria-label={t('dashboard:home.numbers')}>
      <Stat
        title={t('dashboard:home.stats.created', inDays)}
        figure={figure(totals.created, language)}
        trend={trend(t('dashboard:home.stats.createdByDay', inDays), ({ created }) => created)}
        note={monthInWords(usage, page)}
      />
      <Stat
        title={
          <a href={href(`${VERIFICATIONS_PATH}?status=submitted`)} class="row-link">
            {t('dashboard:home.stats.toReview')}
          </a>
        }
        figure={figure(waiting, language)}
        trend={trend(t('dashboard:home.stats.toReviewByDay', inDays), (day) => day.waiting)}
        note={
          waitingSince === null
            ? t('dashboard:home.stats.noneWaits')
            : t('dashboard:home.stats.oldest', duration(now.getTime() - waitingSince.getTime()))
        }
      />
      <Stat
        title={t('dashboard:home.stats.approved', inDays)}
        figure={decided === 0 ? '–' : percentInWords(Math.round(shareApproved(totals) * 100), language)}
        trend={trend(t('dashboard:home.stats.approvedByDay', inDays), (day) =>
          decidedOf(day) === 0 ? null : shareApproved(day),
        )}
        note={
          decided === 0
            ? t('dashboard:home.stats.noneDecided')
            : t('dashboard:home.stats.ofDecided', { count: decided, number: figure(decided, language) })
        }
      />
      <Stat
        title={t('dashboard:home.stats.timeToDecision')}
        figure={medianMs === null ? '–' : shortDurationInWords(medianMs, language)}
        trend={trend(t('dashboard:home.stats.timeByDay', inDays), (day) => day.medianMs)}
        note={
          medianBeforeMs === null
            ? t('dashboard:home.stats.median', inDays)
            : t('dashboard:home.stats.medianBefore', duration(medianBeforeMs))
        }
      />
    </ul>
  );
};

const decidedOf = ({ approved, rejected }: ActivityFigures): number => approved + rejected;
const shareApproved = (figures: ActivityFigures): number => figures.approved / decidedOf(figures);

/** The month of the plan, against its limit if it has one. */
function monthInWords({ used, allowance }: MonthUsage, { t, language }: Page): string {
  const of = { used: figure(used, language), allowance: figure(allowance ?? 0, language) };
  return t(allowance === null ? 'dashboard:home.stats.inMonth' : 'dashboard:home.stats.ofMonth', of);
}

/** The newest verifications, as the list shows them. */
async function RecentVerifications({
  context,
  rows,
  total,
}: {
  context: Context<StaffEnv>;
  rows: readonly BrowsedVerification[];
  total: BoundedCount;
}): Promise<Child> {
  const page = context.get('page');
  const { t, href } = page;
  return (
    <Card
      id="recent"
      title={t('dashboard:home.recent')}
      class="with-table"
      more={<a href={href(VERIFICATIONS_PATH)}>{countInWords('dashboard:home.all', total, page)}</a>}
    >
      <Table rows={rows} columns={await verificationList.columns(context, rows)} />
    </Card>
  );
}
