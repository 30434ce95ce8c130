import { listVerifications } from '@countersign/domain/actions';
import type { Context } from 'hono';
import { StateBadge, type StateName } from '../parts/badge.tsx';
import { Age } from '../parts/page-parts.tsx';
import { figure } from '../site/formats.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { listPage } from '../staff/list-page.tsx';
import { actionColumn } from '../staff/row-actions.tsx';
import { DESIGN_PATH } from './paths.ts';
import { HARD, minutesBefore, NOW } from './values.ts';

interface Row {
  readonly name: string;
  readonly state: StateName;
  readonly reference: string;
  readonly minutes: number;
  readonly count: number;
}

const ROWS: readonly Row[] = [
  { name: HARD.clientName, state: 'verification.submitted', reference: HARD.reference, minutes: 0, count: 0 },
  { name: HARD.rightToLeft, state: 'verification.pending', reference: HARD.rightToLeft, minutes: 90, count: 7 },
  { name: 'Ann', state: 'verification.action_needed', reference: '7', minutes: 600_000, count: 12_345_678 },
];

const ROWS_ON_A_PAGE = 24;
const MANY = 10_000;

/** How many rows there are: none, three, or the first, a middle or the last page of many. */
const SIZES: Readonly<Record<string, readonly Row[]>> = {
  none: [],
  three: ROWS,
  many: Array.from({ length: ROWS_ON_A_PAGE / ROWS.length }, () => ROWS).flat(),
};

const STATES: readonly StateName[] = ['verification.submitted', 'verification.pending'];
/** The cursor of the last page. */
const LAST = 'z';

/**
 * A list with filters, a menu for each row and pages, for each of `SIZES` by `?rows=`. `?after=x` is a middle page and `?after=z` the
 * last one.
 */
export const designList: (context: Context<StaffEnv>) => Promise<Response> = listPage<Row>({
  path: `${DESIGN_PATH}/list`,
  title: 'admin:clients.title',
  links: [{ path: `${DESIGN_PATH}/fields`, label: 'site:continue', action: listVerifications }],
  filters: () => [
    {
      name: 'state',
      label: 'State',
      asLinks: true,
      options: STATES.map((state) => [state, state]),
      unknown: 'Choose one of the states',
    },
    {
      name: 'rows',
      label: 'Rows',
      options: Object.keys(SIZES).map((size) => [size, size]),
      initial: 'three',
      unknown: 'Choose one of the sizes',
    },
    { name: 'text', label: HARD.longWord },
    { name: 'from', label: 'From', type: 'date' },
  ],
  load: async (context, { rows = '' }) => {
    const next = context.req.query('after') === LAST ? null : 'x';
    return {
      rows: SIZES[rows] ?? [],
      ...(rows === 'many' && { total: MANY, count: '10,000 rows', pages: { cursor: 'after', next } }),
    };
  },
  columns: (context) => {
    const page = context.get('page');
    return [
      {
        title: 'Name',
        isRowHeader: true,
        class: 'clip',
        cell: ({ name }) => (
          <a href={page.href(DESIGN_PATH)} class="row-link">
            <bdi>{name}</bdi>
          </a>
        ),
      },
      { title: 'State', class: 'status', cell: ({ state }) => <StateBadge of={state} page={page} /> },
      { title: 'Reference', cell: ({ reference }) => <bdi class="as-typed">{reference}</bdi> },
      { title: 'Number', class: 'number', cell: ({ count }) => figure(count, page.language) },
      {
        title: 'Waiting',
        class: 'time',
        cell: ({ minutes }) => <Age since={minutesBefore(minutes)} now={NOW} page={page} />,
      },
      ...actionColumn<Row>(
        context,
        [
          { action: listVerifications, label: 'site:continue', path: () => DESIGN_PATH },
          { action: listVerifications, label: 'site:back', path: () => DESIGN_PATH, isDangerous: true },
        ],
        ({ name }) => name,
      ),
    ];
  },
  empty: { title: 'admin:clients.empty' },
});
