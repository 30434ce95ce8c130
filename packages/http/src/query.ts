import { type Issue, invalidParameters } from '@countersign/domain';

/** The query parameters that an operation knows, by name. */
export type QueryParameters = Readonly<Record<string, 'text' | 'integer'>>;

/**
 * The query of an address. Each parameter must be known and given once, and a number is decimal digits and nothing
 * else: what `Number()` makes of `1e2`, `0x10` or an empty text is not what a client meant.
 * @throws CountersignError `INVALID_PARAMETERS` with what is wrong, the first 20 things at most
 */
export function readQuery(url: string, known: QueryParameters): Readonly<Record<string, string | number>> {
  const query: Record<string, string | number> = {};
  const issues: Issue[] = [];
  for (const pair of pairsOf(url)) {
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals)) ?? '';
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1));
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) issues.push({ path: name, message: 'is not a parameter of this operation' });
    else if (value === null) issues.push({ path: name, message: 'is not valid percent-encoding' });
    else if (Object.hasOwn(query, name)) issues.push({ path: name, message: 'may be given only once' });
    else if (kind === 'text') query[name] = value;
    else if (WHOLE_NUMBER.test(value)) query[name] = Number(value);
    else issues.push({ path: name, message: 'must be a whole number in decimal digits' });
  }
  if (issues.length > 0) throw invalidParameters(issues);
  return query;
}

/** One segment of a path, decoded. @throws CountersignError `INVALID_PARAMETERS` */
export function readSegment(segment: string, name: string): string {
  const value = decoded(segment);
  if (value === null) throw invalidParameters([{ path: name, message: 'is not valid percent-encoding' }]);
  return value;
}

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

/** null for a broken percent sequence, or one that is not UTF-8. */
function decoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
