// Formats the figures of a benchmark and checks them against the targets.
import { cpus, platform, release } from 'node:os';

/**
 * @typedef {import('./compare.mjs').Figures} Figures
 * @typedef {import('./rounds.mjs').Summary} Summary
 * @typedef {{ get: number, post: number, postOneByOne?: number, megabytes?: number }} Targets
 */

/** Ratios to the references and the memory limit (docs/performance.md). */
export const TARGETS = {
  sqlite: { get: 0.7, post: 0.65, postOneByOne: 2, megabytes: 160 },
  postgres: { get: 0.7, post: 0.7 },
};

/** @param {Figures} figures @param {Targets} targets */
export function report({ get, post, oneByOne, ratios, memory }, targets) {
  const checks = [
    atLeast('GET /verifications/{id}, of the reference', ratios.get, targets.get),
    atLeast('POST /verifications, of the reference', ratios.post, targets.post),
    ...(oneByOne && targets.postOneByOne !== undefined
      ? [atLeast('POST /verifications, of one commit per request', oneByOne.ratio, targets.postOneByOne)]
      : []),
    memoryCheck(memory, targets.megabytes),
  ];
  const summaries = [get.server, get.reference, post.server, post.reference];
  const hasDatabase = summaries.some(({ databaseMicroseconds }) => databaseMicroseconds !== null);
  const rows = [
    ['', 'requests/s', 'CPU µs/request', 'requests', ...(hasDatabase ? ['Postgres µs/request'] : [])],
    row('GET   server', get.server),
    row('      reference', get.reference),
    row('POST  server', post.server),
    row('      reference', post.reference),
    ...(oneByOne ? [row('      one commit per request', oneByOne)] : []),
  ];
  return reportOf(table(rows), checks);
}

/**
 * Formats the figures, and whether each target is reached; `undefined`: unknown on this system.
 * @param {readonly string[]} lines
 * @param {readonly { ok: boolean | undefined, line: string }[]} checks
 */
export function reportOf(lines, checks) {
  const marks = checks.map(
    ({ ok, line }) => `${ok === undefined ? 'unknown' : ok ? 'ok     ' : 'MISSED '}  ${line}`,
  );
  return { text: [machine(), '', ...lines, '', ...marks].join('\n'), ok: checks.every(({ ok }) => ok !== false) };
}

/** @param {string} what @param {number} ratio @param {number} target */
export function atLeast(what, ratio, target) {
  return { ok: ratio >= target, line: `${what}: ${ratio.toFixed(2)} (at least ${target.toFixed(2)})` };
}

/** @param {Figures['memory']} memory @param {number} [most] left out, the figure is only reported */
function memoryCheck(memory, most = Infinity) {
  const what = 'resident memory of the server';
  if (memory === null) return { ok: undefined, line: `${what}: not available on this system` };
  const { now, highest, afterRequests, ofReference } = memory;
  const figures = `${now.toFixed(0)} MB after ${afterRequests} requests, ${highest.toFixed(0)} MB at its highest`;
  const line = `${what}: ${figures} (${most === Infinity ? '' : `at most ${most} MB; `}reference ${ofReference.toFixed(0)} MB)`;
  return { ok: now <= most, line };
}

/** @param {string} name @param {Summary} summary */
function row(name, { requests, perSecond, cpuMicroseconds, databaseMicroseconds }) {
  const cells = [name, perSecond.toFixed(0), cpuMicroseconds?.toFixed(1) ?? 'unknown', String(requests)];
  return databaseMicroseconds === null ? cells : [...cells, databaseMicroseconds.toFixed(1)];
}

/** @param {string[][]} rows the first is the header */
export function table(rows) {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}

/** Names the machine that the figures are from. */
function machine() {
  const all = cpus();
  return `Node ${process.versions.node}, ${platform()} ${release()}, ${all.length} × ${all[0]?.model.trim()}`;
}
