import type { UsageReport } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { UsageChart } from './usage-chart.tsx';
import { StandingNotice, UsageMeter } from './usage-meter.tsx';

/** The month against its limit, and each of the last 30 days. */
export const UsageDetails: FC<{ usage: UsageReport; page: Page }> = ({ usage, page }) => {
  const { t } = page;
  return (
    <>
      <StandingNotice usage={usage} page={page} />
      <section aria-labelledby="month-title">
        <h2 id="month-title">{t('staff:usage.monthTitle')}</h2>
        <UsageMeter usage={usage} page={page} />
        <p>{t('staff:usage.counted')}</p>
      </section>
      <section aria-labelledby="days-title">
        <h2 id="days-title">{t('staff:usage.daysTitle', { days: usage.days.length })}</h2>
        <UsageChart days={usage.days} page={page} />
      </section>
    </>
  );
};
