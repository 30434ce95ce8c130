import type { MonthUsage, UsageReport } from '@countersign/domain/clients';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { Card, Notice } from '../../parts/blocks.tsx';
import { dayInWords, figure, monthInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { UsageChart } from './usage-chart.tsx';

/** The meter changes its colour above this part of the limit. */
const NEARLY_ALL = 0.8;

/** Shows the month's usage in figures and as a meter, and when it resets. */
export const UsageMeter: FC<{ usage: MonthUsage; page: Page }> = ({ usage, page }) => {
  const { t, language } = page;
  const { used, allowance, month, state } = usage;
  const of = { used: figure(used, language), allowance: figure(allowance ?? 0, language) };
  return (
    <>
      <p class="figure">
        {of.used}{' '}
        <small>
          {allowance === null ? t('staff:usage.noLimit') : null}
          {allowance === null || state === 'no_active_subscription' ? null : t('staff:usage.ofLimit', of)}
        </small>
      </p>
      {allowance === null || allowance === 0 ? null : (
        <meter
          min={0}
          max={allowance}
          low={allowance * NEARLY_ALL}
          high={allowance}
          optimum={0}
          value={Math.min(used, allowance)}
          aria-label={t('staff:usage.meter', of)}
        />
      )}
      <p class="quiet">
        {t('staff:usage.inMonth', { month: monthInWords(month, language) })}{' '}
        {t('staff:usage.resets', { day: dayInWords(usage.resetsAt.toISOString().slice(0, 10), language) })}
      </p>
    </>
  );
};

/** Says why the API creates no verification now, and how it answers. */
export const StandingNotice: FC<{ usage: MonthUsage; page: Page }> = ({ usage, page: { t, language } }) => {
  const day = dayInWords(usage.resetsAt.toISOString().slice(0, 10), language);
  switch (usage.state) {
    case 'open':
      return null;
    case 'no_active_subscription':
      return (
        <Obstacle title={t('staff:usage.noSubscriptionTitle')} text={t('staff:usage.noSubscriptionText')}>
          NO_ACTIVE_SUBSCRIPTION
        </Obstacle>
      );
    case 'limit_reached':
      return (
        <Obstacle title={t('staff:usage.limitTitle')} text={t('staff:usage.limitText', { day })}>
          LIMIT_EXCEEDED
        </Obstacle>
      );
    default:
      return usage.state satisfies never;
  }
};

const Obstacle: FC<PropsWithChildren<{ title: string; text: string }>> = ({ title, text, children }) => (
  <Notice tone="bad" title={title}>
    <p>
      {text} <code>{children}</code>
    </p>
  </Notice>
);

/** Shows the month against its limit, and each of the last days. @param props.hrefOf see `UsageChart` */
export const UsageDetails: FC<{ usage: UsageReport; hrefOf?: (day: string) => string; page: Page }> = (props) => {
  const { usage, page, ...chart } = props;
  const { t } = page;
  return (
    <>
      <StandingNotice usage={usage} page={page} />
      <Card id="month" title={t('staff:usage.monthTitle')}>
        <UsageMeter usage={usage} page={page} />
        <p class="quiet">
          {t(usage.allowance === null ? 'staff:usage.countedInTestMode' : 'staff:usage.counted')}
        </p>
      </Card>
      <Card id="days" title={t('staff:usage.daysTitle', { days: usage.days.length })}>
        <UsageChart days={usage.days} page={page} {...chart} />
      </Card>
    </>
  );
};
