import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** Responses that are not finished, oldest first. `req` of each is its request. */
  readonly unfinished: readonly ServerResponse[];
  /** The response to the newest request, finished or not. */
  readonly latest: ServerResponse | undefined;
  /** True after a request that followed a closing response. Such a request is ignored (RFC 9112, section 9.6). */
  readonly isEnding: boolean;
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

/** Finished responses are dropped when the next one begins: a listener for each end would cost every request. */
function createConnection(): TrackedConnection {
  const responses: ServerResponse[] = [];
  let isEnding = false;

  return {
    add(response) {
      isEnding ||= responses.at(-1)?.shouldKeepAlive === false;
      if (isEnding) return;
      while (responses[0]?.closed) responses.shift();
      responses.push(response);
    },
    get unfinished() {
      return responses.filter(({ closed }) => !closed);
    },
    get latest() {
      return responses.at(-1);
    },
    get isEnding() {
      return isEnding;
    },
  };
}
