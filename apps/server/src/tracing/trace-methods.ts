import type { SpanStart, Spans } from './spans.ts';

/**
 * Wraps an object so that each call of a method is a span, inside of a trace. Work outside of any trace, such as that of background
 * jobs, gets no span. Arguments and results are never read.
 * @param startOf returns how the span of a method begins
 */
export function traceMethods<T extends object>(
  target: T,
  spans: Spans,
  startOf: (method: string) => SpanStart,
): T {
  const traced = new Map<PropertyKey, unknown>();

  function tracedMethod(name: string, method: (...input: unknown[]) => unknown): unknown {
    const start = startOf(name);
    return (...input: unknown[]) => {
      const call = () => Reflect.apply(method, target, input);
      return spans.current() === undefined ? call() : spans.run(start, call);
    };
  }

  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof key !== 'string' || !isMethod(value)) return value;
      if (!traced.has(key)) traced.set(key, tracedMethod(key, value));
      return traced.get(key);
    },
  });
}

function isMethod(value: unknown): value is (...input: unknown[]) => unknown {
  return typeof value === 'function';
}
