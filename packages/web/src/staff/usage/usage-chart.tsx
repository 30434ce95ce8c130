import { STATUSES, type Status } from '@countersign/domain';
import type { UsageDay, UsageReport } from '@countersign/domain/clients';
import { html } from 'hono/html';
import type { FC } from 'hono/jsx';
import { type Bar, chartShape, pathOf } from '../../parts/chart-shape.ts';
import { Table } from '../../parts/table.tsx';
import { chartDayInWords, figure, shortDayInWords } from '../../site/formats.ts';
import type { Language } from '../../site/language.ts';
import type { Page } from '../../site/page.ts';

type Days = UsageReport['days'];

/** The outcomes of verifications, in the order of the stacks from the bottom up. */
const OUTCOMES = ['approved', 'notApproved', 'open'] as const;
type Outcome = (typeof OUTCOMES)[number];

const OUTCOME_OF: Readonly<Record<Status, Outcome>> = {
  pending: 'open',
  submitted: 'open',
  action_needed: 'open',
  approved: 'approved',
  rejected: 'notApproved',
};

function countOf({ statuses }: UsageDay, outcome: Outcome): number {
  return STATUSES.reduce((sum, status) => (OUTCOME_OF[status] === outcome ? sum + statuses[status] : sum), 0);
}

/** A day with its figures in words: the chart and the table show the same. */
interface DayInWords {
  readonly day: string;
  readonly name: string;
  readonly isEmpty: boolean;
  readonly count: string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
}

function inWords(day: UsageDay, language: Language): DayInWords {
  const counted = (outcome: Outcome): string => figure(countOf(day, outcome), language);
  return {
    day: day.day,
    name: chartDayInWords(day.day, language),
    isEmpty: day.count === 0,
    count: figure(day.count, language),
    outcomes: { approved: counted('approved'), notApproved: counted('notApproved'), open: counted('open') },
  };
}

/**
 * A stack for each day, by the outcome of its verifications; that of today, which is not over, is hatched. Each shows its
 * figures on hover and on focus. A table with the same figures follows.
 * @param props.hrefOf the address of the verifications of a day, if there is a list of them
 */
export const UsageChart: FC<{ days: Days; hrefOf?: (day: string) => string; page: Page }> = (props) => {
  const { days, hrefOf, page } = props;
  const { t, language } = page;
  const { top, width, height, stacks } = chartShape(
    days.map((day) => OUTCOMES.map((outcome) => countOf(day, outcome))),
  );
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const inOrder = days.map((day) => inWords(day, language));
  const names = OUTCOMES.map((outcome) => outcomeName(outcome, page));
  return (
    <>
      <div class="chart">
        <ul class="inline chart-legend">
          {names.map((name) => (
            <li>{name}</li>
          ))}
        </ul>
        <div class="chart-scale" aria-hidden="true">
          {[top, top / 2, 0].map((mark) => (
            <span>{figure(mark, language)}</span>
          ))}
        </div>
        <div class="chart-plot">
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
            {OUTCOMES.map((outcome, part) => (
              <Bars class={`bar of-${outcome}`} bars={stacks.flatMap((stack) => stack.slice(part, part + 1))} />
            ))}
            <Bars fill="url(#chart-today)" bars={stacks.at(-1) ?? []} />
          </svg>
          <ol class="chart-stacks">
            {inOrder.map((day) => (day.isEmpty ? html`<li></li>` : dayFigures(day, names, hrefOf)))}
          </ol>
        </div>
        <div class="chart-days" aria-hidden="true">
          <span>{shortDayInWords(first.day, language)}</span>
          <span>{shortDayInWords(last.day, language)}</span>
        </div>
      </div>
      <details>
        <summary>{t('staff:usage.asTable')}</summary>
        <DayTable days={inOrder} page={page} />
      </details>
    </>
  );
};

const Bars: FC<{ class?: string; fill?: string; bars: readonly Bar[] }> = ({ bars, ...attributes }) => {
  const path = pathOf(bars);
  return path === '' ? null : <path {...attributes} d={path} />;
};

/** The figures of a day, over its stack. The stylesheet shows them in place of the legend. @param names of the outcomes, in their order */
function dayFigures(day: DayInWords, names: readonly Drawn[], hrefOf?: (day: string) => string): Drawn {
  const counts = OUTCOMES.map((outcome, part) => html`<span> ${names[part]} ${day.outcomes[outcome]}</span>`);
  const figures = html`<span class="chart-figures"><strong>${day.name}: ${day.count}</strong>${counts}</span>`;
  return hrefOf === undefined
    ? html`<li><span class="chart-stack" tabindex="0">${figures}</span></li>`
    : html`<li><a href="${hrefOf(day.day)}" class="chart-stack">${figures}</a></li>`;
}

type Drawn = ReturnType<typeof html>;

function outcomeName(outcome: Outcome, { t }: Page): Drawn {
  return html`<span class="of-${outcome}">${t(`staff:usage.outcomes.${outcome}`)}</span>`;
}

/** Describes the chart in a sentence: the total, and the day with most. */
function describe(days: Days, { t, language }: Page): string {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return t('staff:usage.chartEmpty', { days: days.length });
  const most = days.reduce((best, day) => (day.count > best.count ? day : best));
  return t('staff:usage.chartText', {
    total: figure(total, language),
    day: chartDayInWords(most.day, language),
    most: figure(most.count, language),
  });
}

const DayTable: FC<{ days: readonly DayInWords[]; page: Page }> = ({ days, page: { t } }) => (
  <Table
    class="small-table"
    label={t('staff:usage.chartTitle', { days: days.length })}
    rows={days.toReversed()}
    columns={[
      {
        title: t('staff:usage.day'),
        isRowHeader: true,
        cell: ({ day, name }) => html`<time datetime="${day}">${name}</time>`,
      },
      { title: t('staff:usage.created'), class: 'number', cell: ({ count }) => count },
      ...OUTCOMES.map((outcome) => ({
        title: t(`staff:usage.outcomes.${outcome}`),
        class: 'number',
        cell: ({ outcomes }: DayInWords) => outcomes[outcome],
      })),
    ]}
  />
);
