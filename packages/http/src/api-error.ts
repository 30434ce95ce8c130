import type { ApiErrorCode } from './errors.ts';

/** A refusal that this package itself decides on, with the headers that belong to it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: ApiErrorCode, message: string, headers?: Readonly<Record<string, string>>) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}
