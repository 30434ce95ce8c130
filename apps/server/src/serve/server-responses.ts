import type { IncomingMessage } from 'node:http';
import { callerRequestId, type RateLimitDecision } from '@countersign/domain';
import { errorResponse, type WholeResponse } from '@countersign/http';
import type { FaultContext, RequestLine } from '../logging/log.ts';
import type { PeerAddress } from './peer-address.ts';

/** What the server needs to answer a request by itself, without the API and the pages. */
export interface ServerResponseOptions {
  readonly peerAddress: PeerAddress;
  newRequestId(): string;
  /** Counts the request against the address it comes from. */
  countRequest(address: string): Promise<RateLimitDecision>;
  onResponse(line: RequestLine): void;
  onFault(fault: unknown, context: FaultContext): void;
}

type RefusalCode = 'BAD_REQUEST' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED';

/**
 * Refuses a request in the envelope and counts it. Above the rate limit an unknown path or method gets
 * `RATE_LIMIT_EXCEEDED`.
 * @param requestId of a request that its route logs; without it, the refusal is logged here
 */
export async function refuse(
  refused: RefusalCode,
  incoming: IncomingMessage,
  options: ServerResponseOptions,
  requestId?: string,
): Promise<WholeResponse> {
  const startedAt = performance.now();
  const id = requestId ?? options.newRequestId();
  const rateLimit = await options.countRequest(options.peerAddress(incoming));
  const code = rateLimit.allowed || refused === 'BAD_REQUEST' ? refused : 'RATE_LIMIT_EXCEEDED';
  const headers = code === 'METHOD_NOT_ALLOWED' ? { Allow: 'GET, HEAD' } : {};
  const answer = errorResponse(code, { requestId: id, rateLimit }, { headers });
  if (requestId === undefined) {
    const { method = '-' } = incoming;
    const durationMs = performance.now() - startedAt;
    options.onResponse({
      requestId: id,
      callerRequestId: callerIdOf(incoming),
      method,
      path: '*',
      status: answer.status,
      durationMs,
      code,
    });
  }
  return answer;
}

/** Returns the id that the caller gave its request. */
export function callerIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const { 'x-request-id': requestId, traceparent } = headers;
  return callerRequestId({ requestId: textOf(requestId), traceparent: textOf(traceparent) });
}

/** node:http joins repeated headers of these names; its types do not say so. */
function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** Reports an unexpected fault and answers 500 in the envelope. Counts the request against its address. Never rejects. */
export async function answerFault(
  fault: unknown,
  incoming: IncomingMessage,
  options: ServerResponseOptions,
  requestId: string = options.newRequestId(),
): Promise<WholeResponse> {
  const context = { requestId, callerRequestId: callerIdOf(incoming), method: incoming.method ?? '-' };
  options.onFault(fault, context);
  try {
    const rateLimit = await options.countRequest(options.peerAddress(incoming));
    return errorResponse('INTERNAL_ERROR', { requestId, rateLimit });
  } catch (second) {
    options.onFault(second, context);
    return errorResponse('INTERNAL_ERROR', { requestId });
  }
}
