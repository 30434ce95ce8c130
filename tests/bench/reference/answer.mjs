// The format of every response of the API.
import { randomUUID } from 'node:crypto';

/**
 * @typedef {import('node:http').ServerResponse} ServerResponse
 * @typedef {{ limit: number, remaining: number, resetAt: number }} Rate
 */

/**
 * Sends a response with the headers common to all.
 * @param {ServerResponse} response
 * @param {Rate} rate
 * @param {number} status
 * @param {string} body JSON
 * @param {string[]} extra one more header: name and value
 */
export function answer(response, rate, status, body, ...extra) {
  response.writeHead(status, [
    'Content-Type',
    'application/json',
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'X-Request-Id',
    randomUUID(),
    'X-RateLimit-Limit',
    String(rate.limit),
    'X-RateLimit-Remaining',
    String(rate.remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(rate.resetAt / 1000)),
    // Without a valid key there is no mode.
    ...(status === 401 ? [] : ['X-Countersign-Mode', 'live']),
    ...extra,
    'Content-Length',
    String(Buffer.byteLength(body)),
  ]);
  response.end(body);
}

/**
 * @param {ServerResponse} response
 * @param {Rate} rate
 * @param {number} status
 * @param {string} code
 * @param {string} error
 * @param {object} [data]
 */
export function refuse(response, rate, status, code, error, data) {
  answer(response, rate, status, JSON.stringify({ success: false, error, code, data }));
}
