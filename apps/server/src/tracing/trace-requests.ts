import type { IncomingMessage } from 'node:http';
import type { Log, RequestLine } from '../logging/log.ts';
import type { AnswerRequest } from '../serve/request-listener.ts';
import type { Spans } from './spans.ts';

/** Health checks come every few seconds and say nothing in a trace. */
const UNTRACED = /^\/(?:healthz|readyz)(?:\?|$)/;

/** Wraps the listener so that each request is a span, which continues the trace of its `traceparent`. */
export function traceListener(answer: AnswerRequest, spans: Spans): AnswerRequest {
  return (incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    if (UNTRACED.test(url)) return answer(incoming, outgoing);
    const start = {
      name: method,
      kind: 'server',
      parent: traceparentOf(incoming),
      attributes: { 'http.request.method': method },
    } as const;
    return spans.run(start, () => answer(incoming, outgoing));
  };
}

function traceparentOf({ headers: { traceparent } }: IncomingMessage): string | null {
  return typeof traceparent === 'string' ? traceparent : null;
}

/**
 * Wraps the log so that the span of a request has its route, status and error code, and its log lines have the id of the trace. The
 * path and the query are never added.
 */
export function traceLog(log: Log, spans: Spans): Log {
  function describe({ requestId, method, path, status, code }: RequestLine, mountPath = ''): void {
    const span = spans.current();
    if (span === undefined) return;
    const route = mountPath + path;
    span.rename(`${method} ${route}`);
    span.set({
      'http.route': route,
      'http.response.status_code': status,
      'error.type': code ?? (status >= 500 ? String(status) : undefined),
      'countersign.request_id': requestId,
    });
    if (status >= 500) span.fail();
  }

  const traceId = () => spans.current()?.traceId;

  return {
    ...log,
    request(line, mountPath) {
      describe(line, mountPath);
      log.request({ ...line, traceId: traceId() }, mountPath);
    },
    fault: (fault, context) => log.fault(fault, { ...context, traceId: traceId() }),
  };
}
