import type { AttemptOutcome } from '@countersign/webhooks';
import { Counter, type Registry } from 'prom-client';
import { addBacklogGauges, type Backlog } from './backlog-metrics.ts';
import { COUNT_UP_TO } from './read-figures.ts';

/** Source of the figures of each scrape. */
export interface WebhookBacklogSource {
  /** Counts events and deliveries that are not delivered yet, each up to `limit`. */
  read(limit: number): Promise<Backlog>;
  onFault(fault: unknown): void;
}

export interface WebhookMetrics {
  /** Counts an attempt by its outcome. */
  attempt(outcome: AttemptOutcome): void;
}

/** Creates the metrics of webhooks. */
export function createWebhookMetrics(registry: Registry, { read, onFault }: WebhookBacklogSource): WebhookMetrics {
  const attempts = new Counter({
    name: 'countersign_webhook_attempts_total',
    help: 'Requests to endpoints, by outcome (delivered, retry, failed, gone)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const outcomes: readonly AttemptOutcome[] = ['delivered', 'retry', 'failed', 'gone'];
  for (const outcome of outcomes) attempts.inc({ outcome }, 0);

  addBacklogGauges(
    registry,
    {
      name: 'countersign_webhook',
      help: 'Webhooks that active endpoints have not received yet',
      oldestHelp: 'Time since the oldest event of the backlog; 0 without one',
    },
    { read: () => read(COUNT_UP_TO), onFault },
  );
  return { attempt: (outcome) => attempts.inc({ outcome }) };
}
