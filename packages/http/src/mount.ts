import type { Context } from 'hono';
import { basePath, baseRoutePath } from 'hono/route';

/** Where the present handler is mounted: `/api/v1`, or nothing for the root. */
export function mountPath(context: Context): string {
  const pattern = baseRoutePath(context);
  if (pattern === '/') return '';
  // `basePath` also fills in parameters, but takes 1.3 µs for it.
  return pattern.includes(':') ? basePath(context) : pattern;
}
