import { ACTIONS, type ActionEntry } from '@countersign/domain';
import type { Assets } from './assets.ts';
import type { WebOptions } from './web-options.ts';

/** What every request shares. */
export interface Site {
  readonly options: WebOptions & { readonly actions: readonly ActionEntry[] };
  readonly assets: Assets;
  /** Ids of the actions that have a page of their own; filled while pages are mounted. */
  readonly actionPages: Set<string>;
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
  return {
    options: { ...options, actions: options.actions ?? ACTIONS },
    assets,
    actionPages: new Set(),
    origin,
    basePath: pathname.replace(/\/+$/, ''),
    secure: protocol === 'https:',
  };
}
