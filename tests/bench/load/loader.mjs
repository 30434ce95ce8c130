import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { start, stop } from '../children.mjs';

const program = fileURLToPath(new URL('./process.mjs', import.meta.url));

/** Starts the process that sends requests. */
export function startLoader() {
  const child = start([program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the load process ended with ${code}`)),
  );
  // A running round reports this rejection; between rounds it is ignored.
  ended.catch(() => undefined);

  return {
    /**
     * @param {import('./round.mjs').Round} round
     * @returns {Promise<import('./round.mjs').RoundResult>}
     */
    async run(round) {
      const answered = once(child, 'message');
      child.send(round);
      const [{ result, error }] = await Promise.race([answered, ended]);
      if (error !== undefined) throw new Error(`${round.kind.name} round on port ${round.port}: ${error}`);
      return result;
    },
    stop: () => stop(child, 'SIGTERM'),
  };
}
