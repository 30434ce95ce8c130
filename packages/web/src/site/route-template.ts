import type { Context } from 'hono';
import { matchedRoutes, routePath } from 'hono/route';

/** The route that answers a request, as the interface writes paths: `/verify/{id}/{slug}`. */
export function routeTemplate(context: Context): string {
  return templateOf(routePath(context));
}

/**
 * The route that a request asks for, whether or not it gets there; where there is none, the area: `/dashboard/*`. For
 * whatever answers before it.
 */
export function wantedTemplate(context: Context): string {
  const { method } = context.req;
  // A HEAD is answered by the route of GET.
  const wanted = matchedRoutes(context).find((route) => route.method === (method === 'HEAD' ? 'GET' : method));
  return wanted === undefined ? routeTemplate(context) : templateOf(wanted.path);
}

function templateOf(path: string): string {
  return path.replace(/:(\w+)(?:\{.*?\})?(?=\/|$)/g, '{$1}');
}
