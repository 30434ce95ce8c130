import type { UsageReport } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { chartShape } from '../../parts/chart-shape.ts';
import { Table } from '../../parts/table.tsx';
import { dayInWords, figure, shortDayInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';

type Days = UsageReport['days'];

/** A bar for each day; that of today, which is not over, is hatched. Each shows its value on hover. The same figures follow as a table, for screen readers and exact values. */
export const UsageChart: FC<{ days: Days; page: Page }> = ({ days, page }) => {
  const { t, language } = page;
  const { top, width, height, bars } = chartShape(days.map(({ count }) => count));
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <>
      <div class="chart">
        <div class="chart-scale" aria-hidden="true">
          {[top, top / 2, 0].map((mark) => (
            <span>{figure(mark, language)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby="chart-title"
          aria-describedby="chart-desc"
        >
          <title id="chart-title">{t('staff:usage.chartTitle', { days: days.length })}</title>
          <desc id="chart-desc">{describe(days, page)}</desc>
          {[0, height / 2, height].map((y) => (
            <line class="line" x1="0" x2={width} y1={y} y2={y} />
          ))}
          <pattern id="chart-today" width="2" height="6" patternUnits="userSpaceOnUse">
            <path d="M0 6 L2 0" />
          </pattern>
          {days.map(({ day, count }, index) => (
            <rect
              class={day === last.day ? 'bar-today' : 'bar'}
              fill={day === last.day ? 'url(#chart-today)' : undefined}
              {...bars[index]}
            >
              <title>{`${dayInWords(day, language)}: ${figure(count, language)}`}</title>
            </rect>
          ))}
        </svg>
        <div class="chart-days" aria-hidden="true">
          <span>{shortDayInWords(first.day, language)}</span>
          <span>{shortDayInWords(last.day, language)}</span>
        </div>
      </div>
      <details>
        <summary>{t('staff:usage.asTable')}</summary>
        <DayTable days={days} page={page} />
      </details>
    </>
  );
};

/** Describes the chart in a sentence: the total, and the day with most. */
function describe(days: Days, { t, language }: Page): string {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return t('staff:usage.chartEmpty', { days: days.length });
  const most = days.reduce((best, day) => (day.count > best.count ? day : best));
  return t('staff:usage.chartText', {
    total: figure(total, language),
    day: dayInWords(most.day, language),
    most: figure(most.count, language),
  });
}

const DayTable: FC<{ days: Days; page: Page }> = ({ days, page: { t, language } }) => (
  <Table
    class="small-table"
    label={t('staff:usage.chartTitle', { days: days.length })}
    rows={days.toReversed()}
    columns={[
      {
        title: t('staff:usage.day'),
        isRowHeader: true,
        cell: ({ day }) => <time datetime={day}>{dayInWords(day, language)}</time>,
      },
      { title: t('staff:usage.created'), class: 'number', cell: ({ count }) => figure(count, language) },
    ]}
  />
);
