import type { Clock } from '../runtime.ts';
import type { HandOverRepository } from './hand-over-repository.ts';

const AT_ONCE = 500;
/** Longer than the clocks of several servers differ. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/** Creates the operation that deletes every code. @returns how many it deleted */
export function createEndHandOvers(ports: {
  handOvers: Pick<HandOverRepository, 'forget'>;
  clock: Clock;
}): () => Promise<number> {
  const { handOvers, clock } = ports;
  return async () => {
    const before = new Date(clock.now().getTime() + AHEAD_MS);
    let all = 0;
    for (let deleted = AT_ONCE; deleted === AT_ONCE; all += deleted) {
      deleted = await handOvers.forget({ before, limit: AT_ONCE });
    }
    return all;
  };
}
