import type { Countersign } from '@countersign/domain';
import type { AnswerOptions } from './api-options.ts';
import { type Exchange, requestEntry, responseEntry } from './exchange.ts';
import type { ApiRequest } from './request-context.ts';
import { createResponder } from './responder.ts';
import { responseHeaders } from './response-headers.ts';
import { type Answer, answerToError } from './responses.ts';

/** An answer whole, for whichever kind of server sends it. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** JSON text. */
  readonly body: string;
}

/** Answers every request, in the envelope and with the headers of the interface, and tells of it. */
export function createAnswerer(
  countersign: Countersign,
  options: AnswerOptions,
): (request: ApiRequest) => Promise<WholeAnswer> {
  const { newRequestId, onFault, onResponse } = options;
  const respond = createResponder(countersign, options);

  return async (request) => {
    const startedAt = performance.now();
    const exchange: Exchange = { requestId: newRequestId(), method: request.method, path: '*' };
    let answer: Answer;
    try {
      answer = await respond(request, exchange);
    } catch (error) {
      answer = answerToError(error, (fault) => onFault(fault, requestEntry(exchange)));
    }
    onResponse?.(responseEntry(exchange, answer, performance.now() - startedAt));
    const { status, body } = answer;
    return { status, body, headers: responseHeaders(exchange.requestId, exchange.rateLimit, answer.headers) };
  };
}
