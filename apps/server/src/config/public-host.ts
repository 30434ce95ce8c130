import { isIP } from 'node:net';
import { isInNetworks } from '@countersign/domain';

/** Networks that the internet does not route. */
const PRIVATE: readonly string[] = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** Endings that no public name has: RFC 6761, RFC 6762, RFC 8375, and ICANN's `internal`. */
const PRIVATE_ENDING = /(?:^|\.)(?:localhost|local|internal|test|home\.arpa)$/;

/** Returns whether a host is reached over the internet, judged by its address or name. A name without a dot is not. */
export function isPublicHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIP(bare) !== 0) return !isInNetworks(bare, PRIVATE);
  const name = bare.replace(/\.$/, '');
  return name.includes('.') && !PRIVATE_ENDING.test(name);
}
