import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network in CIDR notation, parsed. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** IPv6 addresses that are routed on the internet (RFC 4291). Others, such as `::127.0.0.1`, are not. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public addresses that clouds route inside a customer's network only. Sources: "What is IP address 168.63.129.16?" (Azure); "Service
 * endpoints for VPC" (IBM Cloud). Other clouds use link-local, shared or unique local addresses.
 */
const CLOUD_INTERNAL: readonly Network[] = [
  // Azure: the agent that has settings and certificates of the machine, and the name server.
  '168.63.129.16/32',
  // IBM Cloud: infrastructure and private service endpoints.
  '161.26.0.0/16',
  '166.8.0.0/14',
].map((network) => ipaddr.IPv4.parseCIDR(network));

/** Bits of an address by its IP version. */
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/**
 * Parses networks in CIDR notation, separated by commas: `10.20.0.0/16, fd12:3456::/48`. A single address is a network of one.
 * @throws TypeError that names the first invalid one
 *
 * @example
 * const networks = parseNetworks('10.20.0.0/16, fd12:3456::/48');
 */
export function parseNetworks(text: string): Network[] {
  return text.split(',').map((part) => parseNetwork(part.trim()));
}

function parseNetwork(text: string): Network {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = BITS[isIP(address)];
  if (bits === undefined || address.includes('%') || more.length > 0) {
    throw new TypeError(`${JSON.stringify(text)} is not a network such as 10.20.0.0/16 or fd12:3456::/48`);
  }
  const length = prefix === undefined ? bits : Number(prefix);
  if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || length > bits)) {
    throw new TypeError(`the prefix of ${JSON.stringify(text)} is not a number from 0 to ${bits}`);
  }
  const parsed = ipaddr.parse(address);
  const first = networkAddress(parsed, length);
  if (first.toString() !== parsed.toString()) {
    throw new TypeError(
      `${JSON.stringify(text)} is not the start of a network: write ${first.toString()}/${length}`,
    );
  }
  return [parsed, length];
}

function networkAddress(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): ipaddr.IPv4 | ipaddr.IPv6 {
  const cidr = `${address.toString()}/${length}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
    : ipaddr.IPv6.networkAddressFromCIDR(cidr);
}

/** Whether an address is in one of the networks. */
export function isInside(address: string, networks: readonly Network[]): boolean {
  const parsed = ipaddr.parse(address);
  return networks.some(([network, length]) => parsed.kind() === network.kind() && parsed.match(network, length));
}

/**
 * Whether an address is one of the internet: not private, local, reserved, multicast, internal to a cloud, or a form of an IPv4
 * address.
 */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || isInside(address, CLOUD_INTERNAL)) return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}
