// Formats the figures of creations of one client and checks them against the targets.
import { atLeast, reportOf, table } from './report.mjs';

/**
 * @typedef {import('./one-client.mjs').OneClientFigures} OneClientFigures
 * @typedef {import('./rounds.mjs').Summary} Summary
 */

/** At 64 at once, and for one creation after the other. */
const TARGETS = { atOnce: 64, ofSome: 1, ofMany: 1, ofReference: 2.5, lone: 0.95 };

/** @param {OneClientFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportOneClient({ some, clients, sizes, lone }) {
  const rows = sizes.flatMap(({ atOnce, reference, ...ofServer }) => {
    const indent = `${' '.repeat(String(atOnce).length)}           `;
    return [
      row(`${atOnce} at once   one client`, ofServer.one),
      row(`${indent}${some} clients`, ofServer.some),
      row(`${indent}${clients} clients`, ofServer.many),
      row(`${indent}one client, reference`, reference),
    ];
  });
  const ratios = sizes.map(({ atOnce, ofSome, ofMany, ofReference }) => [
    `${atOnce} at once`,
    ofSome.toFixed(2),
    ofMany.toFixed(2),
    ofReference.toFixed(2),
  ]);
  const loneRatio = lone.direct / lone.queued;
  const target = sizes.find(({ atOnce }) => atOnce === TARGETS.atOnce);
  const checks = [
    ...(target === undefined
      ? []
      : [
          atLeast(`${TARGETS.atOnce} at once, one client, of ${some} clients`, target.ofSome, TARGETS.ofSome),
          atLeast(`${TARGETS.atOnce} at once, one client, of ${clients} clients`, target.ofMany, TARGETS.ofMany),
          atLeast(
            `${TARGETS.atOnce} at once, one client, of the reference`,
            target.ofReference,
            TARGETS.ofReference,
          ),
        ]),
    atLeast('one creation after the other, of the same without queues', loneRatio, TARGETS.lone),
  ];
  const lines = [
    ...table([
      ['POST /verifications', 'requests/s', 'CPU µs/request', 'Postgres µs/request', 'requests'],
      ...rows,
    ]),
    '',
    ...table([
      ['speed of one client', `of ${some} clients`, `of ${clients} clients`, 'of the reference'],
      ...ratios,
    ]),
    '',
    `one creation after the other, in the storage, p50: ${lone.queued.toFixed(0)} µs; without queues ${lone.direct.toFixed(0)} µs`,
  ];
  return { ...reportOf(lines, checks), charts: chartsOf({ clients, sizes }) };
}

/** @param {Pick<OneClientFigures, 'clients' | 'sizes'>} figures @returns {Record<string, import('./chart.mjs').Chart>} */
function chartsOf({ clients, sizes }) {
  /** @param {string} name @param {'one' | 'many' | 'reference'} which */
  const line = (name, which) => ({
    name,
    points: sizes.flatMap((size) => {
      const { cpuMicroseconds: own, databaseMicroseconds: database } = size[which];
      return own === null || database === null ? [] : [{ x: size.atOnce, y: own + database }];
    }),
  });
  const lines = [
    line('one client', 'one'),
    line(`${clients} clients`, 'many'),
    line('one client, reference', 'reference'),
  ];
  if (lines.some(({ points }) => points.length === 0)) return {};
  return {
    'one-client': {
      title: 'Creations on Postgres: processor time of server and database',
      xLabel: 'requests at once (logarithmic)',
      yLabel: 'µs a creation',
      lines,
    },
  };
}

/** @param {string} name @param {Summary} summary */
function row(name, { requests, perSecond, cpuMicroseconds, databaseMicroseconds }) {
  const microseconds = [cpuMicroseconds, databaseMicroseconds].map((value) => value?.toFixed(0) ?? 'unknown');
  return [name, perSecond.toFixed(0), ...microseconds, String(requests)];
}
