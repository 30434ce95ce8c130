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
  /** Answers everything that people look at, and tells of it itself. */
  pages(request: Request, env: HttpBindings): Response | Promise<Response>;
  newRequestId(): string;
  readonly peerAddress: PeerAddress;
  countRequest(address: string): Promise<RateLimitDecision>;
  onResponse(line: RequestLine): void;
  onHealthCheck(line: RequestLine): void;
  onFault(fault: unknown, context: FaultContext): void;
}

/** Where the pages of @countersign/web are: they have a 404 of their own. */
const PAGES = ['/', '/language', '/assets/*', '/verify/*', '/review/*', '/account/*', '/dashboard/*', '/admin/*'];

/** Routes outside the API and the pages, and how the log calls them. */
const TEMPLATES = { '/docs/*': '/docs', '/favicon.ico': '/favicon.ico' };
const HEALTH = ['/healthz', '/readyz'];

/** Where something is to be read, and nothing else to be done. */
const READ_ONLY = [...Object.keys(TEMPLATES), ...HEALTH];

/** Everything the server answers outside the API. What no route knows gets a 404 in the envelope, or a 405. */
export function createSite(options: SiteOptions): Hono<SiteEnv> {
  const site = new Hono<SiteEnv>();
  for (const path of PAGES) site.all(path, ({ req, env }) => options.pages(req.raw, env));
  for (const path of HEALTH) site.use(path, told(path, options.newRequestId, options.onHealthCheck));
  for (const [path, template] of Object.entries(TEMPLATES)) {
    site.use(path, told(template, options.newRequestId, options.onResponse));
  }
  site.route('/', options.health);
  site.route('/docs', options.reference);
  // Browsers ask for it on their own: not worth a 404 in the log, nor one of the requests they may make.
  site.get('/favicon.ico', (context) => context.body(null, 204, { 'Cache-Control': 'public, max-age=86400' }));

  const refuse = createRefusal(options);
  for (const path of READ_ONLY) site.all(path, (context) => refuse(context, 'METHOD_NOT_ALLOWED'));
  site.notFound((context) => refuse(context, 'NOT_FOUND'));
  site.onError((fault, context) => answerFault(fault, context.env.incoming, options, context.get('requestId')));
  return site;
}

/** Gives the request an id and tells how it was answered. */
function told(
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

/** Refuses, in the envelope, what no route outside the API takes. Counts it, and tells of it if nobody else will. */
export function createRefusal(
  options: RefusalOptions,
): (context: Context<SiteEnv>, code: RefusalCode) => Promise<Response> {
  return async (context, refused) => {
    const startedAt = performance.now();
    const toldElsewhere = context.get('requestId');
    const requestId = toldElsewhere ?? options.newRequestId();
    const rateLimit = await options.countRequest(options.peerAddress(context.env.incoming));
    const code = rateLimit.allowed ? refused : 'RATE_LIMIT_EXCEEDED';
    const headers = code === 'METHOD_NOT_ALLOWED' ? { Allow: 'GET, HEAD' } : {};
    const answer = errorResponse(code, { requestId, rateLimit }, { headers });
    if (toldElsewhere === undefined) {
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

/** What the handlers of the site find in their context: node's own objects, and the id of a request outside the API. */
export interface SiteEnv {
  Bindings: HttpBindings;
  Variables: { requestId: string };
}
