import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { isInside, isPublic } from './address-filter.ts';
import { ADDRESS_NOT_PUBLIC, NAME_NOT_RESOLVED, NOT_ENCRYPTED, SendFault } from './faults.ts';
import type { ResolveName } from './resolve.ts';

export interface GuardOptions {
  /** Networks whose addresses may be connected to, by `http://` too. */
  readonly allowedNetworks: readonly string[];
  /** Whether `http://` is allowed for every public address. */
  readonly allowHttp: boolean;
  readonly resolveName: ResolveName;
}

/** Where a request is sent to, and the only way to connect to it. */
export interface Connection {
  readonly agent: http.Agent;
  readonly lookup: LookupFunction;
}

/**
 * Creates the guard against requests to the operator's own network. Each request has a connection of its own, and `lookup`
 * resolves its name once: the addresses that are checked are those that are connected to.
 *
 * Without allowed networks, request-filtering-agent checks them as well. It cannot be used with them: it prints a warning for
 * each network of the other IP version.
 */
export function createGuard({ allowedNetworks, allowHttp, resolveName }: GuardOptions): (url: URL) => Connection {
  const isOpen = allowedNetworks.length > 0;
  const agents = {
    'http:': isOpen ? new http.Agent() : new RequestFilteringHttpAgent(),
    'https:': isOpen ? new https.Agent() : new RequestFilteringHttpsAgent(),
  };

  function check(addresses: readonly string[], isEncrypted: boolean): void {
    for (const address of addresses) {
      if (isInside(address, allowedNetworks)) continue;
      if (!isPublic(address)) throw new SendFault(ADDRESS_NOT_PUBLIC);
      if (!isEncrypted && !allowHttp) throw new SendFault(NOT_ENCRYPTED);
    }
  }

  return (url) => {
    const isEncrypted = url.protocol === 'https:';
    const host = hostOf(url);
    // An address is connected to without a lookup.
    if (isIP(host) !== 0) check([host], isEncrypted);

    const lookup: LookupFunction = (name, { all }, done) => {
      resolveChecked(name).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          const [first] = found;
          if (all === true) done(null, found);
          else done(null, first?.address ?? '', first?.family);
        },
        (fault: Error) => done(fault, []),
      );
    };

    async function resolveChecked(name: string): Promise<readonly string[]> {
      const addresses = await resolveName(name).catch(() => []);
      if (addresses.length === 0) throw new SendFault(NAME_NOT_RESOLVED);
      check(addresses, isEncrypted);
      return addresses;
    }

    return { agent: agents[isEncrypted ? 'https:' : 'http:'], lookup };
  };
}

/** Returns the host of a URL, an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
