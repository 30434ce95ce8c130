import type { BackendKey } from './cancel-request.ts';
import { requestCancel } from './cancel-request.ts';
import { type Connection, connectOnce } from './connect-once.ts';
import { isConnectionLost } from './faults.ts';
import type { Value } from './statement.ts';
import type { Target } from './target.ts';

/** What the database answered: rows as arrays, in the order of the columns, and how many rows were concerned. */
export type Rows = readonly (readonly unknown[])[] & { readonly count: number };

/** One statement on its way, and who waits for it. */
export interface Query {
  readonly text: string;
  readonly parameters: Value[];
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

export interface LaneOptions<Q extends Query> {
  readonly target: Target;
  readonly applicationName: string;
  readonly isNamed: boolean;
  /** An answer came, of whichever kind, and there is room for another query. */
  onAnswer(lane: Lane<Q>): void;
  /** The connection is gone, with these under way; `error` says why. */
  onLost(lane: Lane<Q>, underWay: readonly Q[], error: unknown): void;
}

/** One connection with the queries under way on it: several at once, answered in the order they were sent. */
export interface Lane<Q extends Query> {
  /** False until the server has answered for the first time. */
  readonly isOpen: boolean;
  readonly load: number;
  /** When it was made, by `performance.now()`. */
  readonly since: number;
  send(query: Q): void;
  /** The query took too long: the server is asked to stop it, and if nothing moves then, the connection is dropped. */
  overdue(query: Q): void;
  end(): Promise<void>;
}

/** How long a cancelled statement may take to stop. */
const GRACE_MS = 500;

export function createLane<Q extends Query>(options: LaneOptions<Q>): Lane<Q> {
  const { target, applicationName, isNamed, onAnswer, onLost } = options;
  const underWay: { query: Q; backend: () => BackendKey | null; isOverdue: boolean }[] = [];
  const since = performance.now();
  let isOpen = false;
  let isLost = false;
  let answers = 0;
  let grace: NodeJS.Timeout | undefined;

  const connection: Connection = connectOnce({
    target,
    applicationName,
    onLost: () => lose(Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' })),
  });

  const lane: Lane<Q> = {
    get isOpen() {
      return isOpen;
    },
    get load() {
      return underWay.length;
    },
    since,
    send,
    overdue,
    async end() {
      isLost = true;
      clearTimeout(grace);
      await connection.end();
    },
  };
  return lane;

  function send(query: Q): void {
    const sent = connection.sql
      .unsafe(query.text, query.parameters, { prepare: isNamed, simple: false } as { prepare: boolean })
      .values();
    const backend = () => (sent as unknown as { state: BackendKey | null }).state;
    underWay.push({ query, backend, isOverdue: false });
    sent.then(
      (rows) => {
        if (answered(query)) query.resolve(rows);
      },
      (error: unknown) => {
        if (isConnectionLost(error)) lose(error);
        else if (answered(query)) query.reject(error);
      },
    );
  }

  function answered(query: Q): boolean {
    if (isLost) return false;
    const index = underWay.findIndex((one) => one.query === query);
    if (index === -1) return false;
    underWay.splice(index, 1);
    isOpen = true;
    answers += 1;
    onAnswer(lane);
    return true;
  }

  function overdue(query: Q): void {
    const late = underWay.find((one) => one.query === query);
    if (late === undefined) return;
    late.isOverdue = true;
    if (grace === undefined) watch();
  }

  /** Until none of those under way is overdue, or nothing moves any more. */
  function watch(): void {
    const [first] = underWay;
    const backend = first?.isOverdue ? first.backend() : null;
    if (backend !== null) requestCancel(target, backend);
    const before = answers;
    grace = setTimeout(() => {
      grace = undefined;
      if (answers === before) lose(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' }));
      else if (underWay.some(({ isOverdue }) => isOverdue)) watch();
    }, GRACE_MS);
  }

  /** Those under way are told here, and not by postgres.js, so that none can be forgotten. */
  function lose(error: unknown): void {
    if (isLost) return;
    isLost = true;
    clearTimeout(grace);
    connection.destroy();
    onLost(
      lane,
      underWay.splice(0).map(({ query }) => query),
      error,
    );
  }
}
