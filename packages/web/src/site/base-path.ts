import type { Context } from 'hono';
import { basePath } from 'hono/route';

/** The path that was asked for, seen from where the pages are mounted. */
export function pathBelowMount(context: Context): string {
  const mount = basePath(context).replace(/\/+$/, '');
  const { path } = context.req;
  return path.startsWith(`${mount}/`) ? path.slice(mount.length) : '/';
}

/** Whether a text that came with a request may be redirected to: a path of this service and nothing else. */
export function isOwnPath(path: string): boolean {
  // A browser reads `//host` and `/\host` as another host, and leaves out tabs and line breaks first.
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}
