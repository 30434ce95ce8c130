import type { Assets } from './assets.ts';
import type { WebOptions } from './web-options.ts';

/** What every request shares. */
export interface Site {
  readonly options: WebOptions;
  readonly assets: Assets;
  /** Path that every address on a page begins with, without a slash at its end: empty or `/verification`. */
  readonly basePath: string;
  /** Origin that people reach the service at: `https://example.org`. */
  readonly origin: string;
  /** Whether it is reached by https. Cookies are `Secure` then. */
  readonly secure: boolean;
}

/** @throws TypeError where `publicBaseUrl` is not an absolute address */
export function createSite(options: WebOptions, assets: Assets): Site {
  const { origin, pathname, protocol } = new URL(options.publicBaseUrl);
  return { options, assets, origin, basePath: pathname.replace(/\/+$/, ''), secure: protocol === 'https:' };
}
