// Handles a request from start to end in one function.
import { hash } from 'node:crypto';
import {
  ANONYMOUS_REQUESTS,
  isKey,
  isSubscribed,
  limitsOf,
  MINUTE_MS,
  may,
  NOTE_USE_MS,
  refusalOf,
} from '../reference/access.mjs';
import { refuse } from '../reference/answer.mjs';
import {
  answerCreated,
  answerVerification,
  refuseDuplicate,
  refuseLimit,
  refusePermission,
  refuseRate,
} from '../reference/answers.mjs';
import { createLinks } from '../reference/link.mjs';
import { newId } from '../reference/new-id.mjs';
import { receiveCreation } from '../reference/receive-creation.mjs';

const PATH = '/api/v1/verifications';

/**
 * @param {ReturnType<typeof import('./database.mjs').openDatabase>} database
 * @param {{ secret: Uint8Array, publicBaseUrl: string }} options
 * @returns {import('node:http').RequestListener}
 */
export function createHandler(database, options) {
  const linkOf = createLinks(options);
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

  return (request, response) => {
    const now = Date.now();
    const { method, url = '', headers } = request;
    const presented = headers['x-api-key'];
    const key = isKey(presented) ? database.key(hash('sha256', presented)) : undefined;
    const refusal = refusalOf(key, presented, now);

    if (key === undefined || refusal !== null) {
      const rate = count(`address:${request.socket.remoteAddress}`, ANONYMOUS_REQUESTS, now);
      if (!rate.allowed || refusal === null) return refuseRate(response, rate);
      return refuse(response, rate, 401, ...refusal);
    }
    if (now - (key.last_used_at ?? 0) >= NOTE_USE_MS) database.noteUse(key.client_id, key.id, now);

    const subscribed = isSubscribed(key, now);
    const limits = limitsOf(key, subscribed);
    const rate = count(`client:${key.client_id}`, limits.requests, now);
    if (!rate.allowed) return refuseRate(response, rate);
    /** @type {string[]} */
    const permissions = JSON.parse(key.permissions);

    if (method === 'GET' && url.startsWith(`${PATH}/`)) {
      if (!may(permissions, 'verifications:read')) return refusePermission(response, rate);
      const row = database.verification(key.client_id, decodeURIComponent(url.slice(PATH.length + 1)));
      if (row === undefined)
        return refuse(response, rate, 404, 'VERIFICATION_NOT_FOUND', 'Verification not found. Check its id.');
      return answerVerification(response, rate, row, {
        answers: JSON.parse(row.answers),
        metadata: JSON.parse(row.metadata),
        link: linkOf(row.id, row.link_version),
      });
    }

    if (method === 'POST' && url === PATH) {
      if (!may(permissions, 'verifications:create')) return refusePermission(response, rate);
      return receiveCreation(
        request,
        response,
        rate,
        subscribed,
        ({ subjectType, subjectReference, metadata }) => {
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
          database.create(creation, (outcome) => {
            if (outcome === 'duplicate') {
              return refuseDuplicate(response, rate, database.activeOf(key.client_id, subjectReference));
            }
            if (outcome === 'limit_reached') return refuseLimit(response, rate);
            return answerCreated(response, rate, { ...creation, link: linkOf(id, 1) });
          });
        },
      );
    }

    return refuse(response, rate, 404, 'NOT_FOUND', 'Nothing exists at this path. Check the path.');
  };
}
