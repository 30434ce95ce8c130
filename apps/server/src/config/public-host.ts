import { BlockList, isIP } from 'node:net';

/** Networks that the internet does not route. */
const PRIVATE: readonly (readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
];

/** Endings that no public name has: RFC 6761, RFC 6762, RFC 8375, and ICANN's `internal`. */
const PRIVATE_ENDING = /(?:^|\.)(?:localhost|local|internal|test|home\.arpa)$/;

const privateNetworks = new BlockList();
for (const network of PRIVATE) privateNetworks.addSubnet(...network);

/** Returns whether a host is reached over the internet, judged by its address or name. A name without a dot is not. */
export function isPublicHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const version = isIP(bare);
  if (version !== 0) return !privateNetworks.check(bare, version === 4 ? 'ipv4' : 'ipv6');
  const name = bare.replace(/\.$/, '');
  return name.includes('.') && !PRIVATE_ENDING.test(name);
}
