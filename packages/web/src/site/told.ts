import type { MiddlewareHandler } from 'hono';
import { routeTemplate } from './route-template.ts';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

/** Tells how each request was answered, by the template of its route: an address may hold a token. */
export function told({ options: { onResponse } }: Site): MiddlewareHandler<WebEnv> {
  return async (context, next) => {
    const startedAt = performance.now();
    await next();
    onResponse?.({
      requestId: context.get('page').requestId,
      method: context.req.method,
      path: routeTemplate(context),
      status: context.res.status,
      durationMs: performance.now() - startedAt,
    });
  };
}
