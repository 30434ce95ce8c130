import type { MiddlewareHandler } from 'hono';
import { drainBody } from './drain-body.ts';

/**
 * Reads what nobody wanted of a request, within bounds, before it is answered: an upload whose link has expired, for
 * example. A browser that is still sending would report a reset connection and not the answer.
 */
export const drainUnread: MiddlewareHandler = async ({ req }, next) => {
  await next();
  const { body, bodyUsed } = req.raw;
  if (body !== null && !bodyUsed && !body.locked) await drainBody(body.getReader());
};
