import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import { expect, it } from 'vitest';
import { type GivenWebhooks, givenWebhooks } from '../test-support/given-webhooks.ts';
import { respondingSender } from '../test-support/responding-sender.ts';

/** Adds endpoints of several clients, for each of which as many webhooks wait. @returns their URLs */
async function givenBacklog(
  { anotherClient, clock }: GivenWebhooks,
  { endpoints, webhooks }: { readonly endpoints: number; readonly webhooks: number },
): Promise<readonly string[]> {
  const urls = Array.from({ length: endpoints }, (_, n) => `https://slow-${n}.example/`);
  for (let from = 0; from < endpoints; from += MAX_WEBHOOK_ENDPOINTS) {
    const { addEndpoint, create } = await anotherClient();
    for (const url of urls.slice(from, from + MAX_WEBHOOK_ENDPOINTS)) await addEndpoint({ url });
    for (let n = 0; n < webhooks; n += 1) await create(`person-${n}`);
  }
  clock.advance(1);
  return urls;
}

const SLOW_AT_ONCE = 64;
const HEALTHY = 'https://healthy.example/';

it('300 receivers that hang: a healthy one gets its webhooks', async () => {
  const given = await givenWebhooks();
  const slow = await givenBacklog(given, { endpoints: 300, webhooks: 2 });
  await given.addEndpoint({ url: HEALTHY });
  const sender = respondingSender(({ url }) => (url === HEALTHY ? {} : new Promise(() => undefined)));
  given.start(sender);
  const healthy = () => sender.sent.filter(({ url }) => url === HEALTHY);

  for (const reference of ['first', 'second']) await given.create(reference);
  await expect.poll(healthy, { timeout: 15_000 }).toHaveLength(2);

  await given.create('third');
  await expect.poll(healthy).toHaveLength(3);
  expect(new Set(sender.sent.map(({ url }) => url)).size).toBeLessThanOrEqual(slow.length + 1);
});

it('receivers that never respond in time: take turns, and delay no healthy one', async () => {
  const given = await givenWebhooks();
  const slow = await givenBacklog(given, { endpoints: 100, webhooks: 5 });
  await given.addEndpoint({ url: HEALTHY });
  const counts = new Map(slow.map((url) => [url, 0]));
  const allAsked = Promise.withResolvers<void>();
  let widest = 0;
  const sender = respondingSender(async ({ url }) => {
    if (url === HEALTHY) return {};
    counts.set(url, (counts.get(url) ?? 0) + 1);
    widest = Math.max(widest, Math.max(...counts.values()) - Math.min(...counts.values()));
    if (Math.min(...counts.values()) === 1) allAsked.resolve();
    await allAsked.promise;
    await new Promise((resolve) => setImmediate(resolve));
    return { status: null, fault: 'The receiver did not respond.', durationMs: 15_000 };
  });
  const limits: number[] = [];
  const webhooks: typeof given.webhooks = {
    ...given.webhooks,
    leaseEndpoints(request) {
      limits.push(request.limit);
      return given.webhooks.leaseEndpoints(request);
    },
  };
  given.start(sender, { webhooks });
  await expect.poll(() => Math.min(...counts.values()), { timeout: 15_000 }).toBe(2);

  await given.create('person-1');
  await expect.poll(() => sender.sent.filter(({ url }) => url === HEALTHY)).toHaveLength(1);
  await expect.poll(() => [...counts.values()], { timeout: 15_000 }).toEqual(slow.map(() => 5));
  expect(widest).toBeLessThanOrEqual(3);
  expect(Math.max(...limits)).toBeLessThanOrEqual(SLOW_AT_ONCE);
});
