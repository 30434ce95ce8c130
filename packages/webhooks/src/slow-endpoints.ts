/** The most endpoints that are remembered as slow. The one that was noted longest ago is forgotten first. */
const MOST_REMEMBERED = 2_000;

/** Remembers by id which endpoints respond slowly or not at all, and which of them had their turn. */
export interface SlowEndpoints {
  add(id: string): void;
  delete(id: string): void;
  has(id: string): boolean;
  all(): readonly string[];
  /** Whether there are more than may be leased at once, so that they take turns. */
  isCrowded(): boolean;
  /** Counts the turn of an endpoint, if it is slow. */
  noteServed(id: string): void;
  servedInThisRound(): readonly string[];
  /** Gives every endpoint another turn. */
  beginRound(): void;
}

/** @param atOnce how many slow endpoints may be leased at once */
export function createSlowEndpoints(atOnce: number): SlowEndpoints {
  const slow = new Set<string>();
  const served = new Set<string>();

  function remove(id: string): void {
    slow.delete(id);
    served.delete(id);
  }

  return {
    add(id) {
      if (slow.has(id)) return;
      slow.add(id);
      const [oldest] = slow.size > MOST_REMEMBERED ? slow : [];
      if (oldest !== undefined) remove(oldest);
    },
    delete: remove,
    has: (id) => slow.has(id),
    all: () => [...slow],
    isCrowded: () => slow.size > atOnce,
    noteServed(id) {
      if (slow.has(id)) served.add(id);
    },
    servedInThisRound: () => [...served],
    beginRound: () => served.clear(),
  };
}
