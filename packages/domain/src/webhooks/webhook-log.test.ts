import { expect, test } from 'vitest';
import { COUNTED_REFUSALS, createWebhookLog, type WebhookLog } from './webhook-log.ts';
import type { DeliveryEntry, DeliveryQuery } from './webhook-repository.ts';

const SINCE = new Date('2026-03-31T09:12:00.000Z');
const ENDPOINT = { clientId: 'client-1', id: 'endpoint-1', failingSince: SINCE };

const deliveriesOf = (number: number, given: Partial<DeliveryEntry>): DeliveryEntry[] =>
  Array.from({ length: number }, (_, index) => ({
    endpointId: 'endpoint-1',
    eventId: `event-${index}`,
    verificationId: 'verification-1',
    version: 1,
    type: 'verification.approved',
    at: SINCE,
    state: 'waiting',
    attempts: 1,
    dueAt: null,
    ...given,
  }));

/** The log of an endpoint with deliveries, newest first. */
function refusedOf(
  deliveries: readonly DeliveryEntry[],
  endpoint: Parameters<WebhookLog['refused']>[0] = ENDPOINT,
) {
  const log = createWebhookLog({
    webhooks: {
      list: async () => [],
      attempts: async () => null,
      resend: async () => ({ outcome: 'not_found' }),
      deliveries: async ({ state, limit, ...query }: DeliveryQuery) => {
        expect(query).toEqual({ clientId: 'client-1', endpointId: 'endpoint-1', after: undefined });
        return deliveries.filter((one) => one.state === state).slice(0, limit);
      },
    },
    clock: { now: () => SINCE },
  });
  return log.refused(endpoint);
}

const failed = { state: 'failed', attempts: 9 } as const;
const before = new Date(SINCE.getTime() - 1);

test('refused: counts what waits after an attempt, and what failed since the endpoint fails', async () => {
  const deliveries = [
    ...deliveriesOf(3, {}),
    ...deliveriesOf(2, { attempts: 0 }),
    ...deliveriesOf(4, failed),
    ...deliveriesOf(5, { ...failed, at: before }),
    ...deliveriesOf(6, { state: 'delivered' }),
  ];
  expect(await refusedOf(deliveries)).toEqual({ count: 7, isExact: true });
  expect(await refusedOf(deliveries, { ...ENDPOINT, failingSince: null })).toEqual({ count: 0, isExact: true });
});

test('refused: the number is exact up to as many deliveries as are looked at', async () => {
  expect(await refusedOf(deliveriesOf(COUNTED_REFUSALS, {}))).toEqual({ count: COUNTED_REFUSALS, isExact: true });
  expect(await refusedOf(deliveriesOf(COUNTED_REFUSALS + 1, {}))).toEqual({
    count: COUNTED_REFUSALS,
    isExact: false,
  });
  const manyFailed = deliveriesOf(COUNTED_REFUSALS + 1, failed);
  expect(await refusedOf(manyFailed)).toEqual({ count: COUNTED_REFUSALS, isExact: false });
  const earlier = deliveriesOf(COUNTED_REFUSALS, { ...failed, at: before });
  expect(await refusedOf([...deliveriesOf(2, failed), ...earlier])).toEqual({ count: 2, isExact: true });
});
