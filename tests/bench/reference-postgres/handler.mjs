// Handles a request from start to end in one function.
import { hash } from 'node:crypto';
import {
  ANONYMOUS_REQUESTS,
  isKey,
  isSubscribed,
  limitsOf,
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
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param {ReturnType<typeof import('./database.mjs').openDatabase>} database
 * @param {{ secret: Uint8Array, publicBaseUrl: string }} options
 * @returns {import('node:http').RequestListener}
 */
export function createHandler(database, options) {
  const linkOf = createLinks(options);

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function handle(request, response) {
    const now = Date.now();
    const { method, url = '', headers } = request;
    const presented = headers['x-api-key'];
    const key = isKey(presented) ? await database.key(hash('sha256', presented, 'buffer')) : undefined;
    const refusal = refusalOf(key, presented, now);

    if (key === undefined || refusal !== null) {
      const rate = await database.count(`address:${request.socket.remoteAddress}`, ANONYMOUS_REQUESTS);
      if (!rate.allowed || refusal === null) return refuseRate(response, rate);
      return refuse(response, rate, 401, ...refusal);
    }
    // Not awaited: the response does not depend on it.
    if (now - (key.last_used_at ?? 0) >= NOTE_USE_MS) database.noteUse(key.client_id, key.id, now).catch(report);

    const subscribed = isSubscribed(key, now);
    const limits = limitsOf(key, subscribed);
    const rate = await database.count(`client:${key.client_id}`, limits.requests);
    if (!rate.allowed) return refuseRate(response, rate);

    if (method === 'GET' && url.startsWith(`${PATH}/`)) {
      if (!may(key.permissions, 'verifications:read')) return refusePermission(response, rate);
      const id = decodeURIComponent(url.slice(PATH.length + 1));
      const row = ID.test(id) ? await database.verification(key.client_id, id) : undefined;
      if (row === undefined)
        return refuse(response, rate, 404, 'VERIFICATION_NOT_FOUND', 'Verification not found. Check its id.');
      const { answers, metadata } = row;
      return answerVerification(response, rate, row, {
        answers,
        metadata,
        link: linkOf(row.id, row.link_version),
      });
    }

    if (method === 'POST' && url === PATH) {
      if (!may(key.permissions, 'verifications:create')) return refusePermission(response, rate);
      return receiveCreation(request, response, rate, subscribed, (body) => {
        const { subjectType, subjectReference, metadata } = body;
        const id = newId();
        const creation = {
          clientId: key.client_id,
          keyId: key.id,
          id,
          eventId: newId(),
          type: subjectType,
          subjectReference,
          metadata,
          now,
          allowance: key.monthly_limit ?? limits.monthly,
        };
        create(response, rate, creation).catch((error) => fail(response, error));
      });
    }

    return refuse(response, rate, 404, 'NOT_FOUND', 'Nothing exists at this path. Check the path.');
  }

  /**
   * @param {import('node:http').ServerResponse} response
   * @param {import('../reference/answer.mjs').Rate} rate
   * @param {import('./database.mjs').Creation} creation
   */
  async function create(response, rate, creation) {
    const { clientId, subjectReference } = creation;
    const outcome = await database.create(creation);
    if (outcome === 'duplicate') {
      return refuseDuplicate(response, rate, await database.activeOf(clientId, subjectReference));
    }
    if (outcome === 'limit_reached') return refuseLimit(response, rate);
    return answerCreated(response, rate, { ...creation, link: linkOf(creation.id, 1) });
  }

  return (request, response) => {
    handle(request, response).catch((error) => fail(response, error));
  };
}

/** @param {import('node:http').ServerResponse} response @param {unknown} error */
function fail(response, error) {
  report(error);
  response.destroy();
}

/** @param {unknown} error */
function report(error) {
  console.error(error);
}
