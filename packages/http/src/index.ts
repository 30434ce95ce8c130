export {
  type ApiErrorCode,
  type ApiErrorData,
  ERRORS,
  type ErrorDetails,
  type ErrorEntry,
  type ErrorReason,
  type HttpErrorCode,
  protocolErrorCode,
} from './errors.ts';
export {
  type AccessLogEntry,
  createHandle,
  type Handle,
  type HandleOptions,
  type LoggedRequest,
} from './handle.ts';
export { type ApiOptions, createApi } from './hono.ts';
export { type ApiListener, type ApiListenerOptions, createApiListener } from './node.ts';
export { openApiDocument } from './openapi/document.ts';
export { createRecentRequests } from './recent-requests.ts';
export { type ApiResponse, BODY_MAX_BYTES, type RequestContext, type WholeResponse } from './request-context.ts';
export { pathOfTarget } from './request-target.ts';
export { errorResponse, type ResponseContext } from './responses.ts';
