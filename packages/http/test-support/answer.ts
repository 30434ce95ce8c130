import { expect } from 'vitest';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; null if the answer has no body. */
  readonly body: Envelope;
}

export interface Envelope {
  readonly success: boolean;
  readonly data?: Record<string, unknown>;
  readonly message?: string;
  readonly error?: string;
  readonly code?: string;
}

/** Expects this error in the envelope, with no other field. */
export function expectRefusal(
  { status, body }: ApiAnswer,
  expectedStatus: number,
  code: string,
  error?: string,
): void {
  const { data: _, ...envelope } = body;
  const text: unknown = error ?? expect.stringMatching(/\S/);
  expect({ status, ...envelope }).toEqual({ status: expectedStatus, success: false, code, error: text });
}

/** Returns the data of an answer. */
export function dataOf({ body }: Pick<ApiAnswer, 'body'>): Record<string, unknown> {
  if (body.data === undefined) throw new Error(`no data in ${JSON.stringify(body)}`);
  return body.data;
}
