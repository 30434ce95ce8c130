import net from 'node:net';
import { type Connection, connectOnce, type Target } from './connect-once.ts';
import { isConnectionLost } from './faults.ts';
import type { DescribedRows, Value } from './rows.ts';

/** A statement that was sent, and the callbacks for its result. */
export interface Query {
  readonly text: string;
  readonly parameters: Value[];
  readonly resolve: (rows: DescribedRows) => void;
  readonly reject: (error: unknown) => void;
}

export interface PooledConnectionOptions<Q extends Query> {
  readonly target: Target;
  readonly applicationName: string;
  readonly isNamed: boolean;
  /** Called after each answer: the connection has room for another query. */
  onAnswer(pooled: PooledConnection<Q>): void;
  /** Called when the connection is lost, with the unanswered queries and the reason. */
  onLost(pooled: PooledConnection<Q>, underWay: readonly Q[], error: unknown): void;
}

/** A connection of the pool. It pipelines queries: several are sent at once and answered in order. */
export interface PooledConnection<Q extends Query> {
  /** False until the server has answered for the first time. */
  readonly isOpen: boolean;
  readonly load: number;
  /** Time of creation, by `performance.now()`. */
  readonly since: number;
  send(query: Q): void;
  /** Cancels a query that passed its deadline; drops the connection if the server does not react. */
  overdue(query: Q): void;
  end(): Promise<void>;
}

/** Time for a cancelled statement to stop, in ms. */
const GRACE_MS = 500;

export function createPooledConnection<Q extends Query>(options: PooledConnectionOptions<Q>): PooledConnection<Q> {
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

  const pooled: PooledConnection<Q> = {
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
  return pooled;

  function send(query: Q): void {
    const sent = connection.sql
      .unsafe(query.text, query.parameters, { prepare: isNamed, simple: false } as { prepare: boolean })
      .values();
    const backend = () => (sent as unknown as { state: BackendKey | null }).state;
    underWay.push({ query, backend, isOverdue: false });
    sent.then(
      (rows) => {
        // postgres.js has null where the server reports no number, against its types.
        if (answered(query)) query.resolve(Object.assign(rows, { count: rows.count ?? 0 }));
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
    onAnswer(pooled);
    return true;
  }

  function overdue(query: Q): void {
    const late = underWay.find((one) => one.query === query);
    if (late === undefined) return;
    late.isOverdue = true;
    if (grace === undefined) watch();
  }

  /** Repeats until no query is overdue, or the server does not answer any more. */
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

  /** Reports the unanswered queries here instead of relying on postgres.js, so that none is forgotten. */
  function lose(error: unknown): void {
    if (isLost) return;
    isLost = true;
    clearTimeout(grace);
    connection.destroy();
    onLost(
      pooled,
      underWay.splice(0).map(({ query }) => query),
      error,
    );
  }
}

/** Identifies a backend in a cancel request. */
export interface BackendKey {
  readonly pid: number | null;
  readonly secret: number | null;
}

const CANCEL_REQUEST = 80_877_102;
const GIVE_UP_MS = 2_000;

/**
 * Asks the server to cancel the backend's statement (PostgreSQL's frontend protocol, CancelRequest). The server does not
 * answer. postgres.js's own `cancel` must not be used: with an unreachable server it
 * rejects a promise without a handler, and cancelling a pipelined query shifts the answers of those behind it.
 */
function requestCancel({ host, port }: Target, { pid, secret }: BackendKey): void {
  if (pid === null || secret === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeUInt32BE(pid, 8);
  message.writeUInt32BE(secret, 12);
  const socket = net.connect({ host, port, timeout: GIVE_UP_MS });
  // A server that does not take the request gets no second one: its connection is dropped a moment later.
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  socket.end(message);
}
