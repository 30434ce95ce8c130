/** Waits for a turn: immediately if nothing else has taken one in this iteration of the event loop. */
export type Turn = () => Promise<void>;

/**
 * Gives one turn in each iteration of the event loop, first come, first served. A page costs milliseconds of processor
 * time. When many pages are requested at once, each waits for those before it, but other work, such as a call of the
 * API, waits for one part of one page only.
 */
export function createTurns(): Turn {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function nextIteration(): void {
    const begin = waiting.shift();
    isTaken = begin !== undefined;
    if (begin === undefined) return;
    setImmediate(nextIteration);
    begin();
  }

  return () => {
    if (isTaken) return new Promise((resolve) => waiting.push(resolve));
    isTaken = true;
    setImmediate(nextIteration);
    return Promise.resolve();
  };
}
