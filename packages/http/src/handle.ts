import {
  type Countersign,
  callerRequestId,
  faultBehind,
  isCountersignError,
  loggedId,
  type Principal,
  type RateLimitDecision,
  requirePermission,
} from '@countersign/domain';
import { readEmptyBody, readJsonObject } from './body.ts';
import { ApiError, type ApiErrorCode, BEARER_HINT } from './errors.ts';
import { type ApiResponse, isDownload, type RequestContext } from './request-context.ts';
import { readQuery, readSegment } from './request-target.ts';
import {
  errorOf,
  errorResponse,
  isFault,
  type OperationResult,
  type ResponseContext,
  reportedParts,
  successResponse,
} from './responses.ts';
import { apiRoutes, createRouter, operationOf } from './routes.ts';

/** What a log may say about a request: no query, and of the headers only the caller's id of the request. */
export interface LoggedRequest {
  readonly requestId: string;
  /** The id that the caller gave in `X-Request-Id` or `traceparent`. */
  readonly callerRequestId: string | undefined;
  readonly method: string;
  /** The path below the mount point as the interface writes it, such as `/verifications/{id}`; `*` for an unknown one. */
  readonly path: string;
  /** The verification that the request names or created, or that stands in the way of a creation. */
  readonly verificationId: string | undefined;
}

/** One line of an access log. */
export interface AccessLogEntry extends LoggedRequest {
  readonly status: number;
  readonly durationMs: number;
  /** Present with a valid key. */
  readonly clientId: string | undefined;
  readonly keyId: string | undefined;
  /** Present with an error. */
  readonly code: ApiErrorCode | undefined;
}

/** What the API needs from the server around it. None of these functions may throw. */
export interface HandleOptions {
  /**
   * Makes the id of a request, for `X-Request-Id` and the log. It may take over an id that a trusted proxy has set:
   * `(request) => request.header('x-request-id') ?? randomUUID()`.
   */
  readonly newRequestId: (request: RequestContext) => string;
  /** Receives one entry for each response. */
  readonly onResponse?: ((entry: AccessLogEntry) => void) | undefined;
  /** Receives each error that became 500 or 503, is behind a 404 or broke a download off, with its request. */
  readonly onFault: (fault: unknown, request: LoggedRequest) => void;
  /** Returns the current time, for `Retry-After`; default: the system clock. */
  readonly now?: (() => Date) | undefined;
  /** Where clients reach the mount point, for the OpenAPI document; default: its path. */
  readonly serverUrl?: string | undefined;
}

/** Answers one request of the API. Rejects only if one of the {@link HandleOptions} throws. */
export type Handle = (request: RequestContext) => Promise<ApiResponse>;

/** What becomes known of a request while it is handled, also where that ends in an error. */
interface Progress {
  readonly requestId: string;
  readonly callerRequestId: string | undefined;
  readonly method: string;
  path: string;
  verificationId: string | undefined;
  principal: Principal | undefined;
  rateLimit: RateLimitDecision | undefined;
}

/**
 * Makes the API as one function from request to response. `createApi` and `createApiListener` bind it to Hono and
 * node:http; use it directly to bind it to another server.
 *
 * @example
 * const handle = createHandle(countersign, { newRequestId: () => crypto.randomUUID(), onFault: console.error });
 * const { status, headers, body } = await handle({
 *   method: 'GET',
 *   url: '/verifications?limit=10',
 *   path: '/verifications',
 *   mountPath: '',
 *   clientAddress: () => '192.0.2.1',
 *   header: (name) => (name === 'x-api-key' ? key : undefined),
 *   body: async () => new Uint8Array(),
 * });
 */
export function createHandle(countersign: Countersign, options: HandleOptions): Handle {
  const { authenticate, rateLimits } = countersign;
  const { newRequestId, onFault, onResponse, serverUrl, now } = options;
  const findRoute = createRouter(apiRoutes(countersign, serverUrl));

  return async function handle(request) {
    const startedAt = performance.now();
    const progress: Progress = {
      requestId: newRequestId(request),
      callerRequestId: callerRequestId({
        requestId: request.header('x-request-id'),
        traceparent: request.header('traceparent'),
      }),
      method: request.method,
      path: '*',
      verificationId: undefined,
      principal: undefined,
      rateLimit: undefined,
    };
    let response: ApiResponse;
    let code: ApiErrorCode | undefined;
    try {
      const result = await run(request, progress);
      progress.verificationId ??= result.createdId;
      response = successResponse(result, responseContext(progress));
      const { body } = response;
      if (isDownload(body)) {
        response = { ...response, body: reportedParts(body, (fault) => onFault(fault, loggedRequest(progress))) };
      }
    } catch (thrown) {
      const error = errorOf(thrown);
      code = error.code;
      progress.verificationId ??= error.details.data?.verificationId;
      const fault = isFault(code) ? thrown : faultBehind(thrown);
      if (fault !== undefined) onFault(fault, loggedRequest(progress));
      response = errorResponse(code, { ...responseContext(progress), now }, error.details);
    }
    onResponse?.(accessLogEntry(progress, response.status, code, performance.now() - startedAt));
    return response;
  };

  /**
   * Checks in the order of DESIGN section 2: key, rate limit, route, permission, path, query, body. So a caller without
   * a key does not learn which paths exist, and no body is read in vain.
   */
  async function run(request: RequestContext, progress: Progress): Promise<OperationResult> {
    const match = findRoute(pathBelowMount(request));
    if (match !== null) progress.path = match.route.template;

    if (match?.route.access === 'public') {
      progress.rateLimit = await rateLimits.forAddress(request.clientAddress());
      requireCapacity(progress.rateLimit);
      const operation = operationOf(match.route, request.method);
      readQuery(request.url, {});
      return await operation(request);
    }

    let principal: Principal;
    try {
      principal = await authenticate(request.header('x-api-key'), {
        countRequest: false,
        clientAddress: request.clientAddress,
      });
    } catch (error) {
      throw await refusalOf(error, request, progress);
    }
    progress.principal = principal;
    progress.rateLimit = await rateLimits.forClient(principal);
    requireCapacity(progress.rateLimit);
    if (match === null) throw new ApiError('NOT_FOUND');
    const operation = operationOf(match.route, request.method);
    requirePermission(principal.permissions, operation.permission);
    const id = readSegment(match.segments.id, 'id');
    const fileId = readSegment(match.segments.fileId, 'fileId');
    progress.verificationId = loggedId(id);
    const query = readQuery(request.url, operation.query);
    const body = operation.body === 'json' ? await readJsonObject(request) : undefined;
    if (operation.body === 'empty') await readEmptyBody(request);
    return await operation.run({ principal, id, fileId, query, body, request });
  }

  /** Counts a request without a valid key for its address. Returns the error to answer with. */
  async function refusalOf(error: unknown, request: RequestContext, progress: Progress): Promise<unknown> {
    progress.rateLimit = await rateLimits.forAddress(request.clientAddress());
    // With the key store down the key may be valid: its client gets the fault, not a limit of its address.
    if (!isFault(errorOf(error).code)) requireCapacity(progress.rateLimit);
    return withBearerHint(error, request);
  }
}

function pathBelowMount({ path, mountPath }: RequestContext): string {
  return path.startsWith(mountPath) ? path.slice(mountPath.length) : '*';
}

/** @throws {@link ApiError} `RATE_LIMIT_EXCEEDED` */
function requireCapacity({ allowed }: RateLimitDecision): void {
  if (!allowed) throw new ApiError('RATE_LIMIT_EXCEEDED');
}

/** Adds the hint to `API_KEY_REQUIRED` if the request has an `Authorization: Bearer` header, whose value is not read. */
function withBearerHint(error: unknown, request: RequestContext): unknown {
  if (!isCountersignError(error, 'API_KEY_REQUIRED')) return error;
  if (!/^bearer(?:\s|$)/i.test(request.header('authorization') ?? '')) return error;
  return new ApiError('API_KEY_REQUIRED', { data: { hint: BEARER_HINT } });
}

/** What every response says about its request. */
function responseContext({ requestId, rateLimit, principal }: Progress): ResponseContext {
  return { requestId, rateLimit, mode: principal?.mode };
}

function loggedRequest({ requestId, callerRequestId, method, path, verificationId }: Progress): LoggedRequest {
  return { requestId, callerRequestId, method, path, verificationId };
}

function accessLogEntry(
  progress: Progress,
  status: number,
  code: ApiErrorCode | undefined,
  durationMs: number,
): AccessLogEntry {
  const { requestId, callerRequestId, method, path, verificationId, principal } = progress;
  const { clientId, keyId } = principal ?? {};
  return {
    requestId,
    callerRequestId,
    method,
    path,
    verificationId,
    status,
    durationMs,
    clientId,
    keyId,
    code,
  };
}
