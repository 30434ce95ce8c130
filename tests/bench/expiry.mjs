// Measures the API while abandoned verifications expire: a server that expires none and one that expires them take turns on
// one database.
import { openBesideJob } from './beside-a-job.mjs';

/** @typedef {Awaited<ReturnType<typeof benchExpiry>>} ExpiryFigures */

/** A server expires up to 50 a second. @type {import('./beside-a-job.mjs').JobExtent} */
const FULL = { rows: 160_000, due: 20_000, rounds: 10, seconds: 40, warmUpSeconds: 2 };
/** @type {import('./beside-a-job.mjs').JobExtent} */
const SHORT = { rows: 600, due: 50, rounds: 1, seconds: 0.5, warmUpSeconds: 0.1 };

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

/** @param {import('./installations.mjs').Kind} kind @param {{ short: boolean, say: (line: string) => void }} options */
export async function benchExpiry(kind, { short, say }) {
  const statements = { prepare: ABANDON[kind], due: DUE[kind], done: EXPIRED, say };
  const job = await openBesideJob(kind, short ? SHORT : FULL, statements);
  const figures = await job.compare({ env: { EXPIRE_AFTER_DAYS: '0' } }, { env: { EXPIRE_AFTER_DAYS: '30' } });
  await job.stop();
  return { ...figures, expired: figures.done.reduce((sum, done) => sum + done, 0) };
}
