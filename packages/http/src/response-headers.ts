import type { RateLimitDecision } from '@countersign/domain';

/** The headers that every answer of the API has. `rateLimit` is only unknown when counting itself failed. */
export function responseHeaders(
  requestId: string,
  rateLimit: RateLimitDecision | undefined,
  extra: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const headers: Record<string, string> =
    rateLimit === undefined
      ? { ...SAME, 'X-Request-Id': requestId }
      : {
          ...SAME,
          'X-Request-Id': requestId,
          'X-RateLimit-Limit': String(rateLimit.limit),
          'X-RateLimit-Remaining': String(rateLimit.remaining),
          // Rounded up, so that a client who waits until then finds the new window open.
          'X-RateLimit-Reset': String(Math.ceil(rateLimit.resetAt.getTime() / 1000)),
        };
  return extra === undefined ? headers : Object.assign(headers, extra);
}

const SAME = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};
