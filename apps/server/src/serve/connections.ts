import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** Responses begun or waiting for their turn, oldest first; `req` of each is its request. */
  readonly underWay: readonly ServerResponse[];
  /** The response to the newest request, whether or not it is over. */
  readonly latest: ServerResponse | undefined;
  /** A request came after one whose answer ends the connection: it is not to be looked at (RFC 9112, section 9.6). */
  readonly isEnding: boolean;
}

/** What each open connection of a server is busy with. */
export type Connections = ReadonlyMap<Socket, Connection>;

/** Starts to watch. To be called before the server has any other listener for requests. */
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

/** Responses that are over are dropped when the next one begins: to listen for the end of each costs every request. */
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
    get underWay() {
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
