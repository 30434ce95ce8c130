import type { RateLimitDecision } from '@countersign/domain';
import { errorResponse } from '@countersign/http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { FaultContext, RequestLine } from '../logging/log.ts';
import { answerFault } from './fault-answer.ts';
import type { PeerAddress } from './peer-address.ts';

export interface SiteOptions {
  readonly reference: Hono;
  readonly health: Hono;
  /** Answers the pages of @countersign/web, which logs its own requests. */
  pages(request: Request, env: HttpBindings): Response | Promise<Response>;
  newRequestId(): string;
  readonly peerAddress: PeerAddress;
  countRequest(address: string): Promise<RateLimitDecision>;
  onResponse(line: RequestLine): void;
  onHealthCheck(line: RequestLine): void;
  onFault(fault: unknown, context: FaultContext): void;
}

/** Paths of the pages, which have their own 404. */
const PAGES = ['/', '/language', '/assets/*', '/verify/*', '/review/*', '/account/*', '/dashboard/*', '/admin/*'];

/** Routes outside the API and the pages, and their names in the log. */
const TEMPLATES = { '/docs/*': '/docs', '/favicon.ico': '/favicon.ico' };
const HEALTH = ['/healthz', '/readyz'];

/** Paths that allow only GET and HEAD. */
const READ_ONLY = [...Object.keys(TEMPLATES), ...HEALTH];

/** Creates everything that the server answers outside the API. Unknown routes get 404 or 405 in the envelope. */
export function createSite(options: SiteOptions): Hono<SiteEnv> {
  const site = new Hono<SiteEnv>();
  for (const path of PAGES) site.all(path, ({ req, env }) => options.pages(req.raw, env));
  for (const path of HEALTH) site.use(path, logged(path, options.newRequestId, options.onHealthCheck));
  for (const [path, template] of Object.entries(TEMPLATES)) {
    site.use(path, logged(template, options.newRequestId, options.onResponse));
  }
  site.route('/', options.health);
  site.route('/docs', options.reference);
  // Browsers request it unasked. A 404 would fill the log and count against their rate limit.
  site.get('/favicon.ico', (context) => context.body(null, 204, { 'Cache-Control': 'public, max-age=86400' }));

  const refuse = createRefusal(options);
  for (const path of READ_ONLY) site.all(path, (context) => refuse(context, 'METHOD_NOT_ALLOWED'));
  site.notFound((context) => refuse(context, 'NOT_FOUND'));
  site.onError((fault, context) => answerFault(fault, context.env.incoming, options, context.get('requestId')));
  return site;
}

/** Gives the request an id and logs its answer. */
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
    context.header('X-Request-Id', requestId);
    const durationMs = performance.now() - startedAt;
    onResponse({ requestId, method: context.req.method, path, status: context.res.status, durationMs });
  };
}

export interface RefusalOptions {
  readonly peerAddress: PeerAddress;
  newRequestId(): string;
  countRequest(address: string): Promise<RateLimitDecision>;
  onResponse(line: RequestLine): void;
}

type RefusalCode = 'NOT_FOUND' | 'METHOD_NOT_ALLOWED';

/** Refuses an unknown path or method in the envelope and counts it. Logs it, unless its route does. */
function createRefusal(
  options: RefusalOptions,
): (context: Context<SiteEnv>, code: RefusalCode) => Promise<Response> {
  return async (context, refused) => {
    const startedAt = performance.now();
    const givenId = context.get('requestId');
    const requestId = givenId ?? options.newRequestId();
    const rateLimit = await options.countRequest(options.peerAddress(context.env.incoming));
    const code = rateLimit.allowed ? refused : 'RATE_LIMIT_EXCEEDED';
    const headers = code === 'METHOD_NOT_ALLOWED' ? { Allow: 'GET, HEAD' } : {};
    const answer = errorResponse(code, { requestId, rateLimit }, { headers });
    if (givenId === undefined) {
      const durationMs = performance.now() - startedAt;
      options.onResponse({
        requestId,
        method: context.req.method,
        path: '*',
        status: answer.status,
        durationMs,
        code,
      });
    }
    return new Response(answer.body, answer);
  };
}

/** Context of the site's handlers: the objects of node:http, and the request id. */
export interface SiteEnv {
  Bindings: HttpBindings;
  Variables: { requestId: string };
}
