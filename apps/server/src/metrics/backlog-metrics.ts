import { Gauge, type Registry } from 'prom-client';

/** What waits to be sent. */
export interface Backlog {
  readonly waiting: number;
  readonly oldestAt: Date | null;
}

/** Source of the figures of each scrape. */
export interface BacklogSource {
  read(): Promise<Backlog>;
  onFault(fault: unknown): void;
}

/** Both gauges of one scrape share one reading. */
const READING_KEPT_MS = 1_000;

/**
 * Adds the gauges `NAME_backlog` and `NAME_oldest_age_seconds`. The backlog is read at each scrape; while the database does not answer,
 * they are absent.
 */
export function addBacklogGauges(
  registry: Registry,
  { name, help, oldestHelp }: { readonly name: string; readonly help: string; readonly oldestHelp: string },
  source: BacklogSource,
): void {
  const backlog = sharedReading(source);

  function addGauge(suffix: string, text: string, figureOf: (present: Backlog) => number): void {
    const gauge = new Gauge({
      name: `${name}_${suffix}`,
      help: text,
      registers: [],
      async collect() {
        const present = await backlog();
        if (present === null) this.remove();
        else this.set(figureOf(present));
      },
    });
    registry.registerMetric(gauge);
  }

  addGauge('backlog', help, ({ waiting }) => waiting);
  addGauge('oldest_age_seconds', oldestHelp, ({ oldestAt }) =>
    oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1_000),
  );
}

/** Reads the backlog, once for the gauges of a scrape; null after a fault. */
function sharedReading({ read, onFault }: BacklogSource): () => Promise<Backlog | null> {
  let last: { readonly at: number; readonly backlog: Promise<Backlog | null> } | undefined;
  return () => {
    const at = performance.now();
    if (last === undefined || at - last.at > READING_KEPT_MS) {
      const backlog = read().catch((fault: unknown) => {
        onFault(fault);
        return null;
      });
      last = { at, backlog };
    }
    return last.backlog;
  };
}
