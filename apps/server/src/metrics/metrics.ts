import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type Metric } from './metric-table.ts';

/** Metrics of a server: the handles of the part `server`, and the other parts on demand. */
export interface Metrics extends Handles<'server'> {
  /**
   * Starts the metrics of a part.
   * @param readings values that are read at each scrape; a metric is absent while its value is null
   * @returns handles of the other metrics of the part
   */
  begin<P extends Part>(
    part: P,
    ...readings: [ReadNames<P>] extends [never] ? [] : [readings: Readings<P>]
  ): Handles<P>;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

type Table = typeof METRICS;
type Part = keyof Table;

/** Names of the metrics of a part that are read at each scrape. */
type ReadNames<P extends Part> = {
  [N in keyof Table[P]]: Table[P][N] extends { readonly isRead: true } ? N : never;
}[keyof Table[P]];

type Reading = () => number | null | Promise<number | null>;

/** Functions that read the metrics of a part at each scrape, by name. */
export type Readings<P extends Part> = Readonly<Record<ReadNames<P>, Reading>>;

/** Functions that count or set the other metrics of a part, by name. */
export type Handles<P extends Part> = {
  readonly [N in Exclude<keyof Table[P], ReadNames<P>>]: Handle<Table[P][N]>;
};

type Handle<M> = M extends { readonly counter: string }
  ? { inc(...by: Args<M, [by?: number]>): void }
  : M extends { readonly gauge: string }
    ? { set(...to: Args<M, [value: number]>): void; setToCurrentTime(...labels: Args<M, []>): void }
    : { observe(...value: Args<M, [value: number]>): void };

type Args<M, Value extends readonly unknown[]> = M extends { readonly labels: infer L }
  ? [labels: { readonly [N in keyof L]: L[N] extends readonly (infer V)[] ? V : string | number }, ...Value]
  : Value;

/** Creates the metrics, with those of the process: memory, CPU, garbage collection, event loop lag. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  function begin<P extends Part>(part: P, readings: Partial<Record<string, Reading>> = {}): Handles<P> {
    const table: Readonly<Record<Part, Readonly<Record<string, Metric>>>> = METRICS;
    return Object.fromEntries(
      Object.entries(table[part]).map(([name, metric]) => [name, createMetric(registry, metric, readings[name])]),
    ) as unknown as Handles<P>;
  }

  return { ...begin('server'), begin, text: () => registry.metrics(), contentType: registry.contentType };
}

/** Creates a metric. A gauge is absent while the value that is read for it is null. */
function createMetric(registry: Registry, metric: Metric, read?: Reading): Counter | Gauge | Histogram {
  const { help, labels = {} } = metric;
  const shared = { help, labelNames: Object.keys(labels), registers: [registry] };
  if ('histogram' in metric)
    return new Histogram({ ...shared, name: metric.histogram, buckets: [...metric.buckets] });
  if ('gauge' in metric) {
    return new Gauge({
      ...shared,
      name: metric.gauge,
      ...(read && {
        async collect(this: Gauge) {
          const value = await read();
          if (value === null) this.remove();
          else this.set(value);
        },
      }),
    });
  }
  const counter = new Counter({
    ...shared,
    name: metric.counter,
    ...(read && {
      async collect(this: Counter) {
        const total = await read();
        this.reset();
        this.inc(total ?? 0);
      },
    }),
  });
  // Printed before the first count: Prometheus sees no increase in a series that begins with 1.
  const [[label, values] = ['', 'any'], ...others] = Object.entries(labels);
  if (values !== 'any' && others.length === 0) for (const value of values) counter.inc({ [label]: value }, 0);
  return counter;
}
