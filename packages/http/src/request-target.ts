import { getPath } from 'hono/utils/url';

const ABSOLUTE = /^https?:\/\/[^/?#]+/i;

/**
 * The path of what stands in a request line, decoded as Hono decodes it, so that a request is the same one on either
 * way into the API. A proxy may be sent a whole address (RFC 9112, section 3.2.2).
 */
export function pathOfTarget(target: string): string {
  const origin = target.startsWith('/') ? target : target.replace(ABSOLUTE, '');
  const end = origin.search(/[?#%]/);
  if (end === -1) return origin;
  return origin.includes('%') ? getPath({ url: `http://host${origin}` } as Request) : origin.slice(0, end);
}
