import { type Issue, invalidParameters } from '@countersign/domain';
import { getPath } from 'hono/utils/url';

const ORIGIN = /^https?:\/\/[^/?#]+/i;

/** A path without escapes, dots and a query, as nearly every request has it. */
const PLAIN_PATH = /^\/[\w/-]*$/;

/** A segment `.` or `..`, also percent-encoded. In a query it is harmless. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i;

/**
 * Returns the path of a request target, decoded as Hono decodes it and without dot segments, so that both bindings see
 * the same path. Accepts the absolute form that a proxy may receive (RFC 9112, section 3.2.2).
 *
 * @example
 * pathOfTarget('/metrics?format=text'); // '/metrics'
 */
export function pathOfTarget(target: string): string {
  if (PLAIN_PATH.test(target)) return target;
  const origin = resolveDots(target.startsWith('/') ? target : target.replace(ORIGIN, ''));
  const end = origin.search(/[?#%]/);
  if (end === -1) return origin;
  return origin.includes('%') ? getPath({ url: `http://host${origin}` } as Request) : origin.slice(0, end);
}

/** Resolves dot segments as the URL standard does, which Hono's requests went through. */
function resolveDots(origin: string): string {
  return origin.startsWith('/') && DOT_SEGMENT.test(origin) ? new URL(`http://host${origin}`).pathname : origin;
}

/** The query parameters that an operation accepts, by name. */
export type QueryParameters = Readonly<Record<string, 'text' | 'integer' | 'boolean'>>;

/** The query of a request: the values of the parameters that it has, by name. */
export type Query = Readonly<Record<string, string | number | boolean>>;

/**
 * Reads the query of a URL. Each parameter must be known and given once. A number consists of decimal digits: what
 * `Number()` makes of `1e2`, `0x10` or an empty text is not what a client meant.
 * @throws {@link CountersignError} `INVALID_PARAMETERS` with the first issues
 */
export function readQuery(url: string, known: QueryParameters): Query {
  const query: Record<string, string | number | boolean> = {};
  const issues: Issue[] = [];
  for (const pair of pairsOf(url)) {
    const equals = pair.indexOf('=');
    const path = decode(equals === -1 ? pair : pair.slice(0, equals)) ?? '';
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
    const kind = Object.hasOwn(known, path) ? known[path] : undefined;
    if (kind === undefined) issues.push({ path, message: 'is not a parameter of this operation' });
    else if (value === null) issues.push({ path, message: NOT_DECODABLE });
    else if (Object.hasOwn(query, path)) issues.push({ path, message: 'must be given only once' });
    else if (kind === 'text') query[path] = value;
    else if (kind === 'boolean') {
      if (value === 'true' || value === 'false') query[path] = value === 'true';
      else issues.push({ path, message: 'must be true or false' });
    } else if (WHOLE_NUMBER.test(value)) query[path] = Number(value);
    else issues.push({ path, message: 'must be a whole number in decimal digits' });
  }
  if (issues.length > 0) throw invalidParameters(issues);
  return query;
}

/**
 * Decodes one segment of a path.
 * @throws {@link CountersignError} `INVALID_PARAMETERS`
 */
export function readSegment(segment: string, name: string): string {
  const value = decode(segment);
  if (value === null) throw invalidParameters([{ path: name, message: NOT_DECODABLE }]);
  return value;
}

const NOT_DECODABLE = 'must be valid percent-encoding of UTF-8';

const WHOLE_NUMBER = /^(?:0|[1-9]\d*)$/;

/** A plus sign means a space in a query, and only there (URL standard, application/x-www-form-urlencoded). */
function pairsOf(url: string): string[] {
  const end = url.indexOf('#');
  const address = end === -1 ? url : url.slice(0, end);
  const start = address.indexOf('?');
  if (start === -1) return [];
  return address
    .slice(start + 1)
    .replaceAll('+', ' ')
    .split('&')
    .filter((pair) => pair !== '');
}

/** Returns null for an invalid percent sequence and for bytes that are not UTF-8. */
function decode(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
