// Measures the API while abandoned verifications expire: a server that expires none and one that expires them take turns on
// one database.
import { asking } from './ask.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { median, timesOf } from './rounds.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {import('./rounds.mjs').Times} Times
 * @typedef {Awaited<ReturnType<typeof benchExpiry>>} ExpiryFigures
 *
 * @typedef {object} ExpiryExtent
 * @property {number} rows verifications, some of which are abandoned
 * @property {number} abandoned how many at least
 * @property {number} rounds
 * @property {number} seconds of each half of a round
 * @property {number} warmUpSeconds
 */

/** A server expires up to 50 a second. @type {ExpiryExtent} */
const FULL = { rows: 160_000, abandoned: 20_000, rounds: 10, seconds: 40, warmUpSeconds: 2 };
/** @type {ExpiryExtent} */
const SHORT = { rows: 600, abandoned: 50, rounds: 1, seconds: 0.5, warmUpSeconds: 0.1 };

const CALLS = { connections: 4, perSecond: 200 };
const DAYS = 400;

/** Links of open verifications end 30 days after the request, as if none had been renewed. */
const ABANDON = {
  sqlite: `update verifications set link_expires_at = requested_at + 30 * 86400000
    where status in ('pending', 'action_needed')`,
  postgres: `update verifications set link_expires_at = requested_at + interval '30 days'
    where status in ('pending', 'action_needed')`,
};
const EXPIRED = "select count(*) as n from verification_events where type = 'verification.expired'";
const DUE = {
  sqlite: `select count(*) as n from verifications where status in ('pending', 'action_needed')
    and link_expires_at <= (unixepoch() - 30 * 86400) * 1000`,
  postgres: `select count(*) as n from verifications where status in ('pending', 'action_needed')
    and link_expires_at <= now() - interval '30 days'`,
};

/** @param {Kind} kind @param {{ short: boolean, say: (line: string) => void }} options */
export async function benchExpiry(kind, { short, say }) {
  const { rows, abandoned, rounds, seconds, warmUpSeconds } = short ? SHORT : FULL;
  const loader = startLoader();
  const wanted = { sizes: [rows], others: 200, days: DAYS, staff: false };
  const { setup, installations, stop } = await makeInstallations(kind, wanted, { loader, say });
  const { server, place, run } = /** @type {import('./installations.mjs').Installation} */ (installations[0]);
  await server.stop();
  const ask = asking(kind, place);
  await ask(ABANDON[kind]);
  const due = await ask(DUE[kind]);
  if (due < abandoned) throw new Error(`expected ${abandoned} abandoned verifications, made ${due}`);

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
  /** @param {string} days @returns {Promise<Times & { expired: number }>} */
  async function half(days) {
    const before = await ask(EXPIRED);
    const program = await run({ EXPIRE_AFTER_DAYS: days });
    await call(program.port, warmUpSeconds);
    const { milliseconds } = await call(program.port, seconds);
    await program.stop();
    return { ...timesOf(milliseconds), expired: (await ask(EXPIRED)) - before };
  }

  /** @type {{ calm: Times, loaded: Times, expired: number }[]} */
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds} …`);
    // Each goes first as often as the other.
    const first = round % 2 === 0 ? await half('0') : await half('30');
    const second = round % 2 === 0 ? await half('30') : await half('0');
    const [calm, loaded] = round % 2 === 0 ? [first, second] : [second, first];
    if (calm.expired > 0) throw new Error('verifications expired in a calm round');
    measured.push({ calm, loaded, expired: loaded.expired });
  }
  await loader.stop();
  await stop();
  const middle = (/** @type {(each: typeof measured[number]) => number} */ of) => median(measured.map(of));
  return {
    kind,
    rows,
    due,
    perSecond: CALLS.perSecond,
    expired: measured.reduce((sum, { expired }) => sum + expired, 0),
    calm: { p50: middle(({ calm }) => calm.p50), p99: middle(({ calm }) => calm.p99) },
    loaded: { p50: middle(({ loaded }) => loaded.p50), p99: middle(({ loaded }) => loaded.p99) },
    ratios: measured.map(({ calm, loaded }) => loaded.p99 / calm.p99),
  };
}
