import type { RateLimitDecision } from '@countersign/domain';
import { errorResponse } from '@countersign/http';
import type { Context } from 'hono';
import type { RequestLine } from '../logging/log.ts';
import type { PeerAddress } from './peer-address.ts';
import type { SiteEnv } from './site-env.ts';

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
