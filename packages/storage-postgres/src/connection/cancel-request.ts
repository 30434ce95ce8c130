import net from 'node:net';
import type { Target } from './target.ts';

/** What names a backend to whoever wants its statement stopped. */
export interface BackendKey {
  readonly pid: number | null;
  readonly secret: number | null;
}

const CANCEL_REQUEST = 80_877_102;
const GIVE_UP_MS = 2_000;

/**
 * Asks the server to stop what the backend is doing (PostgreSQL's frontend protocol, CancelRequest). It is an attempt:
 * there is no answer. postgres.js's own `cancel` must not be used: a server that cannot be reached makes it reject a
 * promise that nobody holds, and a pipelined query that is cancelled shifts the answers of those behind it.
 */
export function requestCancel({ host, port }: Target, { pid, secret }: BackendKey): void {
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
