const IPV4_IN_IPV6 = /^(?:0*:)*:?(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * What an address is counted as: an IPv4 address as itself (also when written inside IPv6), an IPv6 address as its /64,
 * which is what one household or machine is given. Text that is no address counts as itself.
 */
export function networkOf(address: string): string {
  const mapped = IPV4_IN_IPV6.exec(address);
  if (mapped !== null) return mapped[1] as string;
  if (!address.includes(':')) return address;

  const [head = '', tail] = (address.split('%')[0] as string).toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    const missing = Math.max(0, GROUPS - groups.length - after.length);
    groups.push(...Array.from({ length: missing }, () => '0'), ...after);
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
