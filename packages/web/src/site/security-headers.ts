import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

const SELF = ["'self'"];
const NONE = ["'none'"];
const HALF_A_YEAR = 'max-age=15552000';

/** Headers of every page: nothing from elsewhere, nothing inline, no frame, nothing kept by a cache. */
export function pageHeaders({ secure }: Site): MiddlewareHandler<WebEnv> {
  const headers = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: NONE,
      scriptSrc: SELF,
      styleSrc: SELF,
      // Pico's icons are data: addresses; pictures are looked at as blob: before they are sent.
      imgSrc: [...SELF, 'data:', 'blob:'],
      mediaSrc: [...SELF, 'blob:'],
      connectSrc: SELF,
      formAction: SELF,
      baseUri: NONE,
      frameAncestors: NONE,
    },
    permissionsPolicy: { camera: ['self'], microphone: [], geolocation: [], payment: [], usb: [] },
    // `no-referrer` would make browsers send `Origin: null` with every form (Fetch standard, "append a request Origin
    // header"), and those without Sec-Fetch-Site could then post nothing. This tells other sites as little.
    referrerPolicy: 'same-origin',
    // Whether it holds for subdomains is for whoever owns them to say.
    strictTransportSecurity: secure ? HALF_A_YEAR : false,
    xFrameOptions: 'DENY',
  });
  return async (context, next) => {
    let stricter: string | null = null;
    await headers(context, async () => {
      await next();
      stricter = context.res.headers.get('Content-Security-Policy');
    });
    // That of an uploaded file, for example.
    if (stricter !== null) context.header('Content-Security-Policy', stricter);
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store');
    context.header('X-Request-Id', context.get('page').requestId);
  };
}
