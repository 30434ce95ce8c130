import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { LOCALHOST_PEM } from '@countersign/test-support/servers/localhost-certificate';
import { onTestFinished } from 'vitest';

/** A webhook as a receiver got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  /** Connections open now. */
  openConnections(): number;
}

export interface HttpReceiver extends Receiver {
  readonly received: Received[];
}

/** Starts a receiver for one test. It keeps what it received and lets `respond` respond. */
export async function startReceiver(
  respond: (received: Received, response: Parameters<RequestListener>[1]) => void = (_, response) =>
    void response.writeHead(204).end(),
  { tls = false } = {},
): Promise<HttpReceiver> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      respond(one, response);
    });
  };
  const server = tls
    ? https.createServer({ key: LOCALHOST_PEM, cert: LOCALHOST_PEM }, listener)
    : http.createServer(listener);
  return { received, ...(await listen(server)) };
}

/** Starts a receiver that responds to each connection with raw bytes, once a request has come. */
export async function startRawReceiver(respond: (socket: Socket) => void): Promise<Receiver> {
  return await listen(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => respond(socket));
    }),
  );
}

async function listen(server: Server): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  // Of both IP versions, so that a form of either loopback address would be accepted.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => accepted, openConnections: () => sockets.size };
}
