import { type Issue, invalidParameters } from '../errors.ts';
import {
  type AddressProblem,
  isHostName,
  readWebAddress,
  refusedAddress,
  type WebAddress,
} from '../input/web-address.ts';

/** Most return addresses of a client. */
export const RETURN_ADDRESSES_MAX = 20;

/** Longest return address and longest `returnUrl`, in characters. */
export const RETURN_URL_MAX = 2_048;

/** Query parameters that a return link adds. */
const ADDED_PARAMETERS: readonly string[] = ['verificationId', 'status'];

/**
 * Parses a client's list of return addresses: each is an origin and a path, and permits every URL of this origin whose
 * path begins with the same segments.
 * @param rules by default addresses on the subject's own device are accepted, as they are read from the database
 * @returns the addresses in one spelling, each once
 * @throws CountersignError `INVALID_PARAMETERS` with the path of each bad address, such as `returnAddresses.2`
 *
 * @example
 * parseReturnAddresses(['https://Shop.example/kyc/']); // ['https://shop.example/kyc']
 */
export function parseReturnAddresses(
  addresses: readonly string[],
  rules: ReturnAddressRules = { allowsLocal: true },
): readonly string[] {
  const issues = returnAddressIssues(addresses, rules);
  if (issues.length > 0) throw invalidParameters(issues);
  const read = addresses.map(readAddress);
  return [...new Set(read.flatMap((address) => ('message' in address ? [] : [prefixOf(address)])))];
}

/** What an installation accepts as a return address. */
export interface ReturnAddressRules {
  /** Whether subjects may return to their own device: `localhost` and `127.0.0.1`, in an installation for developers. */
  readonly allowsLocal: boolean;
}

/** Lists the issues of a client's list of return addresses: all that are wrong, each with the path of its address. */
export function returnAddressIssues(
  addresses: readonly string[],
  { allowsLocal }: ReturnAddressRules,
): readonly Issue[] {
  if (addresses.length > RETURN_ADDRESSES_MAX) {
    const message = `must have at most ${RETURN_ADDRESSES_MAX} entries`;
    return [{ path: 'returnAddresses', message, code: 'too_many', limit: RETURN_ADDRESSES_MAX }];
  }
  return addresses.map(readAddress).flatMap((address, index): Issue[] => {
    const path = `returnAddresses.${index}`;
    if ('message' in address) return [{ path, ...address }];
    if (!allowsLocal && LOOPBACK.includes(address.host))
      return [{ path, message: NOT_LOCAL, code: 'local_address' }];
    const problem = problemOfEntry(address);
    return problem === null ? [] : [{ path, ...problem }];
  });
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

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1'];

const NOT_LOCAL = "must not lead to the subject's own device: this installation serves subjects elsewhere";

const BAD_HOST = 'must have a host name in ASCII: write xn--… for other scripts, and no IP address';

function readAddress(text: string): WebAddress | AddressProblem {
  const address = readWebAddress(text, { max: RETURN_URL_MAX, badHost: BAD_HOST });
  if ('message' in address) return address;
  const { scheme, host, path } = address;
  if (!LOOPBACK.includes(host) && !isHostName(host)) return refusedAddress(BAD_HOST);
  if (scheme === 'http' && !LOOPBACK.includes(host)) return refusedAddress('must begin with https://');
  return problemOfPath(path) ?? address;
}

function problemOfPath(path: string): AddressProblem | null {
  if (/%(?:2e|2f|5c|25)/i.test(path))
    return refusedAddress('must have no encoded dot, slash, backslash or % in its path');
  const segments = path.split('/').slice(1);
  // Some servers drop what follows a semicolon before they resolve dots.
  const climbs = segments.some((segment) => /^\.{1,2}(?:;|$)/.test(segment));
  if (climbs) return refusedAddress('must have no . or .. in its path');
  const isDoubled = segments.slice(0, -1).includes('');
  return isDoubled ? refusedAddress('must have no empty part in its path') : null;
}

function problemOfEntry({ query }: WebAddress): AddressProblem | null {
  return query === '' ? null : refusedAddress('must have no query (?)');
}

function problemOfUrl(address: WebAddress, addresses: readonly string[]): AddressProblem | null {
  const names = address.query.split('&').map((parameter) => decodedName(parameter));
  if (names.includes(null)) return refusedAddress('must have a query in UTF-8');
  const taken = ADDED_PARAMETERS.find((name) => names.includes(name));
  if (taken !== undefined) return refusedAddress(`must not have ${taken} in its query: it is added`);
  const isAllowed = addresses.some((prefix) => isBelow(address, prefix));
  return isAllowed ? null : refusedAddress("is not below one of the client's return addresses");
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
