const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns a text that is a UUID, for a log line; undefined for anything else. An address may hold any text where an id
 * is expected, and a log must not keep what a person typed.
 *
 * @example
 * loggedId('01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602'); // the same text
 * loggedId('ada@example.org'); // undefined
 */
export function loggedId(text: string | undefined): string | undefined {
  return UUID.test(text ?? '') ? text : undefined;
}

const CALLER_REQUEST_ID = /^[\w.-]{1,64}$/;

/** What carries the id that a caller gave its request: the headers `X-Request-Id` and `traceparent` (W3C Trace Context). */
export interface CallerRequestHeaders {
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
}

/**
 * Returns the id that the caller gave its request, for a log line beside the server's own; undefined if there is none.
 * `X-Request-Id` comes before `traceparent`. Only 1–64 characters of `A–Z a–z 0–9 . _ -` count: any other text could
 * forge log lines or hold personal data.
 *
 * @example
 * callerRequestId({ requestId: 'order-1001', traceparent: undefined }); // 'order-1001'
 */
export function callerRequestId({ requestId, traceparent }: CallerRequestHeaders): string | undefined {
  return acceptedId(requestId) ?? acceptedId(traceparent);
}

function acceptedId(given: string | undefined): string | undefined {
  return CALLER_REQUEST_ID.test(given ?? '') ? given : undefined;
}
