import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { PageError } from './errors.ts';
import type { WebEnv } from './page.ts';
import { isSafe } from './paths.ts';
import type { Site } from './site.ts';

const SELF = ["'self'"];
const NONE = ["'none'"];
const HALF_A_YEAR = 'max-age=15552000';

/** Sets the security headers of every page: no foreign or inline content, no frames, no caching. */
export function pageHeaders({ secure }: Site): MiddlewareHandler<WebEnv> {
  const headers = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: NONE,
      scriptSrc: SELF,
      styleSrc: SELF,
      // The preview of a picture is a blob: address.
      imgSrc: [...SELF, 'blob:'],
      mediaSrc: [...SELF, 'blob:'],
      connectSrc: SELF,
      formAction: SELF,
      baseUri: NONE,
      frameAncestors: NONE,
    },
    permissionsPolicy: { camera: ['self'], microphone: [], geolocation: [], payment: [], usb: [] },
    // `no-referrer` would make browsers send `Origin: null` with every form (Fetch standard, "append a request Origin
    // header"), and those without Sec-Fetch-Site could then post nothing. This sends other sites no referrer either.
    referrerPolicy: 'same-origin',
    // Without `includeSubDomains`: other services may run there.
    strictTransportSecurity: secure ? HALF_A_YEAR : false,
    xFrameOptions: 'DENY',
  });
  return async (context, next) => {
    let stricter: string | null = null;
    await headers(context, async () => {
      await next();
      stricter = context.res.headers.get('Content-Security-Policy');
    });
    // Not by `context.header`, which copies the response, and its body with it.
    const { headers: answered } = context.res;
    // A response may set a stricter policy, as uploaded files do.
    if (stricter !== null) answered.set('Content-Security-Policy', stricter);
    if (!answered.has('Cache-Control')) answered.set('Cache-Control', 'no-store');
    answered.set('X-Request-Id', context.get('page').requestId);
  };
}

/** Receives a request with a foreign origin before it is refused. */
export type OnForgedOrigin = (context: Context, site: Site) => Promise<void>;

/**
 * Refuses requests with an unsafe method that come from another site. Browsers before 2023 do not send
 * `Sec-Fetch-Site`, only `Origin`.
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
