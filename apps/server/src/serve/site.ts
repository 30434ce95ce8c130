import type { WholeResponse } from '@countersign/http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { RequestLine } from '../logging/log.ts';
import { answerFault, callerIdOf, refuse, type ServerResponseOptions } from './server-responses.ts';

export interface SiteOptions extends ServerResponseOptions {
  readonly health: Hono;
  /** Answers the pages of @countersign/web, which logs its own requests. */
  pages(request: Request, env: HttpBindings): Response | Promise<Response>;
  onHealthCheck(line: RequestLine): void;
}

/** Paths of the pages, which have their own 404. */
const PAGES = [
  '/',
  '/language',
  '/assets/*',
  '/verify/*',
  '/export/*',
  '/faces/*',
  '/review/*',
  '/account/*',
  '/dashboard/*',
  '/admin/*',
  '/docs/*',
];

/** Routes outside the API and the pages, and their names in the log. */
const TEMPLATES = { '/favicon.ico': '/favicon.ico' };
const HEALTH = ['/healthz', '/readyz'];

/** Paths that allow only GET and HEAD. */
const READ_ONLY = [...Object.keys(TEMPLATES), ...HEALTH];

/** Creates everything that the server answers outside the API. Unknown routes get 404 or 405 in the envelope, browsers a page. */
export function createSite(options: SiteOptions): Hono<SiteEnv> {
  const site = new Hono<SiteEnv>();
  for (const path of PAGES) site.all(path, ({ req, env }) => options.pages(req.raw, env));
  for (const path of HEALTH) site.use(path, logged(path, options.newRequestId, options.onHealthCheck));
  for (const [path, template] of Object.entries(TEMPLATES)) {
    site.use(path, logged(template, options.newRequestId, options.onResponse));
  }
  site.route('/', options.health);
  // Browsers request it unasked. A 404 would fill the log and count against their rate limit.
  site.get('/favicon.ico', (context) => context.body(null, 204, { 'Cache-Control': 'public, max-age=86400' }));

  type Code = Parameters<typeof refuse>[0];
  const refusal = async ({ env, get }: Context<SiteEnv>, code: Code) =>
    asResponse(await refuse(code, env.incoming, options, get('requestId')));
  for (const path of READ_ONLY) site.all(path, (context) => refusal(context, 'METHOD_NOT_ALLOWED'));
  site.notFound((context) => {
    if (!asksForPage(context)) return refusal(context, 'NOT_FOUND');
    context.set('isLogged', true);
    return options.pages(context.req.raw, context.env);
  });
  site.onError(async (fault, { env, get }) =>
    asResponse(await answerFault(fault, env.incoming, options, get('requestId'))),
  );
  return site;
}

function asResponse(answer: WholeResponse): Response {
  return new Response(answer.body, answer);
}

/** Whether a browser asks for a page, outside the paths of the API. */
function asksForPage({ req }: Context<SiteEnv>): boolean {
  if (!['GET', 'HEAD'].includes(req.method) || /^\/api(?:\/|$)/.test(req.path)) return false;
  return parseAccept(req.header('Accept') ?? '').some(({ type, q }) => type === 'text/html' && q > 0);
}

/** Gives the request an id and logs its answer, unless the pages have. */
function logged(
  path: string,
  newRequestId: () => string,
  onResponse: (line: RequestLine) => void,
): MiddlewareHandler<SiteEnv> {
  return async (context, next) => {
    const startedAt = performance.now();
    const requestId = newRequestId();
    context.set('requestId', requestId);
    await next();
    if (context.get('isLogged')) return;
    context.header('X-Request-Id', requestId);
    const durationMs = performance.now() - startedAt;
    onResponse({
      requestId,
      callerRequestId: callerIdOf(context.env.incoming),
      method: context.req.method,
      path,
      status: context.res.status,
      durationMs,
    });
  };
}

/** Context of the site's handlers: the objects of node:http, and the request id. */
export interface SiteEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Whether the pages have answered and logged the request. */
    isLogged: boolean;
  };
}
