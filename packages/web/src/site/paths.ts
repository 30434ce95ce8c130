import { callerRequestId, loggedId } from '@countersign/domain';
import type { Context } from 'hono';
import { basePath, matchedRoutes, routePath } from 'hono/route';
import type { FaultEntry } from './site.ts';

/** Where the documentation for developers begins. */
export const DOCS_PATH = '/docs';

/** Returns the requested path, without the path at which the pages are mounted. */
export function pathBelowMount(context: Context): string {
  const mount = basePath(context).replace(/\/+$/, '');
  const { path } = context.req;
  return path.startsWith(`${mount}/`) ? path.slice(mount.length) : '/';
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the method is safe (RFC 9110, section 9.2.1): it changes nothing. */
export function isSafe(method: string): boolean {
  return SAFE.has(method);
}

/** Returns where to return to: the path with the query of a page that was read, the path alone for a form. */
export function pathToReturnTo(context: Context): string {
  const { method, url } = context.req;
  const path = pathBelowMount(context);
  return isSafe(method) ? path + new URL(url).search : path;
}

/** Whether a text from a request is a path of this service, and so safe to redirect to. */
export function isOwnPath(path: string): boolean {
  // Browsers drop tabs and line breaks, then read `//host` and `/\host` as another host.
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

/** Returns the template of the current route: `/verify/{id}/{slug}`. */
function routeTemplate(context: Context): string {
  return templateOf(routePath(context));
}

/**
 * Returns the template of the route that the request asks for, for middleware that runs before it. Without such a route,
 * returns the area: `/dashboard/*`.
 */
export function wantedTemplate(context: Context): string {
  const { method } = context.req;
  // The route of GET answers HEAD.
  const wanted = matchedRoutes(context).find((route) => route.method === (method === 'HEAD' ? 'GET' : method));
  return wanted === undefined ? routeTemplate(context) : templateOf(wanted.path);
}

function templateOf(path: string): string {
  return path.replace(/:(\w+)(?:\{.*?\})?(?=\/|$)/g, '{$1}');
}

/** What a log says about a request, besides its id. */
export function loggedRequest(context: Context): Omit<FaultEntry, 'requestId'> {
  const { req } = context;
  return {
    callerRequestId: callerRequestId({
      requestId: req.header('X-Request-Id'),
      traceparent: req.header('traceparent'),
    }),
    method: req.method,
    path: routeTemplate(context),
    verificationId: loggedId(verificationIn(context)),
  };
}

/** Returns the parameter of the current route that names a verification. Of a subject's link, only the id. */
function verificationIn({ req }: Context): string | undefined {
  return req.param('verificationId') ?? req.param('id') ?? req.param('reference')?.split('.', 1)[0];
}
