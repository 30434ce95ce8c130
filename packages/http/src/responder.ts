import { type Countersign, type Principal, type RateLimitDecision, requirePermission } from '@countersign/domain';
import { ApiError } from './api-error.ts';
import type { AnswerOptions } from './api-options.ts';
import type { Exchange } from './exchange.ts';
import { createDocumentRoute } from './openapi/document-route.ts';
import { readQuery, readSegment } from './query.ts';
import type { ApiRequest } from './request-context.ts';
import { type Answer, isFault } from './responses.ts';
import { createRouteFinder, operationOf } from './routes.ts';
import { createVerificationRoutes } from './verification-routes.ts';

/** Answers a request, and notes in the exchange what it learns. What it throws is the answer too. */
export type Responder = (request: ApiRequest, exchange: Exchange) => Promise<Answer>;

/**
 * Checks in the order of DESIGN section 2: key, rate limit, route, permission, and then what the operation reads.
 * So nobody without a key learns which routes there are, and nothing of a body is read that will not be used.
 */
export function createResponder(countersign: Countersign, options: AnswerOptions): Responder {
  const { authenticate, rateLimits } = countersign;
  const { serverUrl, now = () => new Date() } = options;
  const findRoute = createRouteFinder([...createVerificationRoutes(countersign), createDocumentRoute(serverUrl)]);

  const countAddress = (request: ApiRequest) => rateLimits.forAddress(request.clientAddress());

  /** Every request counts: with a valid key for its client, else for its address, also when the database is down. */
  async function identify(request: ApiRequest, exchange: Exchange): Promise<Principal> {
    let principal: Principal;
    try {
      principal = await authenticate(request.header('x-api-key'));
    } catch (error) {
      exchange.rateLimit = await countAddress(request);
      // Behind a fault there may well be a valid key: its client is told of the fault, not of a limit it never reached.
      if (!isFault(error)) requireRoom(exchange.rateLimit, now);
      throw error;
    }
    exchange.principal = principal;
    exchange.rateLimit = await rateLimits.forClient(principal);
    requireRoom(exchange.rateLimit, now);
    return principal;
  }

  return async (request, exchange) => {
    const match = findRoute(request.path);
    if (match !== null) exchange.path = match.route.template;

    if (match?.route.access === 'public') {
      exchange.rateLimit = await countAddress(request);
      requireRoom(exchange.rateLimit, now);
      const operation = operationOf(match.route, request.method);
      readQuery(request.url, {});
      return operation(request);
    }

    const principal = await identify(request, exchange);
    if (match === null) throw new ApiError('NOT_FOUND', 'Not found');
    const operation = operationOf(match.route, request.method);
    requirePermission(principal.permissions, operation.permission);
    const id = readSegment(match.segment, 'id');
    const query = readQuery(request.url, operation.parameters);
    return await operation.run({ request, principal, id, query });
  };
}

/** @throws ApiError `RATE_LIMIT_EXCEEDED` */
function requireRoom(decision: RateLimitDecision, now: () => Date): void {
  if (decision.allowed) return;
  const seconds = Math.max(1, Math.ceil((decision.resetAt.getTime() - now().getTime()) / 1000));
  throw new ApiError('RATE_LIMIT_EXCEEDED', `Rate limit exceeded: try again in ${seconds} s`, {
    'Retry-After': String(seconds),
  });
}
