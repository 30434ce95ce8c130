import { unavailable } from '../../connection/faults.ts';

/** An item of a batch, and the callbacks for its result. Only the first call of either counts. */
export interface Entry<Item, Result> {
  readonly item: Item;
  /** Whether its caller has a result. An entry that is not sent yet must not be sent any more then. */
  readonly isSettled: boolean;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** An entry of the next batch. */
interface WaitingEntry<Item, Result> extends Entry<Item, Result> {
  /** Size of the item, in characters. */
  readonly size: number;
  /** Time by `performance.now()` after which the item is refused. */
  readonly deadline: number;
}

export interface QueuesOptions<Item, Result> {
  /** Items of one key never run beside each other. */
  keyOf(item: Item): string;
  /** Size of an item in a batch, in characters. */
  sizeOf(item: Item): number;
  /**
   * Runs a batch of items in order of arrival, and settles each. If it rejects, so do the items that it has not settled.
   */
  run(batch: readonly Entry<Item, Result>[]): Promise<void>;
  /** Maximum time from the arrival of an item that has to wait to its result, in ms. */
  readonly deadlineMs: number;
}

/** Runs items of one key in batches, one batch after the other. */
export interface Queues<Item, Result> {
  /**
   * Runs the item: immediately and alone if no batch of its key is running, else in the next batch.
   * @throws CountersignError `SERVICE_UNAVAILABLE` if too many items wait, or if it waits until its deadline
   */
  add(item: Item): Promise<Result>;
  /** Number of items that wait, over all keys. */
  waiting(): number;
}

/** Maximum number of items in a batch. */
const BATCH = 128;
/** Maximum size of a batch of several items, in characters. */
const BATCH_SIZE = 1_048_576;
/** Maximum number of items that wait, over all keys. Further ones are refused immediately. */
const CROWD = 2_000;

export function createQueues<Item, Result>(options: QueuesOptions<Item, Result>): Queues<Item, Result> {
  const { keyOf, sizeOf, run, deadlineMs } = options;
  /** The waiting entries of each key that has a running batch. */
  const queues = new Map<string, WaitingEntry<Item, Result>[]>();
  let waiting = 0;

  function add(item: Item): Promise<Result> {
    const key = keyOf(item);
    const queue = queues.get(key);
    if (queue === undefined) {
      queues.set(key, []);
      return new Promise((resolve, reject) => void runBatch(key, [entryOf(item, resolve, reject)]));
    }
    if (waiting >= CROWD) return Promise.reject(unavailable('Too many creations wait for the database'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const index = queue.indexOf(entry);
        if (index !== -1) {
          queue.splice(index, 1);
          waiting -= 1;
        }
        entry.reject(tooLate());
      }, deadlineMs);
      const entry = Object.assign(
        entryOf(item, resolve, reject, () => clearTimeout(timer)),
        { size: sizeOf(item), deadline: performance.now() + deadlineMs },
      );
      queue.push(entry);
      waiting += 1;
    });
  }

  async function runBatch(key: string, batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      await run(batch);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
    const next = takeBatch(key);
    if (next.length === 0) queues.delete(key);
    else void runBatch(key, next);
  }

  function takeBatch(key: string): readonly Entry<Item, Result>[] {
    const queue = queues.get(key) ?? [];
    refuseOverdue(queue);
    let count = 0;
    let size = 0;
    for (const entry of queue.slice(0, BATCH)) {
      size += entry.size;
      if (count > 0 && size > BATCH_SIZE) break;
      count += 1;
    }
    waiting -= count;
    return queue.splice(0, count);
  }

  /** Refuses the entries whose deadline has passed although their timers have not fired yet. */
  function refuseOverdue(queue: WaitingEntry<Item, Result>[]): void {
    const now = performance.now();
    const inTime = queue.findIndex(({ deadline }) => deadline > now);
    const overdue = queue.splice(0, inTime === -1 ? queue.length : inTime);
    waiting -= overdue.length;
    for (const entry of overdue) entry.reject(tooLate());
  }

  function tooLate(): Error {
    return unavailable(`The database did not answer within ${deadlineMs} ms`);
  }

  return { add, waiting: () => waiting };
}

function entryOf<Item, Result>(
  item: Item,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
  whenSettled: () => void = () => undefined,
): Entry<Item, Result> {
  let isSettled = false;
  const once =
    <T>(settle: (value: T) => void) =>
    (value: T): void => {
      if (isSettled) return;
      isSettled = true;
      whenSettled();
      settle(value);
    };
  return {
    item,
    get isSettled() {
      return isSettled;
    },
    resolve: once(resolve),
    reject: once(reject),
  };
}
