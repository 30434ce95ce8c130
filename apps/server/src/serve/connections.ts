import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** Responses that are not finished, oldest first. `req` of each is its request. */
  readonly unfinished: readonly ServerResponse[];
  /** The response to the newest request, unless it was released. */
  readonly latest: ServerResponse | undefined;
  /** True after a request that followed a closing response. Such a request is ignored (RFC 9112, section 9.6). */
  readonly isEnding: boolean;
  /**
   * Forgets a response that is written completely, to a complete request. If idle connections kept their last responses, each
   * collection of young objects would copy all of them.
   */
  release(response: ServerResponse): void;
}

/** The state of each open connection of a server. */
export type Connections = ReadonlyMap<Socket, Connection>;

/** Tracks the connections of a server. Call it before adding any other listener for requests. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, TrackedConnection>();

  server.on('connection', (socket: Socket) => {
    connections.set(socket, createConnection());
    socket.once('close', () => connections.delete(socket));
  });

  server.on('request', (request, response) => connections.get(request.socket)?.add(response));

  return connections;
}

interface TrackedConnection extends Connection {
  add(response: ServerResponse): void;
}

/**
 * Finished responses that were not released are dropped when the next one begins: a listener for each end would cost every
 * request. Nearly always the latest response is the only one.
 */
function createConnection(): TrackedConnection {
  let earlier: readonly ServerResponse[] = NONE;
  let latest: ServerResponse | undefined;
  let isEnding = false;

  return {
    add(response) {
      isEnding ||= latest?.shouldKeepAlive === false;
      if (isEnding) return;
      if (latest?.closed === false) earlier = [...earlier, latest].filter(isUnfinished);
      else if (earlier.length > 0) earlier = earlier.filter(isUnfinished);
      latest = response;
    },
    release(response) {
      if (response !== latest || !isWritten(response) || !response.req.complete) return;
      isEnding ||= !response.shouldKeepAlive;
      latest = undefined;
    },
    get unfinished() {
      return (latest === undefined ? earlier : [...earlier, latest]).filter(isUnfinished);
    },
    get latest() {
      return latest;
    },
    get isEnding() {
      return isEnding;
    },
  };
}

const NONE: readonly ServerResponse[] = [];

/** Whether the system has all of the response. `writableFinished` says so only later. */
function isWritten({ writableEnded, writableLength }: ServerResponse): boolean {
  return writableEnded && writableLength === 0;
}

function isUnfinished({ closed }: ServerResponse): boolean {
  return !closed;
}
