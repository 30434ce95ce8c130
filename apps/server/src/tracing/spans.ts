/** Values that describe a span. They name no person, client, verification or address. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanStart {
  readonly name: string;
  /** `server` answers a request, `client` waits for another program. Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | undefined;
  readonly attributes?: SpanAttributes | undefined;
  /**
   * The header `traceparent` of the work that caused this one. An invalid one begins a new trace. Default: the span in which this
   * one starts, else a new trace.
   */
  readonly parent?: string | null | undefined;
}

/** A span that has not ended. */
export interface OpenSpan {
  /** 32 lower-case hexadecimal characters. */
  readonly traceId: string;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Marks the span as failed. Expected refusals are no failures. */
  fail(): void;
}

/** Makes spans, the parts of a trace. */
export interface Spans {
  /**
   * Runs work in a span, which ends with the work. If the work fails, the span has the code of the error, never its message.
   * @returns what the work returns
   */
  run<T>(start: SpanStart, work: (span: OpenSpan) => T): T;
  /** Returns the span in which the caller runs. */
  current(): OpenSpan | undefined;
  /** Returns the header `traceparent` of the current span. */
  traceparent(): string | undefined;
}
