// The statements of a request, hand-written for PostgreSQL. Each runs in its own transaction.
import { createPool } from './driver.mjs';

/**
 * @typedef {object} Creation
 * @property {string} clientId
 * @property {string} keyId
 * @property {string} id
 * @property {string} eventId
 * @property {string} type
 * @property {string} subjectReference
 * @property {object} metadata
 * @property {number} now
 * @property {number} allowance
 *
 * @typedef {'created' | 'duplicate' | 'limit_reached'} Outcome
 * @typedef {import('./driver.mjs').Row} Row
 */

const LINK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const WINDOW_SECONDS = 60;
/** Connections for the storage and for the rate limit, as many as the server opens. */
const CONNECTIONS = { storage: 10, counting: 2 };
const prepare = { prepare: true };

const KEY = `
  select k.id, k.client_id, k.permissions, k.expires_at, k.revoked_at, k.last_used_at,
         s.plan, s.status, s.monthly_limit, s.starts_at, s.ends_at
  from api_keys k left join subscriptions s on s.client_id = k.client_id where k.hash = $1`;

const USED = 'update api_keys set last_used_at = $1 where client_id = $2 and id = $3';

const VERIFICATION = `
  select id, type, subject_reference, status, requested_at, resolved_at, current_step, link_version, answers, metadata
  from verifications where client_id = $1 and id = $2`;

const ACTIVE = `
  select id, status from verifications
  where client_id = $1 and subject_reference = $2 and status in ('pending', 'submitted', 'action_needed')`;

/** Counts requests in an unlogged table by the database's clock, as the server does for several instances. */
const COUNT = `
  insert into rate_limit_windows as held (bucket, count, ends_at)
  values ($1, 1, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $2::integer))
  on conflict (bucket) do update set
    count = case when held.ends_at <= excluded.ends_at - make_interval(secs => $2::integer)
      then 1 else held.count + 1 end,
    ends_at = case when held.ends_at <= excluded.ends_at - make_interval(secs => $2::integer)
      then excluded.ends_at else held.ends_at end
  returning count, ends_at`;

/** Creates a verification, charges the quota and records the event atomically. */
const CREATE = `
  with inserted as (
    insert into verifications (client_id, id, type, subject_reference, status, requested_at, resolved_at, current_step,
      version, link_version, link_expires_at, idempotency_key, idempotency_fingerprint, metadata, answers, review_data,
      flow_version, event_count)
    values ($1, $2, $3, $4, 'pending', $5, null, 0, 1, 1, $6, null, null, $7, '{}', '{}', 2, 1)
    returning client_id
  ), charged as (
    insert into usage (client_id, month, used, allowance) select client_id, $8::text, 1, $9::integer from inserted
    on conflict (client_id, month) do update set used = usage.used + 1, allowance = excluded.allowance
  )
  insert into verification_events (client_id, id, verification_id, version, type, status, at, actor_kind, actor_id,
    data, available_at, lease_token, attempts, delivered_at, unsent)
  select client_id, $10, $2, 1, 'verification.created', 'pending', $5, 'api_key', $11, $12, $5, null, 0, null, true
  from inserted`;

/** @param {string} url */
export function openDatabase(url) {
  const pool = createPool(url, CONNECTIONS.storage);
  const counting = createPool(url, CONNECTIONS.counting);

  return {
    /** @param {Buffer} hash @returns {Promise<Row | undefined>} */
    key: async (hash) => (await pool.unsafe(KEY, [hash], prepare))[0],

    /** @param {string} clientId @param {string} keyId @param {number} now */
    noteUse: (clientId, keyId, now) => pool.unsafe(USED, [new Date(now), clientId, keyId], prepare),

    /**
     * Counts one request.
     * @param {string} bucket
     * @param {number} limit
     */
    async count(bucket, limit) {
      const [row] = await counting.unsafe(COUNT, [bucket, WINDOW_SECONDS], prepare);
      const { count, ends_at } = /** @type {Row} */ (row);
      const resetAt = ends_at.getTime();
      return { limit, remaining: Math.max(0, limit - count), resetAt, allowed: count <= limit };
    },

    /** @param {string} clientId @param {string} id @returns {Promise<Row | undefined>} */
    verification: async (clientId, id) => (await pool.unsafe(VERIFICATION, [clientId, id], prepare))[0],

    /** @param {string} clientId @param {string} subjectReference @returns {Promise<Row | undefined>} */
    activeOf: async (clientId, subjectReference) =>
      (await pool.unsafe(ACTIVE, [clientId, subjectReference], prepare))[0],

    /**
     * Creates a verification and resolves once it is durable.
     * @param {Creation} creation
     * @returns {Promise<Outcome>}
     */
    async create({ clientId, keyId, id, eventId, type, subjectReference, metadata, now, allowance }) {
      const at = new Date(now);
      const month = at.toISOString().slice(0, 7);
      const verification = [clientId, id, type, subjectReference, at, new Date(now + LINK_LIFETIME_MS), metadata];
      try {
        await pool.unsafe(CREATE, [...verification, month, allowance, eventId, keyId, { type }], prepare);
        return 'created';
      } catch (error) {
        const { constraint_name: violated } = /** @type {{ constraint_name?: string }} */ (error);
        if (violated === 'verifications_one_active') return 'duplicate';
        if (violated === 'usage_within_allowance') return 'limit_reached';
        throw error;
      }
    },
  };
}
