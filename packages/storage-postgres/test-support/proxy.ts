import { once } from 'node:events';
import net from 'node:net';

export interface Proxy {
  readonly url: string;
  /** Drops all data of existing connections silently; new connections work. */
  cut(): void;
  /** Refuses the next connection, or accepts it and never answers. Resolves when it arrives. */
  next(treatment: 'refused' | 'silent'): Promise<void>;
  connections(): number;
}

/** A network path to the server behind the URL. */
export async function startProxy(afterwards: (stop: () => void) => void, to: string): Promise<Proxy> {
  const pairs = new Set<[net.Socket, net.Socket]>();
  const treatments: { readonly treatment: 'refused' | 'silent'; readonly arrived: () => void }[] = [];
  const silent = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const next = treatments.shift();
    if (next !== undefined) {
      near.on('error', () => near.destroy());
      if (next.treatment === 'silent') silent.add(near.resume());
      else near.destroy();
      next.arrived();
      return;
    }
    const far = net.connect(Number(new URL(to).port), new URL(to).hostname);
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    for (const [one, other] of [pair, pair.toReversed()] as [net.Socket, net.Socket][]) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(() => {
    server.close();
    for (const socket of [...silent, ...[...pairs].flat()]) socket.destroy();
  });
  const url = new URL(to);
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    cut() {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    next: (treatment) => new Promise((arrived) => treatments.push({ treatment, arrived })),
    connections: () => pairs.size,
  };
}
