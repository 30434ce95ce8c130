import { once } from 'node:events';
import { request } from 'node:http';

/** @typedef {{ status: number | undefined, headers: string[][], body: any, text: string }} Answer */

/**
 * Sends one request on a new connection.
 * @param {number} port
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {{ method?: string, body?: string }} [more]
 * @returns {Promise<Answer>}
 */
export async function send(port, path, headers, { body, method = body === undefined ? 'GET' : 'POST' } = {}) {
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) text += chunk;
  /** @type {string[]} */
  const raw = response.rawHeaders;
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
  return { status: response.statusCode, headers: pairs, body: JSON.parse(text), text };
}
