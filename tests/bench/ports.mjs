import { once } from 'node:events';
import { createServer } from 'node:net';

/** Tells whether the server on this port is ready for requests. @param {number} port */
export async function isReady(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // The server does not listen yet.
    return false;
  }
}

/** Finds a free port, because the server refuses port 0. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
