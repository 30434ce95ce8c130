// Measures the API while the data of verifications is erased: a server whose job is paused and one that erases take turns on one
// database. Then a server erases until enough is erased, while its memory is watched.
import { asking } from './ask.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { median, timesOf } from './rounds.mjs';
import { residentMegabytes } from './usage.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {import('./rounds.mjs').Times} Times
 * @typedef {Awaited<ReturnType<typeof benchRetention>>} RetentionFigures
 *
 * @typedef {object} RetentionExtent
 * @property {number} rows verifications, of which most are decided
 * @property {number} due how many at least are due at once
 * @property {number} rounds
 * @property {number} seconds of each half of a round
 * @property {number} warmUpSeconds
 * @property {number} atOnce how many the last server erases while its memory is watched
 * @property {number} stepSeconds between two looks at the memory
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

const CALLS = { connections: 4, perSecond: 200 };
const DAYS = 400;

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
  const { rows, due: atLeast, rounds, seconds, warmUpSeconds, atOnce, stepSeconds } = short ? SHORT : FULL;
  const loader = startLoader();
  const wanted = { sizes: [rows], others: 200, days: DAYS, staff: false };
  const { setup, installations, stop } = await makeInstallations(kind, wanted, { loader, say });
  const { server, place, run } = /** @type {import('./installations.mjs').Installation} */ (installations[0]);
  await server.stop();
  const ask = asking(kind, place);
  const due = await ask(DUE);
  if (due < atLeast) throw new Error(`expected ${atLeast} decided verifications, made ${due}`);

  /** @param {number} port @param {number} duration */
  const call = (port, duration) =>
    loader.run({
      port,
      keys: [setup.otherKey],
      seconds: duration,
      requests: 0,
      connections: CALLS.connections,
      kind: { name: 'call', targets: setup.others, perSecond: CALLS.perSecond },
    });
  /** @param {string} job @returns {Promise<Times & { erased: number }>} */
  async function half(job) {
    await ask(job);
    const before = await ask(ERASED);
    const program = await run(KEEP_NOTHING);
    await call(program.port, warmUpSeconds);
    const { milliseconds } = await call(program.port, seconds);
    await program.stop();
    return { ...timesOf(milliseconds), erased: (await ask(ERASED)) - before };
  }

  /** @type {{ calm: Times, loaded: Times }[]} */
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds} …`);
    // Each goes first as often as the other.
    const jobs = round % 2 === 0 ? [PAUSED[kind], RUNNING] : [RUNNING, PAUSED[kind]];
    const halves = [await half(/** @type {string} */ (jobs[0])), await half(/** @type {string} */ (jobs[1]))];
    const [calm, loaded] = /** @type {(Times & { erased: number })[]} */ (
      round % 2 === 0 ? halves : halves.toReversed()
    );
    if (calm === undefined || loaded === undefined) throw new Error('a round has two halves');
    if (calm.erased > 0) throw new Error('data was erased in a calm round');
    if (loaded.erased === 0) throw new Error('nothing was erased in a round');
    measured.push({ calm, loaded });
  }

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
  await loader.stop();
  await stop();
  const middle = (/** @type {(each: typeof measured[number]) => number} */ of) => median(measured.map(of));
  return {
    kind,
    rows,
    due,
    perSecond: CALLS.perSecond,
    calm: { p50: middle(({ calm }) => calm.p50), p99: middle(({ calm }) => calm.p99) },
    loaded: { p50: middle(({ loaded }) => loaded.p50), p99: middle(({ loaded }) => loaded.p99) },
    ratios: measured.map(({ calm, loaded }) => loaded.p99 / calm.p99),
    last: { erased: left, seconds: tookSeconds, megabytes, ...timesOf(milliseconds) },
  };
}
