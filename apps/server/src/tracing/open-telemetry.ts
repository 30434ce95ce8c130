import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent, TRACE_PARENT_HEADER, W3CTraceContextPropagator } from '@opentelemetry/core';
import { errorTypeOf, isRefusal } from './error-type.ts';
import type { OpenSpan, SpanAttributes, SpanStart, Spans } from './spans.ts';

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/**
 * Makes spans with a tracer of OpenTelemetry. Nothing is registered globally: libraries that look for a global tracer would add
 * spans of their own, with attributes that this server does not choose.
 */
export function createSpans(tracer: Tracer): Spans {
  const active = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();

  function parentOf({ parent }: SpanStart): Context {
    return parent === undefined ? (active.getStore() ?? ROOT_CONTEXT) : remoteContext(parent);
  }

  return {
    run(start, work) {
      const parent = parentOf(start);
      const { name, kind = 'internal', attributes } = start;
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, parent);
      return active.run(trace.setSpan(parent, span), () => untilSettled(span, () => work(openSpan(span))));
    },
    current() {
      const context = active.getStore();
      const span = context && trace.getSpan(context);
      return span && openSpan(span);
    },
    traceparent() {
      const carrier: Record<string, string> = {};
      propagator.inject(active.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter);
      return carrier[TRACE_PARENT_HEADER];
    },
  };
}

/** Returns the context that a `traceparent` names. `tracestate` is not read: it holds data of other programs. */
function remoteContext(traceparent: string | null): Context {
  const parsed = traceparent === null ? null : parseTraceParent(traceparent);
  return parsed === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true });
}

function openSpan(span: Span): OpenSpan {
  return {
    traceId: span.spanContext().traceId,
    set: (attributes: SpanAttributes) => void span.setAttributes({ ...attributes }),
    rename: (name) => void span.updateName(name),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  };
}

/** Ends the span when the work has ended, whether it returns a promise or not. */
function untilSettled<T>(span: Span, work: () => T): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  result.then(
    () => span.end(),
    (error: unknown) => endFailed(span, error),
  );
  return result;
}

function endFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorTypeOf(error));
  if (!isRefusal(error)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
