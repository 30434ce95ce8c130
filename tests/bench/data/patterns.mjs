// Documents of verifications in every state, made by the core itself: each row of a large database carries a copy.
import { createSecretKey, randomBytes } from 'node:crypto';
import { built } from '../core.mjs';

/**
 * @typedef {'kyc' | 'kyb'} Type
 * @typedef {'pending' | 'submitted' | 'action_needed' | 'approved' | 'rejected'} Status
 *
 * @typedef {object} Pattern
 * @property {number} currentStep
 * @property {number} version
 * @property {object} answers
 * @property {object} reviewData
 *
 * @typedef {Readonly<Record<Type, Readonly<Record<Status, Pattern>>>>} Patterns
 */

/** Drives a verification of each type into each state, in memory. @returns {Promise<Patterns>} */
export async function makePatterns() {
  const { createCountersign } = await built('domain');
  const { createMemoryEvidenceStore, createMemoryRateLimiter, createMemoryStorage, createTrustingIntake } =
    await built('memory');
  const { createNodeSecrets, createSystemClock, createUuidIds } = await built('runtime');
  const clock = createSystemClock();
  const storage = createMemoryStorage();
  const countersign = createCountersign(
    {
      storage,
      evidence: { store: createMemoryEvidenceStore({ now: clock.now }), intake: createTrustingIntake() },
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createUuidIds(),
      secrets: createNodeSecrets([randomBytes(32)]),
    },
    { publicBaseUrl: 'https://verify.example' },
  );
  const { test } = await countersign.clients.create({ name: 'Patterns', plan: 'enterprise' });
  const { value } = await countersign.apiKeys.issue(test.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(value);

  /** @param {Type} subjectType @param {string} sandboxOutcome @param {number} moves of the sandbox @returns {Promise<Pattern>} */
  async function pattern(subjectType, sandboxOutcome, moves) {
    const request = {
      subjectType,
      subjectReference: randomBytes(8).toString('hex'),
      metadata: { sandboxOutcome },
    };
    const { verification } = await countersign.verifications.create(principal, request);
    for (let move = 0; move < moves; move += 1) await countersign.sandbox.drive();
    return storage.verifications.find(test.id, verification.id);
  }
  /** @param {Type} type */
  const ofType = async (type) => ({
    approved: await pattern(type, 'approved', 2),
    rejected: await pattern(type, 'rejected', 2),
    action_needed: await pattern(type, 'action_needed', 2),
    submitted: await pattern(type, 'approved', 1),
    pending: await pattern(type, 'approved', 0),
  });
  return { kyc: await ofType('kyc'), kyb: await ofType('kyb') };
}

/**
 * Returns what seals the documents of a row as the server with this secret does.
 * @param {string} secret in hexadecimal
 */
export async function createSeal(secret) {
  const { createKeyRing } = await built('sealing');
  const { sealValue } = await built('sealing', 'sealed-value');
  const ring = createKeyRing([Buffer.from(secret, 'hex')]);
  // One data key for all rows, wrapped for each: a new one for each would only cost time here.
  const dataKey = randomBytes(32);
  const key = createSecretKey(dataKey);
  const none = { answers: '{}', reviewData: '{}', dataKey: null, wrappedBy: null };

  /** @param {Pattern} pattern @param {{ clientId: string, verificationId: string }} context */
  return async function seal({ answers, reviewData }, context) {
    if (Object.keys(answers).length + Object.keys(reviewData).length === 0) return none;
    const { wrapped, wrappedBy } = await ring.wrap(dataKey, context);
    return {
      answers: JSON.stringify(sealValue(answers, 'answers', context, key)),
      reviewData: JSON.stringify(sealValue(reviewData, 'reviewData', context, key)),
      dataKey: /** @type {string} */ (wrapped),
      wrappedBy: /** @type {string} */ (wrappedBy),
    };
  };
}
