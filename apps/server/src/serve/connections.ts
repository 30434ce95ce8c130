import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Connection {
  /** Responses begun or waiting for their turn. */
  underWay: number;
  /** The newest exchange, whether or not it is over. */
  latest: Exchange | undefined;
}

/** What each open connection of a server is busy with. */
export type Connections = ReadonlyMap<Socket, Readonly<Connection>>;

/** Starts to watch. To be called before the server has any other listener for requests. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { underWay: 0, latest: undefined });
    socket.once('close', () => connections.delete(socket));
  });

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.latest = { request, response };
    connection.underWay++;
    response.once('close', () => connection.underWay--);
  });

  return connections;
}
