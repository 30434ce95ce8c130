import type { IncomingMessage } from 'node:http';

/** How long a body that nobody needs is read on. */
const PATIENCE_MS = 500;

/**
 * Reads the rest of a body that is already answered and throws it away, because a connection closed on unread bytes
 * is reset, and the client may lose the answer. What takes too long, or does not end, is cut off. Then calls `done`.
 */
export function discardRest(incoming: IncomingMessage, done: () => void): void {
  const timer = setTimeout(() => incoming.socket.destroySoon(), PATIENCE_MS);

  incoming.once('close', () => {
    clearTimeout(timer);
    done();
  });
  // What breaks off now was answered already; `close` follows.
  incoming.on('error', () => undefined);
  incoming.resume();
}
