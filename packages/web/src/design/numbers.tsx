import type { FC } from 'hono/jsx';
import { Section } from '../parts/page-parts.tsx';
import { Stat } from '../parts/stat.tsx';
import type { Page } from '../site/page.ts';
import { UsageChart } from '../staff/usage/usage-chart.tsx';
import { StandingNotice, UsageMeter } from '../staff/usage/usage-meter.tsx';
import { HARD } from './values.ts';

/** The last 30 days, with none, few and many, of each outcome. */
const DAYS = Array.from({ length: 30 }, (_, index) => {
  const count = index % 7 === 0 ? 0 : (index * index * 37) % 12_345;
  const approved = Math.floor(count / 2);
  const rejected = Math.floor(count / 5);
  return {
    day: `2026-06-${String(index + 1).padStart(2, '0')}`,
    count,
    statuses: { approved, rejected, pending: count - approved - rejected, submitted: 0, action_needed: 0 },
  };
});

const MONTH = {
  month: '2026-07',
  used: 0,
  allowance: 1_000,
  state: 'open',
  resetsAt: new Date('2026-08-01T00:00:00.000Z'),
} as const;

/** What a line over 30 days can look like: rising, with days that have no value, and nothing at all. */
const TRENDS = {
  Rising: DAYS.map((_, day) => day),
  'With gaps': DAYS.map(({ count }) => (count === 0 ? null : count)),
  Nothing: DAYS.map(() => 0),
} as const;

/** Figures, lines, meters and a chart of days. */
export const Numbers: FC<{ page: Page }> = ({ page }) => (
  <Section id="numbers" title="Numbers">
    <ul class="cards trends">
      {Object.entries(TRENDS).map(([title, values]) => (
        <Stat title={title} figure="12,345,678" trend={{ title: `${title}, 30 days`, values }} note="7 before" />
      ))}
      <Stat title={HARD.longWord} figure="0" trend={{ title: 'No days', values: [] }} note={HARD.longWord} />
    </ul>
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
