import { expect, it } from 'vitest';
import { createForgetDeliveries } from './forget-deliveries.ts';
import type { WebhookRepository } from './webhook-repository.ts';

it('forgetDeliveries: deletes in slices what is older than 30 days', async () => {
  const stored = { count: 1_200 };
  const requests: Parameters<WebhookRepository['forget']>[0][] = [];
  const webhooks: Pick<WebhookRepository, 'forget'> = {
    async forget(request) {
      requests.push(request);
      const count = Math.min(stored.count, request.limit);
      stored.count -= count;
      return count;
    },
  };
  const clock = { now: () => new Date('2026-03-31T10:00:00.000Z') };
  expect(await createForgetDeliveries({ webhooks, clock })()).toBe(1_200);
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map(({ before }) => before.toISOString()))).toEqual(
    new Set(['2026-03-01T10:00:00.000Z']),
  );
});
