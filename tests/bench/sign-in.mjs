// Measures sign-ins by password on Postgres beside 200 requests a second to the API, and the API beside the sign-ins.
import { randomBytes, scryptSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { asking } from './ask.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { median, timesOf } from './rounds.mjs';
import { PUBLIC_BASE_URL } from './signed-in.mjs';

/**
 * @typedef {import('./rounds.mjs').Times} Times
 * @typedef {Awaited<ReturnType<typeof benchSignIn>>} SignInFigures
 * @typedef {{ calm: Times, loaded: Times, ratios: readonly number[] }} Beside one of both, alone and beside the other
 */

const FULL = { rows: 1_000, others: 200, rounds: 10, seconds: 20, warmUpSeconds: 3 };
const SHORT = { rows: 100, others: 20, rounds: 1, seconds: 0.5, warmUpSeconds: 0.1 };

const CALLS = { connections: 4, perSecond: 200 };
const SIGN_INS_PER_SECOND = 2;
/** Fewer than the right passwords of an account in a quarter of an hour. */
const SIGN_INS_OF_A_USER = 20;
const PASSWORD = 'violet anchor 7 gravel';
/** Sign-ins and calls take turns, then run together. */
const TURNS = 2;

/** @param {{ short: boolean, say: (line: string) => void }} options `say` reports progress */
export async function benchSignIn({ short, say }) {
  const { rows, others, rounds, seconds, warmUpSeconds } = short ? SHORT : FULL;
  const loader = startLoader();
  const wanted = { sizes: [rows], others, days: 30, staff: false };
  const { setup, installations, stop } = await makeInstallations('postgres', wanted, { loader, say });
  const { server, place } = /** @type {import('./installations.mjs').Installation} */ (installations[0]);
  const signIns = (warmUpSeconds + rounds * TURNS * seconds) * SIGN_INS_PER_SECOND;
  const emails = await addUsers(asking('postgres', place), Math.ceil(signIns / SIGN_INS_OF_A_USER));
  let made = 0;

  const call = (/** @type {number} */ forSeconds) =>
    loader.run({
      port: server.port,
      keys: [setup.otherKey],
      seconds: forSeconds,
      requests: 0,
      connections: CALLS.connections,
      kind: { name: 'call', targets: setup.others, perSecond: CALLS.perSecond },
    });

  /** Signs in at a steady rate. @param {number} forSeconds */
  async function signIn(forSeconds) {
    const [start, milliseconds] = [performance.now(), /** @type {number[]} */ ([])];
    for (let n = 0; n < forSeconds * SIGN_INS_PER_SECOND; n += 1) {
      await pause(Math.max(0, start + (n * 1_000) / SIGN_INS_PER_SECOND - performance.now()));
      const email = emails[made++ % emails.length] ?? '';
      const sent = performance.now();
      const { status } = await fetch(`http://127.0.0.1:${server.port}/account/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: PUBLIC_BASE_URL },
        body: new URLSearchParams({ email, password: PASSWORD }),
      });
      milliseconds.push(performance.now() - sent);
      if (status !== 303) throw new Error(`a sign-in was answered with ${status}`);
    }
    return { milliseconds };
  }

  say('warming up …');
  await Promise.all([call(warmUpSeconds), signIn(warmUpSeconds)]);
  /** @type {{ signIn: [calm: Times, loaded: Times], api: [calm: Times, loaded: Times] }[]} */
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds} …`);
    const alone = async () => ({ signedIn: await signIn(seconds), called: await call(seconds) });
    const together = async () => {
      const [signedIn, called] = await Promise.all([signIn(seconds), call(seconds)]);
      return { signedIn, called };
    };
    // Each goes first as often as the other.
    const first = await (round % 2 === 0 ? alone() : together());
    const second = await (round % 2 === 0 ? together() : alone());
    const [calm, loaded] = round % 2 === 0 ? [first, second] : [second, first];
    measured.push({
      signIn: [timesOf(calm.signedIn.milliseconds), timesOf(loaded.signedIn.milliseconds)],
      api: [timesOf(calm.called.milliseconds), timesOf(loaded.called.milliseconds)],
    });
  }
  await loader.stop();
  await stop();
  return {
    perSecond: CALLS.perSecond,
    signInsPerSecond: SIGN_INS_PER_SECOND,
    signIn: beside(measured.map((round) => round.signIn)),
    api: beside(measured.map((round) => round.api)),
  };
}

/** @param {readonly [calm: Times, loaded: Times][]} rounds @returns {Beside} */
function beside(rounds) {
  /** @param {0 | 1} half @returns {Times} */
  const middle = (half) => ({
    p50: median(rounds.map((round) => round[half].p50)),
    p99: median(rounds.map((round) => round[half].p99)),
  });
  return { calm: middle(0), loaded: middle(1), ratios: rounds.map(([calm, loaded]) => loaded.p99 / calm.p99) };
}

/**
 * Adds users with a password, which their links would take minutes to set.
 * @param {(query: string) => Promise<number>} ask
 * @param {number} count
 * @returns {Promise<readonly string[]>} their e-mail addresses
 */
async function addUsers(ask, count) {
  const salt = randomBytes(16).toString('hex');
  const key = scryptSync(PASSWORD, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }).toString('hex');
  const now = new Date().toISOString();
  const emails = Array.from({ length: count }, (_, n) => `reviewer-${n}@bench.example`);
  const rowsOf = (/** @type {(email: string) => string} */ row) => emails.map((email) => `(${row(email)})`).join();
  await ask(`insert into staff_users (id, name, email, role, created_at, updated_at)
    values ${rowsOf((email) => `'${email}', 'Rita', '${email}', 'reviewer', '${now}', '${now}'`)}`);
  await ask(`insert into staff_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    values ${rowsOf((email) => `'${email}', '${email}', '${email}', 'credential', '${salt}:${key}', '${now}', '${now}'`)}`);
  return emails;
}
