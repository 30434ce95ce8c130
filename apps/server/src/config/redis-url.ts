import { SettingError } from './setting-error.ts';

const EXPECTED = 'expected redis://user:password@host:6379/0, or rediss:// for TLS';

/**
 * Looks whether an address can be one of Redis. Messages never quote it: it may hold a password.
 * @returns the address as it was given
 * @throws SettingError
 */
export function checkedRedisUrl(variable: string, url: string): string {
  if (!/^rediss?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new SettingError(variable, `is no valid address of Redis: ${EXPECTED}`);
  }
  const { hostname, pathname, search, hash } = new URL(url);
  if (hostname === '') throw new SettingError(variable, `names no host: ${EXPECTED}`);
  if (!/^\/?\d{0,5}$/.test(pathname)) {
    throw new SettingError(variable, `has no number as its database: ${EXPECTED}`);
  }
  if (search !== '' || hash !== '') {
    throw new SettingError(variable, `has parameters, and none are known: ${EXPECTED}`);
  }
  return url;
}
