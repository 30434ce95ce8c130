import { canonicalNetwork, isInNetworks } from '@countersign/domain';
import ipaddr from 'ipaddr.js';

/** IPv6 addresses that are routed on the internet (RFC 4291). Others, such as `::127.0.0.1`, are not. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public addresses that clouds route inside a customer's network only. Sources: "What is IP address 168.63.129.16?" (Azure); "Service
 * endpoints for VPC" (IBM Cloud). Other clouds use link-local, shared or unique local addresses.
 */
const CLOUD_INTERNAL: readonly string[] = [
  // Azure: the agent that has settings and certificates of the machine, and the name server.
  '168.63.129.16/32',
  // IBM Cloud: infrastructure and private service endpoints.
  '161.26.0.0/16',
  '166.8.0.0/14',
];

/**
 * Parses networks in CIDR notation, separated by commas: `10.20.0.0/16, fd12:3456::/48`. A single address is a network of one.
 * @returns each in canonical form
 * @throws TypeError that names the first invalid one
 *
 * @example
 * const networks = parseNetworks('10.20.0.0/16, fd12:3456::/48');
 */
export function parseNetworks(text: string): string[] {
  return text.split(',').map((part) => parseNetwork(part.trim()));
}

function parseNetwork(text: string): string {
  const [address = '', , ...more] = text.split('/');
  const [start, bits] = canonicalNetwork(address)?.split('/') ?? [];
  if (start === undefined || more.length > 0) {
    throw new TypeError(`${JSON.stringify(text)} is not a network such as 10.20.0.0/16 or fd12:3456::/48`);
  }
  const network = canonicalNetwork(text);
  if (network === null) {
    throw new TypeError(`the prefix of ${JSON.stringify(text)} is not a number from 0 to ${bits}`);
  }
  if (!network.startsWith(`${start}/`)) {
    throw new TypeError(`${JSON.stringify(text)} is not the start of a network: write ${network}`);
  }
  return network;
}

/** Whether an address is in one of the networks. IPv4 mapped into IPv6 is in none. */
export function isInside(address: string, networks: readonly string[]): boolean {
  return ipaddr.parse(address).range() !== 'ipv4Mapped' && isInNetworks(address, networks);
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
