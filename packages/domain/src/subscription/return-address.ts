import { type Issue, invalidParameters } from '../errors.ts';

/** Most return addresses of a client. */
export const RETURN_ADDRESSES_MAX = 20;

/** Longest return address and longest `returnUrl`, in characters. */
export const RETURN_URL_MAX = 2_048;

/** Query parameters that a return link adds. */
const ADDED_PARAMETERS: readonly string[] = ['verificationId', 'status'];

/**
 * Parses a client's list of return addresses: each is an origin and a path, and permits every URL of this origin whose
 * path begins with the same segments.
 * @returns the addresses in one spelling, each once
 * @throws CountersignError `INVALID_PARAMETERS` with the path of each bad address, such as `returnAddresses.2`
 *
 * @example
 * parseReturnAddresses(['https://Shop.example/kyc/']); // ['https://shop.example/kyc']
 */
export function parseReturnAddresses(addresses: readonly string[]): readonly string[] {
  if (addresses.length > RETURN_ADDRESSES_MAX) {
    const message = `must have at most ${RETURN_ADDRESSES_MAX} entries`;
    throw invalidParameters([{ path: 'returnAddresses', message, code: 'too_many', limit: RETURN_ADDRESSES_MAX }]);
  }
  const read = addresses.map(readAddress);
  const issues = read.flatMap((address, index) => {
    const problem = 'message' in address ? address : problemOfEntry(address);
    return problem === null ? [] : [{ path: `returnAddresses.${index}`, ...problem }];
  });
  if (issues.length > 0) throw invalidParameters(issues);
  return [...new Set(read.flatMap((address) => ('message' in address ? [] : [prefixOf(address)])))];
}

/**
 * Parses the `returnUrl` of a creation.
 * @param addresses the client's return addresses, as `parseReturnAddresses` returns them
 * @returns the URL with its origin in one spelling
 * @throws CountersignError `INVALID_PARAMETERS` if it is no safe URL, or not below one of the addresses
 */
export function parseReturnUrl(returnUrl: string, addresses: readonly string[]): string {
  const address = readAddress(returnUrl);
  if ('message' in address) throw invalidParameters([{ path: 'returnUrl', ...address }]);
  const problem = problemOfUrl(address, addresses);
  if (problem !== null) throw invalidParameters([{ path: 'returnUrl', ...problem }]);
  const { origin, path, query } = address;
  return origin + path + (query === '' ? '' : `?${query}`);
}

/**
 * Makes the address of the link back to the client: `returnUrl` with the verification's id and status in its query.
 * @param addresses the client's current return addresses
 * @returns null if the client no longer permits the address: its list may have changed since the creation
 */
export function returnLinkOf(
  returnUrl: string,
  addresses: readonly string[],
  { id, status }: { readonly id: string; readonly status: string },
): string | null {
  const address = readAddress(returnUrl);
  if ('message' in address || problemOfUrl(address, addresses) !== null) return null;
  const { origin, path, query } = address;
  const added = `verificationId=${encodeURIComponent(id)}&status=${encodeURIComponent(status)}`;
  return `${origin}${path}?${query === '' ? '' : `${query}&`}${added}`;
}

type Problem = Omit<Issue, 'path'>;

/** A web address in parts, once every reader of URLs agrees on them. */
interface WebAddress {
  /** In lower case, without a default port. */
  readonly origin: string;
  /** Begins with a slash. */
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

// RFC 3986 without the characters that URL readers treat differently: backslash, brackets, quotes, spaces, beyond ASCII.
const SAFE = /^[\w\-.~:/?@!$&'()*+,;=%]*$/;
const PARTS = /^(https?):\/\/([^/?]+)(\/[^?]*)?(?:\?(.*))?$/i;
const HOST = /^([a-z0-9.-]{1,253})(?::([1-9]\d{0,4}))?$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
const PORT_MAX = 65_535;

/** Reads a URL by a grammar so strict that browsers and servers understand the same by it. */
function readAddress(text: string): WebAddress | Problem {
  if (text.length > RETURN_URL_MAX) {
    return { message: `must have at most ${RETURN_URL_MAX} characters`, code: 'too_long', limit: RETURN_URL_MAX };
  }
  if (text.includes('#')) return refused('must have no fragment (#)');
  const parts = PARTS.exec(text);
  if (parts === null) return { message: 'must be a URL that begins with https://', code: 'not_a_url' };
  const [, scheme = '', authority = '', path = '/', query = ''] = parts;
  const origin = readOrigin(scheme.toLowerCase(), authority.toLowerCase());
  if (typeof origin !== 'string') return origin;
  if (!SAFE.test(path) || !SAFE.test(query)) {
    return refused('must have only the characters of a URL: encode all others, such as spaces and umlauts');
  }
  if (/%(?![0-9a-f]{2})/i.test(path + query)) return refused('must have two hexadecimal digits after each %');
  if (/%(?:[01][0-9a-f]|7f)/i.test(path + query)) return refused('must have no control characters');
  const problem = problemOfPath(path);
  return problem ?? { origin, path, query };
}

function readOrigin(scheme: string, authority: string): string | Problem {
  if (authority.includes('@')) return refused('must have no user name or password');
  const [, host = '', port = ''] = HOST.exec(authority) ?? [];
  if (!isHost(host) || Number(port) > PORT_MAX) {
    return refused('must have a host name in ASCII: write xn--… for other scripts, and no IP address');
  }
  if (scheme === 'http' && !LOOPBACK.includes(host)) return refused('must begin with https://');
  return `${scheme}://${host}${port === '' || port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
}

/** Whether a host is a name. Browsers read a host that ends in a number as an IP address, in many spellings. */
function isHost(host: string): boolean {
  if (LOOPBACK.includes(host)) return true;
  const labels = host.split('.');
  return labels.every((label) => LABEL.test(label)) && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '');
}

function problemOfPath(path: string): Problem | null {
  if (/%(?:2e|2f|5c|25)/i.test(path))
    return refused('must have no encoded dot, slash, backslash or % in its path');
  const segments = path.split('/').slice(1);
  // Some servers drop what follows a semicolon before they resolve dots.
  const climbs = segments.some((segment) => /^\.{1,2}(?:;|$)/.test(segment));
  if (climbs) return refused('must have no . or .. in its path');
  const isDoubled = segments.slice(0, -1).includes('');
  return isDoubled ? refused('must have no empty part in its path') : null;
}

function problemOfEntry({ query }: WebAddress): Problem | null {
  return query === '' ? null : refused('must have no query (?)');
}

function problemOfUrl(address: WebAddress, addresses: readonly string[]): Problem | null {
  const names = address.query.split('&').map((parameter) => decodedName(parameter));
  if (names.includes(null)) return refused('must have a query in UTF-8');
  const taken = ADDED_PARAMETERS.find((name) => names.includes(name));
  if (taken !== undefined) return refused(`must not have ${taken} in its query: it is added`);
  const isAllowed = addresses.some((prefix) => isBelow(address, prefix));
  return isAllowed ? null : refused("is not below one of the client's return addresses");
}

/** Returns the name of a query parameter; null if it is not UTF-8. */
function decodedName(parameter: string): string | null {
  try {
    return decodeURIComponent((parameter.split('=')[0] ?? '').replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Whether the origin is the same and the path begins with the same segments. Case matters in a path. */
function isBelow(address: WebAddress, prefix: string): boolean {
  const whole = address.origin + spelled(address.path);
  return whole === prefix || whole.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** Writes an entry of the list: without a slash at the end, except that of an origin. */
function prefixOf({ origin, path }: WebAddress): string {
  return origin + (path === '/' ? path : spelled(path).replace(/\/$/, ''));
}

/** Writes encoded characters in one case. */
function spelled(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase());
}

function refused(message: string): Problem {
  return { message, code: 'invalid' };
}
