import { SettingError } from './errors.ts';

// Errors never quote the URL, which may hold a password.

const EXPECTED_POSTGRES = 'expected postgres://user:password@host:5432/database';

/** The modes that postgres.js knows. It would silently take any other as `require`. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-full'];

/** Returns whether a URL is meant to be a PostgreSQL server, valid or not. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:/i.test(url);
}

/**
 * Validates the URL of a PostgreSQL server.
 * @returns the URL as given
 * @throws SettingError
 */
export function checkedPostgresUrl(variable: string, url: string): string {
  const refuse = (problem: string): never => {
    throw new SettingError(variable, `${problem}: ${EXPECTED_POSTGRES}`);
  };
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return refuse('is not a valid PostgreSQL URL');
  const { hostname, username, password, pathname, searchParams, hash } = new URL(url);
  if (hostname === '') return refuse('has no host');
  if (hostname.includes(',')) return refuse('has several hosts, but only one is supported');
  if (username === '') return refuse('has no user');
  if (![username, password, pathname].every(isDecodable)) return refuse('has an invalid % escape');
  if (hash !== '') return refuse('has a #, write it as %23 in a password');
  const unknown = [...searchParams.keys()].find((name) => name !== 'sslmode');
  if (unknown !== undefined) {
    return refuse(`has the parameter ${printable(unknown)}, but only sslmode is supported`);
  }
  const sslMode = searchParams.get('sslmode');
  if (sslMode !== null && !SSL_MODES.includes(sslMode)) {
    throw new SettingError(variable, `has an unknown sslmode: expected one of ${SSL_MODES.join(', ')}`);
  }
  return url;
}

/** Shortens a parameter's name and replaces characters that are not printable. */
function printable(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 40);
}

/** Returns `host:5432/database` of a valid URL: what may be printed and logged. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, username } = new URL(url);
  return `${hostname}:${port || '5432'}/${decodeURIComponent(pathname.slice(1) || username)}`;
}

/** Returns whether a part of a URL has no invalid % escape. */
export function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    // It throws nothing but URIError.
    return false;
  }
}

const EXPECTED_REDIS = 'expected redis://user:password@host:6379/0, or rediss:// for TLS';

/**
 * Validates the URL of a Redis server.
 * @returns the URL as given
 * @throws SettingError
 */
export function checkedRedisUrl(variable: string, url: string): string {
  const refuse = (problem: string): never => {
    throw new SettingError(variable, `${problem}: ${EXPECTED_REDIS}`);
  };
  if (!/^rediss?:\/\/./.test(url) || !URL.canParse(url)) return refuse('is not a valid Redis URL');
  const { hostname, pathname, search, hash } = new URL(url);
  if (hostname === '') return refuse('has no host');
  if (!/^\/?\d{0,5}$/.test(pathname)) return refuse('has a database that is not a number');
  if (search !== '' || hash !== '') return refuse('has parameters, but none are supported');
  return url;
}
