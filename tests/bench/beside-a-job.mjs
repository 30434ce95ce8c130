// Measures the API beside a job: a server whose job rests and one whose job works take turns on one database.
import { asking } from './ask.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { median, timesOf } from './rounds.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {import('./rounds.mjs').Times} Times
 * @typedef {Awaited<ReturnType<typeof openBesideJob>>} BesideJob
 *
 * @typedef {object} JobExtent
 * @property {number} rows verifications
 * @property {number} due how many at least the job finds
 * @property {number} rounds
 * @property {number} seconds of each half of a round
 * @property {number} warmUpSeconds
 *
 * @typedef {object} Half
 * @property {string} [statement] before the server starts
 * @property {Record<string, string>} env of the server
 * @property {readonly string[]} [command] of the program, beside the server
 */

const CALLS = { connections: 4, perSecond: 200 };
const DAYS = 400;

/**
 * Makes the database, without a server on it.
 * @param {Kind} kind
 * @param {JobExtent} extent
 * @param {{ prepare?: string, due: string, done: string, say: (line: string) => void }} statements `prepare` changes the rows;
 *   `due` and `done` count what the job will do and has done
 */
export async function openBesideJob(kind, { rows, due: atLeast, rounds, seconds, warmUpSeconds }, statements) {
  const { prepare, done, say } = statements;
  const loader = startLoader();
  const wanted = { sizes: [rows], others: 200, days: DAYS, staff: false };
  const { setup, installations, stop } = await makeInstallations(kind, wanted, { loader, say });
  const { server, place, run, begin } = /** @type {import('./installations.mjs').Installation} */ (
    installations[0]
  );
  await server.stop();
  const ask = asking(kind, place);
  if (prepare !== undefined) await ask(prepare);
  const due = await ask(statements.due);
  if (due < atLeast) throw new Error(`expected ${atLeast} verifications for the job, made ${due}`);

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

  /** @param {Half} options @returns {Promise<Times & { done: number }>} */
  async function half({ statement, env, command }) {
    if (statement !== undefined) await ask(statement);
    const before = await ask(done);
    const program = await run(env);
    const job = command === undefined ? undefined : begin(...command);
    await call(program.port, warmUpSeconds);
    const { milliseconds } = await call(program.port, seconds);
    await job?.stop();
    await program.stop();
    return { ...timesOf(milliseconds), done: (await ask(done)) - before };
  }

  return {
    ask,
    run,
    begin,
    call,
    /** Measures both in turns. Each goes first as often as the other. @param {Half} resting @param {Half} working */
    async compare(resting, working) {
      /** @type {{ calm: Times, loaded: Times, done: number }[]} */
      const measured = [];
      for (let round = 0; round < rounds; round += 1) {
        say(`round ${round + 1} of ${rounds} …`);
        const first = await half(round % 2 === 0 ? resting : working);
        const second = await half(round % 2 === 0 ? working : resting);
        const [calm, loaded] = round % 2 === 0 ? [first, second] : [second, first];
        if (calm.done > 0) throw new Error('the job worked in a calm round');
        measured.push({ calm, loaded, done: loaded.done });
      }
      const middle = (/** @type {(each: typeof measured[number]) => number} */ of) => median(measured.map(of));
      return {
        kind,
        rows,
        due,
        perSecond: CALLS.perSecond,
        done: measured.map((each) => each.done),
        calm: { p50: middle(({ calm }) => calm.p50), p99: middle(({ calm }) => calm.p99) },
        loaded: { p50: middle(({ loaded }) => loaded.p50), p99: middle(({ loaded }) => loaded.p99) },
        ratios: measured.map(({ calm, loaded }) => loaded.p99 / calm.p99),
      };
    },
    async stop() {
      await loader.stop();
      await stop();
    },
  };
}
