import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** Responses begun or waiting for their turn. */
  readonly underWay: number;
  /** The response to the newest request, whether or not it is over; `req` is the request. */
  readonly latest: ServerResponse | undefined;
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

/**
 * Responses are dropped when the next one begins and all before it are over, which the last of them tells: they end
 * in their order. To listen for the end of each would cost every request.
 */
function createConnection(): TrackedConnection {
  const responses: ServerResponse[] = [];

  return {
    add(response) {
      if (responses.at(-1)?.closed) responses.length = 0;
      responses.push(response);
    },
    get underWay() {
      return responses.filter(({ closed }) => !closed).length;
    },
    get latest() {
      return responses.at(-1);
    },
  };
}
