// What a benchmark found, for people, and whether it is enough.
import { cpus, platform, release } from 'node:os';

/**
 * @typedef {Awaited<ReturnType<typeof import('./sqlite.mjs').benchSqlite>>} SqliteFigures
 * @typedef {{ requests: number, perSecond: number, cpuMicroseconds: number | null }} Summary
 */

/** The targets (docs/performance.md). */
const TARGETS = { get: 0.7, post: 0.65, postOneByOne: 2, megabytes: 160 };

/** @param {SqliteFigures} figures */
export function sqliteReport({ get, post, ratios, memory }) {
  const checks = [
    atLeast('GET /verifications/{id}, of the reference', ratios.get, TARGETS.get),
    atLeast('POST /verifications, of the reference', ratios.post, TARGETS.post),
    atLeast('POST /verifications, of one commit per request', ratios.postOneByOne, TARGETS.postOneByOne),
    memoryCheck(memory),
  ];
  const rows = [
    ['', 'requests/s', 'CPU µs/request', 'requests'],
    row('GET   server', get.server),
    row('      reference', get.reference),
    row('POST  server', post.server),
    row('      reference', post.reference),
    row('      one commit per request', post.oneByOne),
  ];
  const text = [
    machine(),
    '',
    ...table(rows),
    '',
    ...checks.map(({ ok, line }) => `${ok === undefined ? 'unknown' : ok ? 'ok     ' : 'MISSED '}  ${line}`),
  ].join('\n');
  return { text, ok: checks.every(({ ok }) => ok !== false) };
}

/** @param {string} what @param {number} ratio @param {number} target */
function atLeast(what, ratio, target) {
  return { ok: ratio >= target, line: `${what}: ${ratio.toFixed(2)} (at least ${target.toFixed(2)})` };
}

/** @param {SqliteFigures['memory']} memory */
function memoryCheck(memory) {
  const what = 'resident memory of the server';
  if (memory === null) return { ok: undefined, line: `${what}: this system does not tell` };
  const { now, highest, afterRequests, ofReference } = memory;
  const figures = `${now.toFixed(0)} MB after ${afterRequests} requests, ${highest.toFixed(0)} MB at its highest`;
  const line = `${what}: ${figures} (at most ${TARGETS.megabytes} MB; reference ${ofReference.toFixed(0)} MB)`;
  return { ok: now <= TARGETS.megabytes, line };
}

/** @param {string} name @param {Summary} summary */
function row(name, { requests, perSecond, cpuMicroseconds }) {
  return [name, perSecond.toFixed(0), cpuMicroseconds?.toFixed(1) ?? 'unknown', String(requests)];
}

/** @param {string[][]} rows the first is the head */
function table(rows) {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}

function machine() {
  const all = cpus();
  return `Node ${process.versions.node}, ${platform()} ${release()}, ${all.length} × ${all[0]?.model.trim()}`;
}
