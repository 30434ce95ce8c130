import type { FC } from 'hono/jsx';
import { Section } from '../parts/page-parts.tsx';
import type { Page } from '../site/page.ts';
import { UsageChart } from '../staff/usage/usage-chart.tsx';
import { StandingNotice, UsageMeter } from '../staff/usage/usage-meter.tsx';

/** The last 30 days, with none, few and many. */
const DAYS = Array.from({ length: 30 }, (_, index) => ({
  day: `2026-06-${String(index + 1).padStart(2, '0')}`,
  count: index % 7 === 0 ? 0 : (index * index * 37) % 12_345,
}));

const MONTH = {
  month: '2026-07',
  used: 0,
  allowance: 1_000,
  state: 'open',
  resetsAt: new Date('2026-08-01T00:00:00.000Z'),
} as const;

/** Figures, meters and a chart of days. */
export const Numbers: FC<{ page: Page }> = ({ page }) => (
  <Section id="numbers" title="Numbers">
    <div class="cards">
      {[MONTH, { ...MONTH, used: 850 }, { ...MONTH, used: 12_345_678, allowance: null }].map((usage) => (
        <div class="card">
          <UsageMeter usage={usage} page={page} />
        </div>
      ))}
    </div>
    <StandingNotice usage={{ ...MONTH, used: 1_000, state: 'limit_reached' }} page={page} />
    <UsageChart days={DAYS} page={page} />
  </Section>
);
