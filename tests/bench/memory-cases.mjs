// Measures what cases of tests cost on the storage in memory, each with a new core, a client, a key, and a verification that is read.
import { built } from './core.mjs';
import { reportOf } from './report.mjs';
import { median } from './rounds.mjs';

const FULL = { cases: 3_000, rounds: 5 };
const SHORT = { cases: 30, rounds: 1 };
/** The most that 3,000 cases may take, in seconds of processor time (docs/performance.md). */
const MOST_SECONDS = 1.35;

const BODY = { subjectType: 'kyc', subjectReference: 'user_1' };

/**
 * @param {{ short: boolean, say: (line: string) => void }} options
 * @returns {Promise<import('./benchmarks.mjs').Result>}
 */
export async function benchMemoryCases({ short, say }) {
  const domain = await built('domain');
  const memory = await built('memory');
  const { cases, rounds } = short ? SHORT : FULL;
  /** @type {number[]} */
  const seconds = [];
  // The first round compiles the code.
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'a round to warm up …' : `round ${round} of ${rounds} …`);
    const before = process.cpuUsage();
    for (let each = 0; each < cases; each++) await runCase(domain, memory);
    const { user, system } = process.cpuUsage(before);
    if (round > 0) seconds.push((user + system) / 1e6);
  }
  const middle = median(seconds);
  const all = seconds.map((each) => each.toFixed(2)).join('  ');
  return reportOf(
    [`${cases} cases in memory: ${all} s of processor time`],
    [
      {
        ok: middle <= MOST_SECONDS,
        line: `processor time of ${cases} cases: ${middle.toFixed(2)} s (at most ${MOST_SECONDS})`,
      },
    ],
  );
}

/** @param {any} domain @param {any} memory */
async function runCase(domain, memory) {
  const clock = memory.createFixedClock();
  const ids = memory.createCountingIds();
  const staff = memory.createMemoryStaff({ clock, ids });
  const intake = memory.createTrustingIntake();
  const countersign = domain.createCountersign(
    {
      storage: memory.createMemoryStorage(),
      evidence: { store: memory.createMemoryEvidenceStore({ now: clock.now }), intake },
      sealing: 'none',
      rateLimiter: memory.createMemoryRateLimiter(clock),
      clock,
      ids,
      secrets: memory.createCountingSecrets(),
      staff,
      recipients: staff,
      logos: intake,
    },
    { publicBaseUrl: 'https://verify.example' },
  );
  const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
  const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(value, { countRequest: false });
  const { verification } = await countersign.verifications.create(principal, BODY);
  await countersign.verifications.get(principal, verification.id);
}
