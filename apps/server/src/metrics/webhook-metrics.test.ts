import { expect, test, vi } from 'vitest';
import { createMetrics } from './metrics.ts';
import type { WebhookBacklogSource } from './webhook-metrics.ts';

function givenMetrics(read: WebhookBacklogSource['read']) {
  const metrics = createMetrics();
  const onFault = vi.fn<(fault: unknown) => void>();
  const { attempt } = metrics.beginWebhooks({ read, onFault });
  return { metrics, onFault, attempt };
}

test('webhook metrics: print the backlog of this moment, read once for a scrape', async () => {
  const read = vi.fn<WebhookBacklogSource['read']>();
  read.mockResolvedValue({ waiting: 7, oldestAt: new Date(Date.now() - 90_000) });
  const { metrics } = givenMetrics(read);
  const text = await metrics.text();
  expect(text).toContain('countersign_webhook_backlog 7\n');
  const [, seconds] = /^countersign_webhook_oldest_age_seconds ([\d.]+)/m.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(90);
  expect(read).toHaveBeenCalledOnce();
});

test('webhook metrics: the age is 0 without a backlog', async () => {
  const { metrics } = givenMetrics(async () => ({ waiting: 0, oldestAt: null }));
  expect(await metrics.text()).toContain('countersign_webhook_oldest_age_seconds 0\n');
});

test('webhook metrics: while the database does not answer, the backlog is absent and the rest is printed', async () => {
  const { metrics, onFault, attempt } = givenMetrics(() => Promise.reject(new Error('away')));
  attempt('delivered');
  attempt('delivered');
  attempt('gone');
  const text = await metrics.text();
  expect(text).not.toMatch(/^countersign_webhook_(?:backlog|oldest_age_seconds) /m);
  for (const [outcome, count] of Object.entries({ delivered: 2, retry: 0, failed: 0, gone: 1 })) {
    expect(text).toContain(`countersign_webhook_attempts_total{outcome="${outcome}"} ${count}\n`);
  }
  expect(onFault).toHaveBeenCalledOnce();
});
