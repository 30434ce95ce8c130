import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Ports that this process got before. Their servers may not listen yet. */
const given = new Set<number>();

/** Finds a free port, a different one at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
