// Measures the API while blind indexes are rebuilt: a server alone and one beside `index rebuild` take turns on one database.
// Then one rebuild labels all that is left, at full speed.
import { openBesideJob } from './beside-a-job.mjs';
import { timesOf } from './rounds.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {Awaited<ReturnType<typeof benchRebuild>>} RebuildFigures
 */

/** @type {import('./beside-a-job.mjs').JobExtent} */
const FULL = { rows: 120_000, due: 100_000, rounds: 4, seconds: 15, warmUpSeconds: 3 };
/** @type {import('./beside-a-job.mjs').JobExtent} */
const SHORT = { rows: 400, due: 100, rounds: 1, seconds: 2, warmUpSeconds: 0.1 };

/** How many verifications a round labels at least, so that its figures say something: two pages. */
const FEWEST = 40;

const REBUILD = ['index', 'rebuild'];
const AT_FULL_SPEED = ['--share', '100'];
const LABELLED = 'select count(*) as n from indexed_verifications';
const DUE = `select count(*) as n from verifications where submitted_at is not null and status <> 'action_needed'`;

/** @param {Kind} kind @param {{ short: boolean, say: (line: string) => void }} options */
export async function benchRebuild(kind, { short, say }) {
  const extent = short ? SHORT : FULL;
  const job = await openBesideJob(kind, extent, { due: DUE, done: LABELLED, say });
  const figures = await job.compare({ env: {} }, { env: {}, command: REBUILD });

  say('the rest …');
  const before = await job.ask(LABELLED);
  const program = await job.run({});
  const startedAt = performance.now();
  const rebuild = job.begin(...REBUILD, ...AT_FULL_SPEED);
  let isOver = false;
  const ended = rebuild.ended.finally(() => {
    isOver = true;
  });
  /** @type {number[]} */
  const milliseconds = [];
  while (!isOver) milliseconds.push(...(await job.call(program.port, extent.seconds)).milliseconds);
  await ended;
  const labelled = (await job.ask(LABELLED)) - before;
  const seconds = (performance.now() - startedAt) / 1000;
  await program.stop();
  await job.stop();
  const workingSeconds = extent.warmUpSeconds + extent.seconds;
  return {
    ...figures,
    workingSeconds,
    fewest: short ? 0 : FEWEST,
    last: { labelled, seconds, ...timesOf(milliseconds) },
  };
}
