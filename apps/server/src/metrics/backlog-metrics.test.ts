import { expect, test, vi } from 'vitest';
import { type BacklogSource, backlogReadings } from './backlog-metrics.ts';
import { createMetrics } from './metrics.ts';

function givenMetrics(read: BacklogSource['read']) {
  const metrics = createMetrics();
  const onFault = vi.fn<(fault: unknown) => void>();
  const { attempts } = metrics.begin('webhooks', backlogReadings({ read, onFault }));
  return { metrics, onFault, attempts };
}

test('webhook metrics: print the backlog of this moment, read once for a scrape', async () => {
  const read = vi.fn<BacklogSource['read']>();
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
  const { metrics, onFault, attempts } = givenMetrics(() => Promise.reject(new Error('away')));
  attempts.inc({ outcome: 'delivered' });
  attempts.inc({ outcome: 'delivered' });
  attempts.inc({ outcome: 'gone' });
  const text = await metrics.text();
  expect(text).not.toMatch(/^countersign_webhook_(?:backlog|oldest_age_seconds) /m);
  for (const [outcome, count] of Object.entries({ delivered: 2, retry: 0, failed: 0, gone: 1 })) {
    expect(text).toContain(`countersign_webhook_attempts_total{outcome="${outcome}"} ${count}\n`);
  }
  expect(onFault).toHaveBeenCalledOnce();
});
