// Measures what the queues of creations cost a creation that meets no other: the storage beside its own statement without them.
import { randomBytes, randomUUID } from 'node:crypto';
import { median } from './rounds.mjs';

/**
 * @typedef {{ queued: number, direct: number }} LoneFigures microseconds of a creation, p50
 */

const WARM_UP = 200;
const ORDER = /** @type {const} */ (['queued', 'direct']);
const FAR_OFF_MS = 30 * 24 * 60 * 60 * 1000;

/** Imports a module of the storage's build, which the measured server runs too. @param {string} path @returns {Promise<any>} */
const built = (path) => import(new URL(`../../packages/storage-postgres/dist/${path}`, import.meta.url).href);

/**
 * Creates one verification after the other, in turns with and without queues, in a database that has a client.
 * @param {string} url
 * @param {number} creations of each
 * @returns {Promise<LoneFigures>}
 */
export async function measureLone(url, creations) {
  const { createPostgresStorage } = await built('index.js');
  const { createSession } = await built('connection/session.js');
  const { targetOf } = await built('connection/connect-once.js');
  const { createOne } = await built('repositories/creation/one-creation.js');
  const storage = await createPostgresStorage({ url, poolSize: 1 });
  const session = createSession({
    target: targetOf(url),
    applicationName: 'countersign',
    size: 1,
    isNamed: true,
    deadlineMs: 5_000,
  });
  const [{ client }] = await storage.clients.list();

  const ways = {
    queued: (/** @type {object} */ request) => storage.verifications.createCharged(request),
    direct: (/** @type {object} */ request) =>
      session.operation((/** @type {object} */ runs) => createOne(runs, request)),
  };
  const times = { queued: /** @type {number[]} */ ([]), direct: /** @type {number[]} */ ([]) };
  for (let n = 0; n < WARM_UP + creations; n += 1) {
    // Each goes first as often as the other.
    for (const name of n % 2 === 0 ? ORDER : ORDER.toReversed()) {
      const request = requestOf(client.id);
      const start = performance.now();
      const { outcome } = await ways[name](request);
      const took = performance.now() - start;
      if (outcome !== 'created') throw new Error(`expected a new verification, got ${outcome}`);
      if (n >= WARM_UP) times[name].push(took * 1_000);
    }
  }
  await session.close();
  await storage.close();
  return { queued: median(times.queued), direct: median(times.direct) };
}

/** @param {string} clientId */
function requestOf(clientId) {
  const now = new Date();
  const id = randomUUID();
  const record = {
    clientId,
    id,
    type: 'kyc',
    subjectReference: `lone-${randomBytes(8).toString('hex')}`,
    status: 'pending',
    requestedAt: now,
    resolvedAt: null,
    currentStep: 0,
    version: 1,
    linkVersion: 1,
    linkExpiresAt: new Date(now.getTime() + FAR_OFF_MS),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    metadata: { source: 'checkout', tier: 2, tags: ['new', 'web'] },
    answers: {},
    reviewData: {},
    submittedAt: null,
    claimedBy: null,
    claimedAt: null,
    dataKey: null,
    returnUrl: null,
    locale: null,
    notify: null,
    warnings: null,
    severity: null,
    isResubmitted: false,
    relationshipEndedAt: null,
    heldAt: null,
    heldBy: null,
    heldUntil: null,
    erasureRequestedAt: null,
    erasedAt: null,
    erasureNumber: null,
    retentionCheckAt: null,
    uploadsCheckAt: null,
    sandboxOutcome: null,
    flowVersion: 2,
    eventCount: 1,
  };
  const event = {
    clientId,
    id: randomUUID(),
    verificationId: id,
    version: 1,
    type: 'verification.created',
    status: 'pending',
    at: now,
    actor: { kind: 'api_key', id: null },
    data: { type: 'kyc' },
  };
  return { record, event, month: now.toISOString().slice(0, 7), allowance: 2_000_000_000 };
}
