import type { ErrorData } from '@countersign/domain';
import type { ApiErrorCode } from './errors.ts';

/** The JSON text of a success (interface, Response envelope). */
export function successBody(data: object, message?: string): string {
  const text = JSON.stringify(data);
  if (message === undefined) return `{"success":true,"data":${text}}`;
  return `{"success":true,"data":${text},"message":${JSON.stringify(message)}}`;
}

/** The JSON text of an error (interface, Response envelope). `message` is for people. */
export function errorBody(code: ApiErrorCode, message: string, data?: ErrorData): string {
  return JSON.stringify({ success: false, error: message, code, data: data && wireData(data) });
}

/** Issues go out as a path and a text. Their codes are for pages. */
function wireData({ issues, ...data }: ErrorData): ErrorData {
  if (issues === undefined) return data;
  return { ...data, issues: issues.map(({ path, message }) => ({ path, message })) };
}
