import type { IncomingMessage } from 'node:http';

/** How long and how much of a body that nobody needs is read on, in milliseconds and bytes. */
const PATIENCE_MS = 500;
const PATIENCE_BYTES = 4 * 1024 * 1024;

/**
 * Reads the rest of a body that is already answered and throws it away, because a connection closed on unread bytes
 * is reset, and the client may lose the answer. What takes too long, or does not end, is cut off. Then calls `done`.
 */
export function discardRest(incoming: IncomingMessage, done: () => void): void {
  let discarded = 0;
  const cut = () => incoming.socket.destroySoon();
  const timer = setTimeout(cut, PATIENCE_MS);

  incoming.on('data', (chunk: Buffer) => {
    discarded += chunk.byteLength;
    if (discarded > PATIENCE_BYTES) cut();
  });
  incoming.once('close', () => {
    clearTimeout(timer);
    done();
  });
  // What breaks off now was answered already; `close` follows.
  incoming.on('error', () => undefined);
  incoming.resume();
}
