import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { start, stop } from '../children.mjs';

/**
 * @typedef {object} Attack
 * @property {number} port
 * @property {string} origin
 * @property {readonly { cookie: string, path: string }[]} senders sessions of the attackers, with the page they upload on
 * @property {number} atOnce uploads of each sender
 * @property {readonly Uint8Array[]} pictures sent in turn
 */

const program = fileURLToPath(new URL('./process.mjs', import.meta.url));

/** Starts the process that uploads pictures without pause, apart from the one that measures. */
export function startAttackers() {
  const child = start([program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the attackers ended with ${code}`)),
  );
  // A running attack reports this rejection; between attacks it is ignored.
  ended.catch(() => undefined);

  return {
    pid: /** @type {number} */ (child.pid),
    /** @param {Attack} attack */
    begin: (attack) => void child.send(attack),
    /** @returns {Promise<{ sent: number, accepted: number }>} */
    async end() {
      const answered = once(child, 'message');
      child.send('end');
      const [counts] = await Promise.race([answered, ended]);
      return counts;
    },
    stop: () => stop(child, 'SIGTERM'),
  };
}
