import type { MiddlewareHandler } from 'hono';
import { PageError } from './page-error.ts';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whatever may change something must come from a page of this service. Browsers say so in `Sec-Fetch-Site`; those
 * before 2023 only in `Origin`.
 */
export function sameOrigin({ origin }: Site): MiddlewareHandler<WebEnv> {
  return async ({ req }, next) => {
    if (!SAFE.has(req.method)) {
      const site = req.header('Sec-Fetch-Site');
      const own = site === undefined ? req.header('Origin') === origin : site === 'same-origin';
      if (!own) throw new PageError(403);
    }
    await next();
  };
}
