export { createApi } from './api.ts';
export type { ApiOptions } from './api-options.ts';
export { errorBody } from './envelope.ts';
export { type ErrorAnswer, errorAnswer, protocolErrorCode } from './error-answer.ts';
export { type ApiErrorCode, ERROR_STATUS, type HttpErrorCode } from './error-status.ts';
export type { RequestEntry, ResponseEntry } from './exchange.ts';
export { openApiDocument } from './openapi/document.ts';
export { createReferencePage, type ReferencePageOptions } from './reference-page.ts';
