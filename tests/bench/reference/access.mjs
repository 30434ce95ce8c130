// Authentication, permissions and limits, as far as a reference program needs them.

/**
 * A key and its client's subscription. Times are numbers or dates, comparable with milliseconds.
 * @typedef {Record<string, any>} KeyRow
 */

export const MINUTE_MS = 60_000;
export const NOTE_USE_MS = 5 * MINUTE_MS;
/** Requests a minute without a valid key. */
export const ANONYMOUS_REQUESTS = 1e9;

const KEY = /^csk_[0-9a-f]{64}$/;
const LIMITS = { standard: { requests: 1e9, monthly: 1000 }, enterprise: { requests: 1e9, monthly: 10_000 } };

/** @param {string | string[] | undefined} presented @returns {presented is string} */
export const isKey = (presented) => typeof presented === 'string' && KEY.test(presented);

/**
 * Returns why a key is refused, or null if it is valid.
 * @param {KeyRow | undefined} key
 * @param {string | string[] | undefined} presented
 * @param {number} now
 * @returns {[code: string, message: string] | null}
 */
export function refusalOf(key, presented, now) {
  if (key === undefined) {
    if (presented) return ['INVALID_API_KEY', 'Invalid API key'];
    return ['API_KEY_REQUIRED', 'API key is required. Provide it in X-API-Key header.'];
  }
  if (key.revoked_at !== null) return ['API_KEY_REVOKED', 'API key has been revoked'];
  if (key.expires_at !== null && key.expires_at <= now) return ['API_KEY_EXPIRED', 'API key has expired'];
  return null;
}

/** @param {KeyRow} key @param {number} now */
export function isSubscribed(key, now) {
  return key.status === 'active' && key.starts_at <= now && (key.ends_at === null || now < key.ends_at);
}

/** @param {KeyRow} key @param {boolean} subscribed */
export function limitsOf(key, subscribed) {
  return LIMITS[/** @type {keyof typeof LIMITS} */ (subscribed ? key.plan : 'standard')];
}

/** @param {readonly string[]} permissions @param {string} needed */
export function may(permissions, needed) {
  return permissions.includes('*') || permissions.includes(needed);
}
