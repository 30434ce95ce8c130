// The rows of a large database: skewed, spread over days, each with documents of its own state.
import { randomUUID } from 'node:crypto';

/**
 * @typedef {import('./patterns.mjs').Type} Type
 * @typedef {import('./patterns.mjs').Status} Status
 *
 * @typedef {object} Wanted
 * @property {number} count of verifications
 * @property {readonly string[]} clientIds that have them in turn
 * @property {number} days over which they are spread
 * @property {boolean} everyFilter whether each client gets a full page for every filter
 * @property {boolean} [isWaiting] whether all wait for a reviewer
 *
 * @typedef {object} MadeRow by the columns of `verifications`; moments are milliseconds since 1970
 * @property {string} client_id
 * @property {string} id
 * @property {Type} type
 * @property {Status} status
 * @property {string} subject_reference
 * @property {number} requested_at
 * @property {number | null} submitted_at
 * @property {number | null} resolved_at
 * @property {number} link_expires_at
 * @property {number} current_step
 * @property {number} version
 * @property {number} event_count
 * @property {string} answers
 * @property {string} review_data
 * @property {string | null} data_key
 * @property {string | null} data_key_wrapped_by
 */

/** Of a thousand verifications. */
const STATUSES = /** @type {const} */ ([
  ['action_needed', 1],
  ['submitted', 100],
  ['pending', 149],
  ['rejected', 150],
  ['approved', 600],
]);
/** Of a thousand verifications. */
const BUSINESSES = 10;

export const RARE_STATUS = 'action_needed';
export const COMMON_STATUS = 'approved';
export const RARE_TYPE = 'kyb';
/** A subject who was verified many times. */
export const RETURNING_SUBJECT = 'returning-subject';

/** The first rows of a client with all filters: so that the smallest data has a full page of each of them too. */
const FIRST_ROWS = /** @type {const} */ ([
  { status: RARE_STATUS, type: RARE_TYPE },
  { status: COMMON_STATUS, type: RARE_TYPE },
  { status: COMMON_STATUS, type: 'kyc', subjectReference: RETURNING_SUBJECT },
]);
const ROWS_OF_EACH = 25;

const DAY_MS = 24 * 60 * 60 * 1000;
const LINK_DAYS = 30;

/**
 * Returns numbers from 0 up to 1, the same for the same seed (Mulberry32).
 * @param {number} seed
 */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {() => number} random @returns {string} as unlikely to repeat as a UUID's half */
function reference(random) {
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return half() + half();
}

/** @param {number} share from 0 up to 1 @returns {Status} */
function statusAt(share) {
  let below = 0;
  for (const [status, mille] of STATUSES) {
    below += mille;
    if (share * 1000 < below) return status;
  }
  return COMMON_STATUS;
}

/**
 * Gives a copy of the pattern a person and a document of its own, as each of many verifications has.
 * @template {{ answers: object }} Pattern
 * @param {Pattern} pattern
 * @param {string} id
 * @returns {Pattern}
 */
function ownOf(pattern, id) {
  const own = id.slice(0, 8).toUpperCase();
  const text = JSON.stringify(pattern.answers)
    .replaceAll('SANDBOX000', own)
    .replaceAll('"Sample"', `"Sample ${own}"`);
  return { ...pattern, answers: JSON.parse(text) };
}

/**
 * Makes rows until there are enough, in the order of their numbers.
 * @param {Wanted} wanted
 * @param {{ patterns: import('./patterns.mjs').Patterns, seal: Awaited<ReturnType<typeof import('./patterns.mjs').createSeal>>, now: number }} given
 * @returns {AsyncGenerator<MadeRow>}
 */
export async function* makeRows({ count, clientIds, days, everyFilter, isWaiting }, { patterns, seal, now }) {
  const random = randomFrom(1);
  for (let number = 0; number < count; number += 1) {
    const ofClient = Math.floor(number / clientIds.length);
    const drawn = {
      status: isWaiting ? 'submitted' : statusAt(random()),
      type: random() * 1000 < BUSINESSES ? RARE_TYPE : 'kyc',
    };
    const first = everyFilter ? FIRST_ROWS[Math.floor(ofClient / ROWS_OF_EACH)] : undefined;
    const {
      status,
      type,
      subjectReference = reference(random),
    } = /** @type {{ status: Status, type: Type, subjectReference?: string }} */ (first ?? drawn);
    const requestedAt = Math.floor(now - random() * days * DAY_MS);
    const submittedAt = Math.min(now, requestedAt + Math.floor(random() * DAY_MS));
    const resolvedAt = Math.min(now, submittedAt + Math.floor(random() * 5 * DAY_MS));
    const clientId = /** @type {string} */ (clientIds[number % clientIds.length]);
    const id = randomUUID();
    const pattern = patterns[type][status];
    const sealed = await seal(ownOf(pattern, id), { clientId, verificationId: id });
    yield {
      client_id: clientId,
      id,
      type,
      status,
      subject_reference: subjectReference,
      requested_at: requestedAt,
      submitted_at: status === 'pending' ? null : submittedAt,
      resolved_at: status === 'approved' || status === 'rejected' ? resolvedAt : null,
      // Links of open verifications were renewed today, so that none expires meanwhile.
      link_expires_at: now + LINK_DAYS * DAY_MS,
      current_step: pattern.currentStep,
      version: pattern.version,
      event_count: 1,
      answers: sealed.answers,
      review_data: sealed.reviewData,
      data_key: sealed.dataKey,
      data_key_wrapped_by: sealed.wrappedBy,
    };
  }
}
