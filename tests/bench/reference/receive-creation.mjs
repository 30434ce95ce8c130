import { refuse } from './answer.mjs';
import { creationIn } from './body.mjs';

const BODY_MAX_BYTES = 64 * 1024;

/**
 * Reads the body of a creation and passes it to `receive`; sends an error response for an invalid one.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {import('./answer.mjs').Rate} rate
 * @param {boolean} subscribed
 * @param {(body: import('./body.mjs').Body) => void} receive
 */
export function receiveCreation(request, response, rate, subscribed, receive) {
  if (!/^application\/json(; *charset=utf-?8)?$/i.test(request.headers['content-type'] ?? '')) {
    refuse(response, rate, 415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8');
    return;
  }
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  request.on('data', (chunk) => {
    size += chunk.length;
    if (size <= BODY_MAX_BYTES) chunks.push(chunk);
  });
  request.on('end', () => {
    if (size > BODY_MAX_BYTES) return refuse(response, rate, 413, 'PAYLOAD_TOO_LARGE', 'The body is too large');
    const body = creationIn(chunks.length === 1 ? /** @type {Buffer} */ (chunks[0]) : Buffer.concat(chunks));
    if ('code' in body) return refuse(response, rate, 400, body.code, body.message);
    if (!subscribed) {
      return refuse(response, rate, 403, 'NO_ACTIVE_SUBSCRIPTION', 'The client has no active subscription');
    }
    return receive(body);
  });
}
