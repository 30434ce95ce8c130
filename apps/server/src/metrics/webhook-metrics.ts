import type { WebhookRepository } from '@countersign/domain';
import type { AttemptOutcome } from '@countersign/webhooks';
import { Counter, Gauge, type Registry } from 'prom-client';
import { COUNT_UP_TO } from './read-figures.ts';

type Backlog = Awaited<ReturnType<WebhookRepository['backlog']>>;

/** Source of the figures of each scrape. */
export interface BacklogSource {
  /** Counts events and deliveries that are not delivered yet, each up to `limit`. */
  read(limit: number): Promise<Backlog>;
  onFault(fault: unknown): void;
}

export interface WebhookMetrics {
  /** Counts an attempt by its outcome. */
  attempt(outcome: AttemptOutcome): void;
}

/** Both gauges of one scrape share one reading. */
const READING_KEPT_MS = 1_000;

/**
 * Creates the metrics of webhooks. The backlog is read at each scrape; while the database does not answer, its metrics are
 * absent.
 */
export function createWebhookMetrics(registry: Registry, source: BacklogSource): WebhookMetrics {
  const attempts = new Counter({
    name: 'countersign_webhook_attempts_total',
    help: 'Requests to endpoints, by outcome (delivered, retry, failed, gone)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const outcomes: readonly AttemptOutcome[] = ['delivered', 'retry', 'failed', 'gone'];
  for (const outcome of outcomes) attempts.inc({ outcome }, 0);

  const backlog = sharedReading(source);
  backlogGauge(
    'countersign_webhook_backlog',
    'Webhooks that active endpoints have not received yet',
    (present) => {
      return present.waiting;
    },
  );
  backlogGauge(
    'countersign_webhook_oldest_age_seconds',
    'Time since the oldest event of the backlog; 0 without one',
    ({ oldestAt }) => (oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1_000)),
  );

  function backlogGauge(name: string, help: string, figureOf: (present: Backlog) => number): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const present = await backlog();
        if (present === null) this.remove();
        else this.set(figureOf(present));
      },
    });
    registry.registerMetric(gauge);
  }

  return { attempt: (outcome) => attempts.inc({ outcome }) };
}

/** Reads the backlog, once for the gauges of a scrape; null after a fault. */
function sharedReading({ read, onFault }: BacklogSource): () => Promise<Backlog | null> {
  let last: { readonly at: number; readonly backlog: Promise<Backlog | null> } | undefined;
  return () => {
    const at = performance.now();
    if (last === undefined || at - last.at > READING_KEPT_MS) {
      const backlog = read(COUNT_UP_TO).catch((fault: unknown) => {
        onFault(fault);
        return null;
      });
      last = { at, backlog };
    }
    return last.backlog;
  };
}
