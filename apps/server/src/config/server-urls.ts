import { SettingError } from './errors.ts';

const EXPECTED_POSTGRES = 'expected postgres://user:password@host:5432/database';

/** As postgres.js understands it; anything else would be taken for `require` without a word. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-full'];

/**
 * Looks whether an address can be one of a PostgreSQL server. Messages never quote it: it holds a password.
 * @returns the address as it was given
 * @throws SettingError
 */
export function checkedPostgresUrl(variable: string, url: string): string {
  const refuse = (problem: string): never => {
    throw new SettingError(variable, `${problem}: ${EXPECTED_POSTGRES}`);
  };
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return refuse('is no valid address of PostgreSQL');
  const { hostname, username, password, pathname, searchParams, hash } = new URL(url);
  if (hostname === '') return refuse('names no host');
  if (hostname.includes(',')) return refuse('names several hosts, and one is needed');
  if (username === '') return refuse('names no user');
  if (![username, password, pathname].every(isDecodable)) return refuse('has a % that encodes nothing');
  if (hash !== '') return refuse('has a #, which a password writes as %23');
  const unknown = [...searchParams.keys()].find((name) => name !== 'sslmode');
  if (unknown !== undefined) return refuse(`has the parameter ${printable(unknown)}, and only sslmode is known`);
  const sslMode = searchParams.get('sslmode');
  if (sslMode !== null && !SSL_MODES.includes(sslMode)) {
    throw new SettingError(variable, `has an unknown sslmode: expected one of ${SSL_MODES.join(', ')}`);
  }
  return url;
}

/** On one line, and not long. */
function printable(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 40);
}

/** `host:5432/database` of an address that was checked: what may be told of it. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, username } = new URL(url);
  return `${hostname}:${port || '5432'}/${decodeURIComponent(pathname.slice(1) || username)}`;
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    // URIError is all that it throws.
    return false;
  }
}

const EXPECTED_REDIS = 'expected redis://user:password@host:6379/0, or rediss:// for TLS';

/**
 * Looks whether an address can be one of Redis. Messages never quote it: it may hold a password.
 * @returns the address as it was given
 * @throws SettingError
 */
export function checkedRedisUrl(variable: string, url: string): string {
  if (!/^rediss?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new SettingError(variable, `is no valid address of Redis: ${EXPECTED_REDIS}`);
  }
  const { hostname, pathname, search, hash } = new URL(url);
  if (hostname === '') throw new SettingError(variable, `names no host: ${EXPECTED_REDIS}`);
  if (!/^\/?\d{0,5}$/.test(pathname)) {
    throw new SettingError(variable, `has no number as its database: ${EXPECTED_REDIS}`);
  }
  if (search !== '' || hash !== '') {
    throw new SettingError(variable, `has parameters, and none are known: ${EXPECTED_REDIS}`);
  }
  return url;
}
