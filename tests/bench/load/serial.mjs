// Sends requests one after the other from this process and measures each response.
import { openLane, sendOnce } from './lane.mjs';

/**
 * @typedef {object} Serial
 * @property {(path: string, headers: Readonly<Record<string, string>>) => Promise<number>} time returns the milliseconds
 *   until the response has arrived; any status but 200 is an error
 * @property {(path: string, headers: Readonly<Record<string, string>>) => Promise<string>} read returns the body
 * @property {() => void} close
 */

/** Less than servers keep an idle connection: Node's default is 5 seconds. */
const IDLE_MS = 1_000;

/**
 * Opens a connection, and another one after each pause.
 * @param {number} port on 127.0.0.1
 * @returns {Promise<Serial>}
 */
export async function openSerial(port) {
  let lane = await openLane(port);
  let lastUsed = performance.now();

  async function openAgainAfterPause() {
    if (performance.now() - lastUsed < IDLE_MS) return;
    lane.close();
    lane = await openLane(port);
  }

  /** @param {string} path @param {Readonly<Record<string, string>>} headers */
  async function send(path, headers) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`);
    await openAgainAfterPause();
    let text = '';
    const milliseconds = await sendOnce(lane, request, (status, body) => {
      text = body();
      if (status !== 200) throw new Error(`${path}: expected 200, got ${status}: ${text.slice(0, 300)}`);
    });
    lastUsed = performance.now();
    return { milliseconds, text };
  }

  return {
    time: async (path, headers) => (await send(path, headers)).milliseconds,
    read: async (path, headers) => (await send(path, headers)).text,
    close: () => lane.close(),
  };
}
