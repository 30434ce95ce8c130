import type { Context } from 'hono';
import { routePath } from 'hono/route';

/** The route that answers a request, as the interface writes paths: `/verify/{id}/{slug}`. */
export function routeTemplate(context: Context): string {
  return routePath(context).replace(/:(\w+)(?:\{.*?\})?(?=\/|$)/g, '{$1}');
}
