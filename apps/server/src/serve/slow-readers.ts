import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';

/** How long a client may take for what was written in one piece: the parts of downloads have 1 MiB, pages and other responses less. */
const READER_TIMEOUT_MS = 30_000;

const CHECK_EVERY_MS = 1_000;

/** How much was written to a connection when it began to wait for the client, and when that was. */
interface Wait {
  readonly bytesWritten: number;
  readonly since: number;
}

/**
 * Closes connections whose clients read too slowly. The socket's own timeout begins again with each byte that the client takes, so a slow
 * client would hold a download for hours. Checks the connections once a second.
 */
export function endSlowReaders(server: Server, connections: Connections): void {
  const waits = new WeakMap<Socket, Wait>();

  function check(): void {
    const now = performance.now();
    for (const socket of connections.keys()) {
      const { bytesWritten, writableLength } = socket;
      const wait = waits.get(socket);
      if (writableLength === 0) waits.delete(socket);
      else if (wait?.bytesWritten !== bytesWritten) waits.set(socket, { bytesWritten, since: now });
      else if (now - wait.since >= READER_TIMEOUT_MS) socket.destroy();
    }
  }

  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  server.once('close', () => clearInterval(timer));
}
