import { CountersignError } from '@countersign/domain';
import { faultOf, isConnectionLost, isRefusedForNow, unavailable, wasNeverSent } from './faults.ts';
import { createGathering } from './gathering.ts';
import { createLane, type Lane, type Query, type Rows } from './lane.ts';
import type { Value } from './statement.ts';
import type { Target } from './target.ts';

export interface PoolOptions {
  readonly target: Target;
  readonly applicationName: string;
  /** Connections at most. */
  readonly size: number;
  /** Whether statements are prepared under names. Without, a connection carries one query at a time. */
  readonly isNamed: boolean;
  /** How long a query may take, the waiting for a connection included. */
  readonly deadlineMs: number;
}

/** A look-up is a read of a few rows by an index. Reads may run twice: one whose connection dies is asked once more. */
export type StatementKind = 'look-up' | 'read' | 'write';

export interface Pool {
  /**
   * Runs one statement. It is in a transaction of its own.
   * @throws CountersignError `SERVICE_UNAVAILABLE` when there is no answer in time, no connection, or a crowd before it
   * @throws PostgresFault for whatever else the server says
   */
  run(text: string, parameters: Value[], kind: StatementKind): Promise<Rows>;
  /** Resolves when nothing waits or runs any more. */
  idle(): Promise<void>;
  /** Lets go of all connections. */
  end(): Promise<void>;
}

interface Waiting extends Query {
  canRepeat: boolean;
  lane: Lane<Waiting> | null;
  /** Its caller was told: it must not begin any more. */
  isSettled: boolean;
}

/** Queries on one connection at once: they are sent before the answers of those before them are there. */
const PIPELINE = 8;
/** Queries that wait for a connection; whoever comes then is told at once. */
const CROWD = 2_000;
/** Pause after a connection that could not be made. */
const RETRY_MS = 250;
/** A connection is replaced after so long, when it is idle: its backend keeps what it has cached. */
const LIFETIME_MS = 45 * 60 * 1000;

/**
 * Connections, made as they are needed. Each is used by several queries at once, since every statement is a transaction
 * of its own. Whatever happens to the server, each query settles by its deadline, and the pool finds back by itself.
 */
export function createPool({ target, applicationName, size, isNamed, deadlineMs }: PoolOptions): Pool {
  const lanes = new Set<Lane<Waiting>>();
  const waiting: Waiting[] = [];
  const pipeline = isNamed ? PIPELINE : 1;
  const gathering = createGathering<Waiting>(pipeline);
  let unsettled = 0;
  const whenIdle: (() => void)[] = [];
  /** Set while the last attempt to connect has failed: when there may be another, one at a time. */
  let retryAt: number | null = null;
  let retry: NodeJS.Timeout | undefined;
  let isOver = false;

  function run(text: string, parameters: Value[], kind: StatementKind): Promise<Rows> {
    if (waiting.length >= CROWD) return Promise.reject(unavailable('Too many queries wait for the database'));
    return new Promise((resolve, reject) => {
      unsettled += 1;
      const timer = setTimeout(() => {
        query.reject(unavailable(`The database did not answer within ${deadlineMs} ms`));
        if (query.lane !== null) query.lane.overdue(query);
        else if (waiting.includes(query)) waiting.splice(waiting.indexOf(query), 1);
      }, deadlineMs);
      const settled = (): boolean => {
        if (query.isSettled) return false;
        query.isSettled = true;
        clearTimeout(timer);
        unsettled -= 1;
        if (unsettled === 0 && whenIdle.length > 0) for (const tell of whenIdle.splice(0)) tell();
        return true;
      };
      const query: Waiting = {
        text,
        parameters,
        canRepeat: kind !== 'write',
        lane: null,
        isSettled: false,
        resolve: (rows) => {
          if (settled()) resolve(rows);
        },
        reject: (error) => {
          if (settled()) reject(explained(error));
        },
      };
      const lane = waiting.length === 0 ? laneFor(kind) : null;
      if (lane === null) waiting.push(query);
      else send(lane, query);
    });
  }

  function send(lane: Lane<Waiting>, query: Waiting): void {
    query.lane = lane;
    lane.send(query);
  }

  function laneFor(kind: StatementKind): Lane<Waiting> | null {
    const gathered = kind === 'look-up' ? gathering.lane() : null;
    if (gathered !== null && lanes.has(gathered)) return gathered;
    const lane = freeLane();
    if (lane === null) return null;
    if (kind === 'look-up' && lane.load === 0) gathering.begin(lane);
    else gathering.leave(lane);
    return lane;
  }

  /** The connection with the least to do, a new one if all have something; null if there is no room. */
  function freeLane(): Lane<Waiting> | null {
    let best: Lane<Waiting> | null = null;
    for (const lane of lanes) {
      if (!lane.isOpen || lane.load >= pipeline || (best !== null && lane.load >= best.load)) continue;
      best = lane;
      if (best.load === 0) break;
    }
    if (best?.load === 0) return best;
    return lanes.size < size && mayConnect() ? open() : best;
  }

  function mayConnect(): boolean {
    if (isOver) return false;
    if (retryAt === null) return true;
    const left = retryAt - performance.now();
    if (left <= 0) return [...lanes].every((lane) => lane.isOpen);
    retry ??= setTimeout(() => {
      retry = undefined;
      pump();
    }, left);
    return false;
  }

  function open(): Lane<Waiting> {
    const lane = createLane<Waiting>({ target, applicationName, isNamed, onAnswer, onLost });
    lanes.add(lane);
    return lane;
  }

  function onAnswer(lane: Lane<Waiting>): void {
    retryAt = null;
    if (lane.load === 0 && performance.now() - lane.since > LIFETIME_MS) {
      lanes.delete(lane);
      void lane.end();
    }
    pump();
  }

  function onLost(lane: Lane<Waiting>, underWay: readonly Waiting[], error: unknown): void {
    lanes.delete(lane);
    if (!lane.isOpen) retryAt = performance.now() + RETRY_MS;
    const hasOthers = [...lanes].some(({ isOpen }) => isOpen);
    for (const query of underWay.toReversed()) {
      query.lane = null;
      // Of a write that was sent nobody knows whether it is done: it is never repeated.
      const again = query.canRepeat || (hasOthers && !lane.isOpen && wasNeverSent(error));
      if (again && !isOver && !query.isSettled) {
        query.canRepeat = false;
        waiting.unshift(query);
      } else query.reject(error);
    }
    // Nobody waits for a database that cannot be reached; the next who comes tries again.
    if (!lane.isOpen && lanes.size === 0) for (const query of waiting.splice(0)) query.reject(error);
    pump();
  }

  function pump(): void {
    while (waiting.length > 0) {
      const lane = freeLane();
      if (lane === null) return;
      const query = waiting.shift();
      if (query !== undefined) send(lane, query);
    }
  }

  return {
    run,
    idle: () => (unsettled === 0 ? Promise.resolve() : new Promise((tell) => whenIdle.push(tell))),
    async end() {
      isOver = true;
      clearTimeout(retry);
      await Promise.all([...lanes].map((lane) => lane.end()));
      lanes.clear();
    },
  };
}

function explained(error: unknown): Error {
  if (error instanceof CountersignError) return error;
  if (isConnectionLost(error)) return unavailable('The connection to the database was lost', error);
  if (isRefusedForNow(error)) return unavailable('The database refuses for now', error);
  return faultOf(error);
}
