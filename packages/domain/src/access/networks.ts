import { z } from 'zod';
import { groupsOf } from '../rate-limit/client-address.ts';

/** How many networks a key can have. */
export const MAX_KEY_NETWORKS = 50;

/** The longest network: an IPv6 address with an IPv4 address at its end, and the length of its prefix. */
export const NETWORK_TEXT_MAX = 49;

/** An address as a number, with the number of its bits: 32 or 128. */
interface Address {
  readonly bits: number;
  readonly value: bigint;
}

interface Network extends Address {
  /** How many leading bits all addresses of the network share. */
  readonly prefix: number;
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;
const GROUP_BITS = 16n;

/** The bits before an IPv4 address that is mapped into IPv6: `::ffff:0:0/96` (RFC 4291). */
const MAPPED = 0xffffn;
const MAPPED_BITS = IPV6_BITS - IPV4_BITS;

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();
/** A number without leading zeros, as in both notations of addresses. */
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

/**
 * Returns the canonical form of a network in CIDR notation: without bits behind the prefix, IPv6 as RFC 5952 writes it, and mapped
 * IPv4 as IPv4. An address alone is a network of one address. Returns null if the text is not a network.
 *
 * @example
 * canonicalNetwork('203.0.113.77/24'); // 203.0.113.0/24
 * canonicalNetwork('2001:DB8:0:0::1'); // 2001:db8::1/128
 */
export function canonicalNetwork(text: string): string | null {
  const network = parseNetwork(text);
  return network === null ? null : `${textOf(network)}/${network.prefix}`;
}

/** Returns the canonical forms of networks, each once. */
export function canonicalNetworks(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => canonicalNetwork(text) ?? text))];
}

/**
 * Returns whether an address is in one of the networks. IPv4 mapped into IPv6 is IPv4. A text that is not an address is in none.
 * @param networks in canonical form
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const parsed = parseAddress(address.split('%', 1)[0] ?? '');
  if (parsed === null) return false;
  const { bits, value } = unmapped({ ...parsed, prefix: parsed.bits });
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network !== null && network.bits === bits && withoutTail(value, network) === network.value;
  });
}

function parseNetwork(text: string): Network | null {
  const [address = '', prefixText, ...more] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed === null || more.length > 0) return null;
  if (prefixText !== undefined && !PREFIX.test(prefixText)) return null;
  const prefix = prefixText === undefined ? parsed.bits : Number(prefixText);
  if (prefix > parsed.bits) return null;
  const network = unmapped({ ...parsed, prefix });
  return { ...network, value: withoutTail(network.value, network) };
}

function parseAddress(text: string): Address | null {
  if (ipv4.safeParse(text).success) {
    return { bits: IPV4_BITS, value: text.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) };
  }
  if (!ipv6.safeParse(text).success) return null;
  const value = groupsOf(text).reduce((sum, group) => (sum << GROUP_BITS) + BigInt(`0x${group}`), 0n);
  return { bits: IPV6_BITS, value };
}

/** Turns mapped IPv4 into IPv4. A network that also has other addresses stays IPv6. */
function unmapped(network: Network): Network {
  const { prefix, value } = network;
  // Every prefix of IPv4 is shorter than this.
  if (prefix < MAPPED_BITS || value >> BigInt(IPV4_BITS) !== MAPPED) return network;
  return { bits: IPV4_BITS, prefix: prefix - MAPPED_BITS, value: BigInt.asUintN(IPV4_BITS, value) };
}

function withoutTail(value: bigint, { bits, prefix }: Pick<Network, 'bits' | 'prefix'>): bigint {
  const tail = BigInt(bits - prefix);
  return (value >> tail) << tail;
}

function textOf({ bits, value }: Address): string {
  const size = bits === IPV4_BITS ? 8n : GROUP_BITS;
  const count = bits / Number(size);
  const parts = Array.from({ length: count }, (_, index) =>
    BigInt.asUintN(Number(size), value >> (size * BigInt(count - 1 - index))),
  );
  return bits === IPV4_BITS ? parts.join('.') : shortened(parts.map((part) => part.toString(16)));
}

/** Writes the first of the longest runs of at least two zero groups as `::`. */
function shortened(groups: readonly string[]): string {
  const runs = groups.map((_, start) => {
    const end = groups.findIndex((group, index) => index >= start && group !== '0');
    return (end === -1 ? groups.length : end) - start;
  });
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(':');
  const start = runs.indexOf(longest);
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + longest).join(':')}`;
}
