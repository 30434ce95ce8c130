import type { Lane, Query } from './lane.ts';

/** Look-ups that begin in the same turn of the event loop, on one connection. */
export interface Gathering<Q extends Query> {
  /** The connection that the next one goes to; null if there is none yet, or no more room on it. */
  lane(): Lane<Q> | null;
  /** The next ones follow onto this connection, which has nothing else to do. */
  begin(lane: Lane<Q>): void;
  /** The next ones must not follow onto this connection. */
  leave(lane: Lane<Q>): void;
}

/**
 * What is sent in one turn leaves as one message, wakes one process of the database and comes back as one message: 32
 * requests at once that look up a verification then cost a quarter less CPU here, and a quarter less there (measured
 * on two cores). Only for statements that take as long as their way there and back: one waits for those before it.
 */
export function createGathering<Q extends Query>(room: number): Gathering<Q> {
  let current: Lane<Q> | null = null;

  return {
    lane: () => (current?.isOpen && current.load < room ? current : null),
    begin(lane) {
      if (current === null) setImmediate(() => (current = null));
      current = lane;
    },
    leave(lane) {
      if (current === lane) current = null;
    },
  };
}
