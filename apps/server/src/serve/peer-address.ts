import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Where an address comes from. `ignored_forwarding`: from the connection, although the request has X-Forwarded-For.
 * `missing_forwarding`: from fewer proxies than are trusted.
 */
export type AddressSource = 'peer' | 'proxy' | 'ignored_forwarding' | 'missing_forwarding';

/** Returns the trusted address of a request's sender. */
export type PeerAddress = (incoming: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Trusts the last `trustedProxies` hops. Each proxy appends the address of its peer to `X-Forwarded-For`, so entries
 * count from the right; the sender controls everything further left. When an entry is missing or not an address, the
 * nearest valid hop counts.
 * @param onLookUp is called for each address
 */
export function createPeerAddress(
  trustedProxies: number,
  onLookUp: (source: AddressSource) => void = () => undefined,
): PeerAddress {
  return ({ headers, socket }) => {
    const peer = socket.remoteAddress ?? 'unknown';
    if (trustedProxies === 0) {
      onLookUp(headers['x-forwarded-for'] === undefined ? 'peer' : 'ignored_forwarding');
      return peer;
    }

    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    let trusted = peer;
    let found = 0;
    for (const hop of hops.reverse().slice(0, trustedProxies)) {
      const address = addressIn(hop.trim());
      if (address === undefined) break;
      trusted = address;
      found += 1;
    }
    onLookUp(found === trustedProxies ? 'proxy' : 'missing_forwarding');
    return trusted;
  };
}

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(hop: string): string | undefined {
  if (isIP(hop) !== 0) return hop;
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([^:]+):\d+$/.exec(hop)?.[1] ?? '';
  return isIP(bare) === 0 ? undefined : bare;
}
