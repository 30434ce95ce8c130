import type { IncomingMessage } from 'node:http';
import type { RateLimitDecision } from '@countersign/domain';
import { errorResponse } from '@countersign/http';
import type { FaultContext } from '../logging/log.ts';
import type { PeerAddress } from './peer-address.ts';

export interface FaultAnswerOptions {
  readonly peerAddress: PeerAddress;
  newRequestId(): string;
  countRequest(address: string): Promise<RateLimitDecision>;
  onFault(fault: unknown, context: FaultContext): void;
}

/** Reports an unexpected fault and answers 500 in the envelope. Counts the request against its address. Never rejects. */
export async function answerFault(
  fault: unknown,
  incoming: IncomingMessage,
  options: FaultAnswerOptions,
  requestId: string = options.newRequestId(),
): Promise<Response> {
  const context = { requestId, method: incoming.method ?? '-' };
  options.onFault(fault, context);
  const answer = await withRateLimit();
  return new Response(answer.body, { status: answer.status, headers: answer.headers });

  async function withRateLimit(): Promise<ReturnType<typeof errorResponse>> {
    try {
      const rateLimit = await options.countRequest(options.peerAddress(incoming));
      return errorResponse('INTERNAL_ERROR', { requestId, rateLimit });
    } catch (second) {
      options.onFault(second, context);
      return errorResponse('INTERNAL_ERROR', { requestId });
    }
  }
}
