// One request, from the first line to the last.
import { createHmac, createSecretKey, hash } from 'node:crypto';
import { answer, refuse } from './answer.mjs';
import { creationIn } from './body.mjs';
import { newId } from './driver.mjs';

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

const PATH = '/api/v1/verifications';
const MINUTE_MS = 60_000;
const NOTE_USE_MS = 5 * MINUTE_MS;
const BODY_MAX_BYTES = 64 * 1024;
const KEY = /^csk_[0-9a-f]{64}$/;
const LIMITS = { standard: { requests: 1e9, monthly: 1000 }, enterprise: { requests: 1e9, monthly: 10_000 } };
const ANONYMOUS_REQUESTS = 1e9;

/**
 * @param {ReturnType<typeof import('./database.mjs').openDatabase>} database
 * @param {{ secret: Uint8Array, publicBaseUrl: string }} options
 */
export function createHandler(database, { secret, publicBaseUrl }) {
  const secretKey = createSecretKey(secret);
  /** @type {Map<string, { count: number, resetAt: number }>} */
  const windows = new Map();

  /** @param {string} bucket @param {number} limit @param {number} now */
  function count(bucket, limit, now) {
    let window = windows.get(bucket);
    if (window === undefined || window.resetAt <= now) {
      window = { count: 0, resetAt: now + MINUTE_MS };
      windows.set(bucket, window);
    }
    window.count++;
    return {
      limit,
      remaining: Math.max(0, limit - window.count),
      resetAt: window.resetAt,
      allowed: window.count <= limit,
    };
  }

  /** @param {string} id @param {number} version */
  function linkOf(id, version) {
    const token = createHmac('sha256', secretKey).update(`${id}.${version}`).digest('base64url');
    return `${publicBaseUrl}/verify/${id}.${token}`;
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  return (request, response) => {
    const now = Date.now();
    const { method, url = '', headers } = request;
    const presented = /** @type {string | undefined} */ (headers['x-api-key']);
    const key =
      presented !== undefined && KEY.test(presented) ? database.key(hash('sha256', presented)) : undefined;

    if (key === undefined || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) {
      const rate = count(`address:${request.socket.remoteAddress}`, ANONYMOUS_REQUESTS, now);
      if (!rate.allowed) return refuse(response, rate, 429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded');
      if (!presented) {
        const message = 'API key is required. Provide it in X-API-Key header.';
        return refuse(response, rate, 401, 'API_KEY_REQUIRED', message);
      }
      if (key === undefined) return refuse(response, rate, 401, 'INVALID_API_KEY', 'Invalid API key');
      if (key.revoked_at !== null)
        return refuse(response, rate, 401, 'API_KEY_REVOKED', 'API key has been revoked');
      return refuse(response, rate, 401, 'API_KEY_EXPIRED', 'API key has expired');
    }
    if (now - (key.last_used_at ?? 0) >= NOTE_USE_MS) database.noteUse(key.client_id, key.id, now);

    const subscribed =
      key.status === 'active' && key.starts_at <= now && (key.ends_at === null || now < key.ends_at);
    const limits = LIMITS[/** @type {keyof typeof LIMITS} */ (subscribed ? key.plan : 'standard')];
    const rate = count(`client:${key.client_id}`, limits.requests, now);
    if (!rate.allowed) return refuse(response, rate, 429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded');

    /** @type {string[]} */
    const permissions = JSON.parse(key.permissions);
    /** @param {string} needed */
    const may = (needed) => permissions.includes('*') || permissions.includes(needed);

    if (method === 'GET' && url.startsWith(`${PATH}/`)) {
      if (!may('verifications:read'))
        return refuse(response, rate, 403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions');
      const row = database.verification(key.client_id, decodeURIComponent(url.slice(PATH.length + 1)));
      if (row === undefined)
        return refuse(response, rate, 404, 'VERIFICATION_NOT_FOUND', 'Verification not found');
      /** @type {Record<string, unknown>} */
      const submittedData = {};
      const { steps = {} } = JSON.parse(row.answers);
      for (const step in steps) submittedData[step] = steps[step].answers;
      const data = {
        id: row.id,
        type: row.type,
        subjectReference: row.subject_reference,
        status: row.status,
        requestedAt: new Date(row.requested_at),
        resolvedAt: row.resolved_at === null ? null : new Date(row.resolved_at),
        currentStep: row.current_step,
        verificationUrl: linkOf(row.id, row.link_version),
        submittedData,
        metadata: JSON.parse(row.metadata),
      };
      return answer(response, rate, 200, JSON.stringify({ success: true, data }));
    }

    if (method === 'POST' && url === PATH) {
      if (!may('verifications:create'))
        return refuse(response, rate, 403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions');
      if (!/^application\/json(; *charset=utf-?8)?$/i.test(headers['content-type'] ?? '')) {
        return refuse(response, rate, 415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8');
      }
      /** @type {Buffer[]} */
      const chunks = [];
      let size = 0;
      request.on('data', (chunk) => {
        size += chunk.length;
        if (size <= BODY_MAX_BYTES) chunks.push(chunk);
      });
      request.on('end', () => {
        if (size > BODY_MAX_BYTES)
          return refuse(response, rate, 413, 'PAYLOAD_TOO_LARGE', 'The body is too large');
        const body = creationIn(chunks.length === 1 ? /** @type {Buffer} */ (chunks[0]) : Buffer.concat(chunks));
        if ('code' in body) return refuse(response, rate, 400, body.code, body.message);
        if (!subscribed) {
          return refuse(response, rate, 403, 'NO_ACTIVE_SUBSCRIPTION', 'The client has no active subscription');
        }
        const { subjectType, subjectReference, metadata } = body;
        const id = newId();
        const creation = {
          clientId: key.client_id,
          keyId: key.id,
          id,
          eventId: newId(),
          type: subjectType,
          subjectReference,
          metadata: JSON.stringify(metadata),
          now,
          allowance: key.monthly_limit ?? limits.monthly,
        };
        return database.create(creation, (outcome) => {
          if (outcome === 'duplicate') {
            const earlier = database.activeOf(key.client_id, subjectReference);
            const message = 'An active verification already exists for this subjectReference';
            return refuse(response, rate, 409, 'DUPLICATE_SUBJECT_REFERENCE', message, {
              verificationId: earlier?.id,
              status: earlier?.status,
            });
          }
          if (outcome === 'limit_reached') {
            return refuse(response, rate, 403, 'LIMIT_EXCEEDED', 'The monthly verification limit is reached');
          }
          const data = {
            id,
            type: subjectType,
            subjectReference,
            status: 'pending',
            requestedAt: new Date(now),
            currentStep: 0,
            verificationUrl: linkOf(id, 1),
          };
          const text = JSON.stringify({ success: true, data, message: 'Verification created' });
          return answer(response, rate, 201, text, 'Location', `verifications/${id}`);
        });
      });
      return;
    }

    return refuse(response, rate, 404, 'NOT_FOUND', 'Not found');
  };
}
