import { Resolver } from 'node:dns/promises';

/** Returns the addresses of a host name, at least one. Rejects if it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** How long one question to a name server may take, in milliseconds. */
const QUESTION_MS = 3_000;
const TRIES = 2;

/** `localhost` and the names below it (RFC 6761), also as absolute names. */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Creates a resolver that asks the name servers of the system for IPv4 and IPv6 addresses. It does not read `/etc/hosts`:
 * that (`dns.lookup`) takes one of the process's four threads until a slow name server answers, and files wait for a thread.
 */
export function createResolveName(): ResolveName {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
  return async (name) => {
    if (LOCALHOST.test(name)) return LOOPBACK;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}
