const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** Prefixes of IPv6 addresses with an IPv4 address in the last 32 bits: mapped (RFC 4291), NAT64 (RFC 6052). */
const IPV4_PREFIXES: readonly string[] = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

const DOTTED_QUAD = /^(.*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/**
 * Returns the network that requests are counted for: an IPv4 address itself (also when written as IPv6), or the /64 of an
 * IPv6 address, which one household or machine usually has. Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address);
  if (IPV4_PREFIXES.includes(groups.slice(0, -2).join(':'))) return groups.slice(-2).map(twoBytes).join('.');
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Returns the groups of an IPv6 address in lower-case hexadecimal, without leading zeros and without a zone. */
export function groupsOf(address: string): string[] {
  const text = (address.split('%')[0] as string).toLowerCase().replace(DOTTED_QUAD, inHexadecimal);
  const [head = '', tail] = text.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    const missing = Math.max(0, GROUPS - groups.length - after.length);
    groups.push(...Array.from({ length: missing }, () => '0'), ...after);
  }
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}

/** Writes `::ffff:127.0.0.1` as `::ffff:7f00:1`. */
function inHexadecimal(_: string, before: string, a: string, b: string, c: string, d: string): string {
  const group = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);
  return `${before}${group(a, b)}:${group(c, d)}`;
}

function twoBytes(group: string): string {
  const value = Number.parseInt(group, 16);
  return `${value >> 8}.${value & 0xff}`;
}
