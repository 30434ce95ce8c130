import type { Context, MiddlewareHandler } from 'hono';
import { PageError } from './page-error.ts';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request by this method changes nothing. */
export function isSafe(method: string): boolean {
  return SAFE.has(method);
}

/** Told of a form that did not come from a page of this service, before it is answered. */
export type OnForgedOrigin = (context: Context, site: Site) => Promise<void>;

/**
 * Whatever may change something must come from a page of this service. Browsers say so in `Sec-Fetch-Site`; those
 * before 2023 only in `Origin`.
 */
export function sameOrigin(site: Site, onForgedOrigin?: OnForgedOrigin): MiddlewareHandler<WebEnv> {
  return async (context, next) => {
    const { req } = context;
    if (!isSafe(req.method) && !isOwnForm(req.header('Sec-Fetch-Site'), req.header('Origin'), site.origin)) {
      await onForgedOrigin?.(context, site);
      throw new PageError(403);
    }
    await next();
  };
}

function isOwnForm(fetchSite: string | undefined, from: string | undefined, origin: string): boolean {
  return fetchSite === undefined ? from === origin : fetchSite === 'same-origin';
}
