import type { Issue } from '../errors.ts';

/** What is wrong with a text, without the path of its field. */
export type AddressProblem = Omit<Issue, 'path'>;

/** A parsed http(s) URL. */
export interface WebAddress {
  readonly scheme: 'http' | 'https';
  /** In lower case: a host name in ASCII, an IPv4 address, or an IPv6 address in brackets. Callers check which. */
  readonly host: string;
  /** Empty for the scheme's default port. */
  readonly port: string;
  /** Scheme, host and port in lower case, without a default port. */
  readonly origin: string;
  /** Begins with a slash. */
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

// RFC 3986 without the characters that URL readers treat differently: backslash, brackets, quotes, spaces, beyond ASCII.
const SAFE = /^[\w\-.~:/?@!$&'()*+,;=%]*$/;
const PARTS = /^(https?):\/\/([^/?]+)(\/[^?]*)?(?:\?(.*))?$/i;
const AUTHORITY = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::([1-9]\d{0,4}))?$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
const PORT_MAX = 65_535;

/**
 * Parses a URL by a strict grammar that browsers, servers and this service interpret alike.
 * @param options.max most characters
 * @param options.badHost the message for a host or port outside this grammar
 */
export function readWebAddress(
  text: string,
  { max, badHost }: { readonly max: number; readonly badHost: string },
): WebAddress | AddressProblem {
  if (text.length > max) return { message: `must have at most ${max} characters`, code: 'too_long', limit: max };
  if (text.includes('#')) return refusedAddress('must have no fragment (#)');
  const parts = PARTS.exec(text);
  if (parts === null) return { message: 'must be a URL that begins with https://', code: 'not_a_url' };
  const [, scheme = '', authority = '', path = '/', query = ''] = parts;
  if (authority.includes('@')) return refusedAddress('must have no user name or password');
  const [, host, port = ''] = AUTHORITY.exec(authority.toLowerCase()) ?? [];
  if (host === undefined || Number(port) > PORT_MAX) return refusedAddress(badHost);
  if (!SAFE.test(path) || !SAFE.test(query)) {
    return refusedAddress('must have only the characters of a URL: encode all others, such as spaces and umlauts');
  }
  if (/%(?![0-9a-f]{2})/i.test(path + query)) {
    return refusedAddress('must have two hexadecimal digits after each %');
  }
  if (/%(?:[01][0-9a-f]|7f)/i.test(path + query)) return refusedAddress('must have no control characters');
  return { ...originOf(scheme.toLowerCase() === 'http' ? 'http' : 'https', host, port), path, query };
}

function originOf(
  scheme: WebAddress['scheme'],
  host: string,
  given: string,
): Pick<WebAddress, 'scheme' | 'host' | 'port' | 'origin'> {
  const port = given === DEFAULT_PORTS[scheme] ? '' : given;
  return { scheme, host, port, origin: `${scheme}://${host}${port === '' ? '' : `:${port}`}` };
}

/** Makes the problem of an address that breaks a rule. */
export function refusedAddress(message: string): AddressProblem {
  return { message, code: 'invalid' };
}

/** Whether a host is a name. Browsers read a host that ends in a number as an IP address, in many spellings. */
export function isHostName(host: string): boolean {
  const labels = host.split('.');
  return labels.every((label) => LABEL.test(label)) && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '');
}
