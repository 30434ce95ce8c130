// Measures the API while the data of verifications is erased: a server whose job is paused and one that erases take turns on one
// database. Then a server erases until enough is erased, while its memory is watched.
import { openBesideJob } from './beside-a-job.mjs';
import { timesOf } from './rounds.mjs';
import { residentMegabytes } from './usage.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {Awaited<ReturnType<typeof benchRetention>>} RetentionFigures
 *
 * @typedef {import('./beside-a-job.mjs').JobExtent & { atOnce: number, stepSeconds: number }} RetentionExtent `atOnce`: how
 *   many the last server erases while its memory is watched; `stepSeconds` between two looks at the memory
 */

/** A server erases up to 10 a second. @type {RetentionExtent} */
const FULL = {
  rows: 30_000,
  due: 15_000,
  rounds: 4,
  seconds: 20,
  warmUpSeconds: 2,
  atOnce: 10_000,
  stepSeconds: 10,
};
/** @type {RetentionExtent} */
const SHORT = { rows: 400, due: 100, rounds: 1, seconds: 1.5, warmUpSeconds: 0.1, atOnce: 100, stepSeconds: 0.5 };

/** Keeps nothing of what is decided. Links and answers of open verifications are not touched. */
const KEEP_NOTHING = {
  RETENTION_APPROVED_AFTER_END: 'P0D',
  RETENTION_APPROVED_LONGEST: 'P0D',
  RETENTION_REJECTED: 'P0D',
  RETENTION_UNFINISHED: 'P0D',
  RETENTION_FLOOR_APPROVED: 'P0D',
  RETENTION_FLOOR_REJECTED: 'P0D',
  EXPIRE_AFTER_DAYS: '0',
};

const ERASED = 'select count(*) as n from erasures where finished_at is not null';
const DUE = 'select count(*) as n from verifications where resolved_at is not null and erased_at is null';
const PLAN_AGAIN = 'update client_retention set planned_by = null, planned_after = null';
/** Stored by the job itself after a jump of the clock: then it erases and plans nothing. */
const PAUSED = {
  sqlite:
    'update retention_runs set last_run_at = unixepoch() * 1000, paused_until = (unixepoch() + 72000) * 1000',
  postgres: "update retention_runs set last_run_at = now(), paused_until = now() + interval '20 hours'",
};
const RUNNING = 'update retention_runs set paused_until = null';

/** @param {Kind} kind @param {{ short: boolean, say: (line: string) => void }} options */
export async function benchRetention(kind, { short, say }) {
  const extent = short ? SHORT : FULL;
  const { atOnce, stepSeconds } = extent;
  const job = await openBesideJob(kind, extent, { due: DUE, done: ERASED, say });
  const { ask, run, call } = job;
  const figures = await job.compare(
    { statement: PAUSED[kind], env: KEEP_NOTHING },
    { statement: RUNNING, env: KEEP_NOTHING },
  );
  if (figures.done.includes(0)) throw new Error('nothing was erased in a round');

  say(`${atOnce} due at once …`);
  await ask(RUNNING);
  await ask(PLAN_AGAIN);
  const before = await ask(ERASED);
  const left = Math.min(atOnce, await ask(DUE));
  const program = await run(KEEP_NOTHING);
  const startedAt = performance.now();
  /** @type {number[]} */
  const megabytes = [];
  /** @type {number[]} */
  const milliseconds = [];
  while ((await ask(ERASED)) - before < left) {
    milliseconds.push(...(await call(program.port, stepSeconds)).milliseconds);
    megabytes.push(residentMegabytes(program.pid)?.now ?? 0);
  }
  const tookSeconds = (performance.now() - startedAt) / 1000;
  await program.stop();
  await job.stop();
  return { ...figures, last: { erased: left, seconds: tookSeconds, megabytes, ...timesOf(milliseconds) } };
}
