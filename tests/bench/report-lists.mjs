// Formats the figures of the lists and checks them against the targets.
import { short } from './chart.mjs';
import { FILTERS, PAGES, SORT_FIELDS } from './list-queries.mjs';
import { reportOf, table } from './report.mjs';

/**
 * @typedef {import('./lists.mjs').ListFigures} ListFigures
 * @typedef {import('./list-queries.mjs').List} List
 * @typedef {import('./list-queries.mjs').Page} Page
 */

/** `first`: of the smallest data. Other pages: of the first page of the same data. */
const TARGETS = { first: 1.5, 'page 1000': 3, last: 3, middle: 8, p99: 2, p99Milliseconds: 20 };

/** @param {ListFigures} figures */
export function reportLists({ kind, lists, sizes, days, pages, cpu, latency }) {
  const smallest = /** @type {number} */ (sizes[0]);
  const largest = /** @type {number} */ (sizes.at(-1));
  const times = new Map(pages.map((each) => [`${each.list.query} ${each.page} ${each.rows}`, each.p50]));
  /** @param {List} list @param {Page} page @param {number} rows */
  const p50 = (list, page, rows) => times.get(`${list.query} ${page} ${rows}`);

  /** @param {List} list @param {Page} page @returns {number | undefined} */
  function ratio(list, page) {
    const [one, other] = [p50(list, page, largest), p50(list, 'first', page === 'first' ? smallest : largest)];
    return one === undefined || other === undefined ? undefined : one / other;
  }

  const others = PAGES.filter((page) => page !== 'first');
  const rows = lists.map((list) => [
    `${list.filter}, ${list.order}`,
    ...sizes.map((size) => milliseconds(p50(list, 'first', size))),
    factor(ratio(list, 'first')),
    ...others.flatMap((page) => [milliseconds(p50(list, page, largest)), factor(ratio(list, page))]),
  ]);
  const header = [
    'p50 over sockets, ms',
    ...sizes.map((size) => `first, ${short(size)}`),
    'ratio',
    ...others.flatMap((page) => [`${page}, ${short(largest)}`, 'of first']),
  ];
  const cpuRows = FILTERS.map(({ filter }) => [
    filter,
    ...PAGES.flatMap((page) =>
      [smallest, largest].map((size) => {
        const found = cpu.find((each) => each.filter === filter && each.page === page && each.rows === size);
        return found === undefined ? '–' : cpuText(found);
      }),
    ),
  ]);
  const cpuHeader = [
    kind === 'sqlite' ? 'CPU µs a request' : 'CPU µs a request, + of Postgres',
    ...PAGES.flatMap((page) => [smallest, largest].map((size) => `${page}, ${short(size)}`)),
  ];
  const checks = [
    ...PAGES.map((page) => {
      const ratios = lists
        .flatMap((list) => {
          const value = ratio(list, page);
          return value === undefined ? [] : [{ list, value }];
        })
        .sort((a, b) => b.value - a.value);
      const missed = ratios.filter(({ value }) => value > TARGETS[page]).length;
      const [worst] = ratios;
      const beside =
        page === 'first' ? `${short(largest)} against ${short(smallest)} rows` : 'against the first page';
      if (worst === undefined) return { ok: undefined, line: `${page} page: no list is that long` };
      const which = `${worst.list.filter}, ${worst.list.order}`;
      return {
        ok: missed === 0,
        line: `p50 of ${page}, ${beside}: at worst ${worst.value.toFixed(2)} (${which}; at most ${TARGETS[page]}); ${missed} of ${ratios.length} lists above it`,
      };
    }),
    ...latency.flatMap(({ name, loaded, ratio: ofCalm }) => [
      {
        ok: ofCalm <= TARGETS.p99,
        line: `p99 of another client's GET beside ${name} and an export, of calm: ${ofCalm.toFixed(2)} (at most ${TARGETS.p99})`,
      },
      {
        ok: loaded.p99 <= TARGETS.p99Milliseconds,
        line: `p99 of another client's GET beside ${name} and an export: ${loaded.p99.toFixed(1)} ms (at most ${TARGETS.p99Milliseconds})`,
      },
    ]),
  ];
  const lines = [
    `lists of 20 on ${kind === 'sqlite' ? 'SQLite' : 'Postgres'}; ${sizes.map(short).join(', ')} verifications of one client over ${days} days.`,
    'Every filter fills the first page of the smallest data too: like is compared with like.',
    '',
    ...table([header, ...rows]),
    '',
    ...table([cpuHeader, ...cpuRows]),
    '',
    ...latency.flatMap(({ name, calm, loaded, listsPerSecond, exportedPerSecond }) => [
      `another client's GET, calm: p50 ${calm.p50.toFixed(2)} ms, p99 ${calm.p99.toFixed(2)} ms`,
      `  beside ${name} (${listsPerSecond.toFixed(0)} a second) and an export (${(exportedPerSecond / 1e6).toFixed(1)} MB a second): p50 ${loaded.p50.toFixed(2)} ms, p99 ${loaded.p99.toFixed(2)} ms`,
    ]),
  ];
  return { ...reportOf(lines, checks), charts: chartsOf({ kind, sizes, pages }) };
}

/** @param {Pick<ListFigures, 'kind' | 'sizes' | 'pages'>} figures @returns {Record<string, import('./chart.mjs').Chart>} */
function chartsOf({ kind, sizes, pages }) {
  const database = kind === 'sqlite' ? 'SQLite' : 'Postgres';
  const first = pages.filter(({ page }) => page === 'first');
  /** @param {(each: typeof first[number]) => boolean} belongs */
  const slowest = (belongs) =>
    sizes.map((x) => ({
      x,
      y: Math.max(...first.filter((each) => each.rows === x && belongs(each)).map(({ p50 }) => p50)),
    }));
  const axes = { xLabel: 'verifications of the client (logarithmic)', yLabel: 'response time, p50, ms' };
  return {
    [`lists-${kind}-orders`]: {
      title: `First page on ${database}, by order: the slowest filter and direction`,
      ...axes,
      lines: SORT_FIELDS.map((name) => ({ name, points: slowest(({ list }) => list.sortBy === name) })),
    },
    [`lists-${kind}-filters`]: {
      title: `First page on ${database}, by filter: the slowest order`,
      ...axes,
      lines: FILTERS.map(({ filter }) => ({
        name: filter,
        points: slowest(({ list }) => list.filter === filter),
      })),
    },
  };
}

/** @param {number | undefined} value */
const milliseconds = (value) => (value === undefined ? '–' : value.toFixed(2));
/** @param {number | undefined} value */
const factor = (value) => (value === undefined ? '–' : `${value.toFixed(2)} ×`);

/** @param {import('./lists.mjs').CpuFigures} figures */
function cpuText({ server, database }) {
  const own = server === null ? 'unknown' : server.toFixed(0);
  return database === null ? own : `${own} + ${database.toFixed(0)}`;
}
