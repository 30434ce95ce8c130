import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Whom a request comes from, as far as it can be believed. */
export type PeerAddress = (incoming: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Believes the last `trustedProxies` hops. Each proxy appends the address it was reached from to `X-Forwarded-For`,
 * so the entries are counted from the right: anything further left was written by whoever sent the request. Where
 * the entry is missing or is no address, the nearest hop that is one counts.
 */
export function createPeerAddress(trustedProxies: number): PeerAddress {
  return ({ headers, socket }) => {
    const peer = socket.remoteAddress ?? 'unknown';
    if (trustedProxies === 0) return peer;

    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    let believed = peer;
    for (const hop of hops.reverse().slice(0, trustedProxies)) {
      const address = addressIn(hop.trim());
      if (address === undefined) break;
      believed = address;
    }
    return believed;
  };
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(hop: string): string | undefined {
  if (isIP(hop) !== 0) return hop;
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([^:]+):\d+$/.exec(hop)?.[1] ?? '';
  return isIP(bare) === 0 ? undefined : bare;
}
