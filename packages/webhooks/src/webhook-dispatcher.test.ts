import type { VerificationFault } from '@countersign/domain';
import type { WebhookRepository } from '@countersign/domain/storage';
import { RECOVERY, RETRY_WAITS_MS } from '@countersign/domain/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { givenWebhooks } from '../test-support/given-webhooks.ts';
import { secretOf } from '../test-support/messages.ts';
import { respondingSender } from '../test-support/responding-sender.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

describe('a dispatcher sends', () => {
  it('each event once, with both secrets during a rotation, and keeps request and response', async () => {
    const { addEndpoint, create, start, log, attempts, clock, outcomes } = await givenWebhooks();
    const validUntil = new Date(clock.now().getTime() + 1);
    const { id, url } = await addEndpoint({
      previousSecret: { value: secretOf(6), wrappedBy: null, validUntil },
    });
    const sender = respondingSender(() => ({ status: 200, text: 'thanks' }));
    start(sender);
    const verificationId = await create('person-1');
    await expect.poll(() => outcomes).toEqual(['delivered']);

    const [delivery] = await log(id);
    expect(delivery).toMatchObject({ verificationId, state: 'delivered', attempts: 1 });
    const [message, ...others] = sender.sent;
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      id: delivery?.eventId,
      url,
      secrets: [secretOf(7), secretOf(6)],
      at: clock.now(),
    });
    expect(message).toMatchObject({ type: 'verification.created', data: { verificationId, sequence: 1 } });
    if (delivery === undefined) throw new Error('no delivery is in the log');
    expect(await attempts(delivery)).toMatchObject([
      { at: clock.now(), request: message?.body, status: 200, response: 'thanks', fault: null },
    ]);
  });

  it('each attempt inside `aroundAttempt`, with the event and until its result is stored', async () => {
    const { addEndpoint, create, start, log } = await givenWebhooks();
    const { id } = await addEndpoint();
    const sender = respondingSender();
    const around: string[] = [];
    start(sender, {
      async aroundAttempt(event, attempt) {
        around.push(`${event.type}, sent ${sender.sent.length}`);
        await attempt();
        around.push(`${(await log(id))[0]?.state}, sent ${sender.sent.length}`);
      },
    });
    await create('person-1');
    await expect.poll(() => around).toEqual(['verification.created, sent 0', 'delivered, sent 1']);
  });

  it('sends only types that the endpoint receives, and no event from before it was added', async () => {
    const { addEndpoint, create, withdraw, start, clock } = await givenWebhooks();
    const early = await create('early');
    clock.advance(1);
    await addEndpoint({ types: ['verification.rejected'] });
    const late = await create('late');
    const sender = respondingSender();
    start(sender);
    await withdraw(early);
    await withdraw(late);
    await expect.poll(() => sender.sent.length).toBe(2);
    expect(sender.sent.map(({ type }) => type)).toEqual(['verification.rejected', 'verification.rejected']);
  });

  it('a later version only after the earlier one, while other verifications go on', async () => {
    const { addEndpoint, create, withdraw, start, clock, outcomes } = await givenWebhooks();
    await addEndpoint();
    const first = await create('first');
    await withdraw(first);
    const second = await create('second');
    let isDown = true;
    const sender = respondingSender(({ body }) => ({ status: isDown && body.includes(first) ? 500 : 204 }));
    const dispatcher = start(sender);
    await expect.poll(() => outcomes.toSorted()).toEqual(['delivered', 'retry']);
    isDown = false;
    clock.advance(5_500);
    dispatcher.wake();
    await expect.poll(() => outcomes.length).toBe(4);
    const about = (id: string) =>
      sender.sent.filter(({ data }) => data.verificationId === id).map(({ data }) => data.sequence);
    expect(about(first)).toEqual([1, 1, 2]);
    expect(about(second)).toEqual([1]);
  });

  it('up to 48 at once to a receiver that responds, so that its response time delays no others', async () => {
    const { addEndpoint, create, start } = await givenWebhooks();
    await addEndpoint();
    for (let n = 0; n < 150; n += 1) await create(`person-${n}`);
    const released = Promise.withResolvers<void>();
    let underWay = 0;
    const sender = respondingSender(async () => {
      underWay += 1;
      if (sender.sent.length > 60) await released.promise;
      underWay -= 1;
      return {};
    });
    start(sender);
    await expect.poll(() => underWay).toBe(48);
    released.resolve();
    await expect.poll(() => sender.sent.length).toBe(150);
  });

  it('a dispatcher sends to every endpoint of the client, also when one fails', async () => {
    const { addEndpoint, create, start, outcomes } = await givenWebhooks();
    await addEndpoint({ url: 'https://down.example/' });
    await addEndpoint({ url: 'https://up.example/' });
    const sender = respondingSender(({ url }) => (url.includes('down') ? { status: null, fault: 'No.' } : {}));
    start(sender);
    for (const reference of ['a', 'b', 'c']) await create(reference);
    await expect.poll(() => outcomes.filter((outcome) => outcome === 'delivered')).toHaveLength(3);
  });
});

it('a dispatcher with nothing to do looks for events once a second', async () => {
  const { webhooks, addEndpoint, start } = await givenWebhooks();
  await addEndpoint();
  vi.useFakeTimers();
  let looks = 0;
  const dispatcher = start(respondingSender(), {
    webhooks: {
      ...webhooks,
      fanOut(request) {
        looks += 1;
        return webhooks.fanOut(request);
      },
    },
  });
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await dispatcher.close();
  expect(looks).toBe(6);
});

describe('a change of an endpoint whose worker never rests', () => {
  it('a new URL and a new secret are used a second later, although the lease goes on', async () => {
    const { addEndpoint, create, start, clock, webhooks } = await givenWebhooks();
    const { id, clientId } = await addEndpoint({ url: 'https://old.example/' });
    await create('quick');
    const hanging = await create('hanging');
    // A request that hangs keeps the worker at work, and with it the lease.
    const sender = respondingSender(({ body }) => (body.includes(hanging) ? new Promise(() => undefined) : {}));
    const dispatcher = start(sender);
    await expect.poll(() => sender.sent.length).toBe(2);

    const previousSecret = {
      value: secretOf(7),
      wrappedBy: null,
      validUntil: new Date(clock.now().getTime() + DAY_MS),
    };
    const secret = { value: secretOf(8), wrappedBy: null };
    await webhooks.change(clientId, id, { url: 'https://new.example/', secret, previousSecret }, clock.now());
    clock.advance(1_000);
    await create('next');
    dispatcher.wake();
    await expect.poll(() => sender.sent.length).toBe(3);
    expect(sender.sent[2]).toMatchObject({ url: 'https://new.example/', secrets: [secretOf(8), secretOf(7)] });
  });
});

describe('a receiver that fails', () => {
  it('a receiver that fails for a day: is asked again after each wait, then the next event goes on', async () => {
    const { addEndpoint, create, withdraw, start, log, clock, outcomes } = await givenWebhooks();
    const { id } = await addEndpoint();
    await withdraw(await create('person-1'));
    const sender = respondingSender(({ body }) => ({ status: body.includes('created') ? 500 : 204 }));
    const dispatcher = start(sender);
    const began = clock.now().getTime();
    for (const [index, wait] of RETRY_WAITS_MS.entries()) {
      await expect.poll(() => outcomes).toHaveLength(index + 1);
      clock.advance(wait - 1);
      dispatcher.wake();
      clock.advance(1);
      dispatcher.wake();
    }
    await expect.poll(() => outcomes.slice(-2)).toEqual(['failed', 'delivered']);
    expect(clock.now().getTime() - began).toBeGreaterThan(DAY_MS);
    expect((await log(id)).map(({ state }) => state)).toEqual(['failed', 'delivered']);
    expect(sender.sent.map(({ data }) => data.sequence)).toEqual([...RETRY_WAITS_MS.map(() => 1), 1, 2]);
  });

  it('a receiver that fails for a minute: gets what waited within five seconds of its first success, not with the retry minutes later', async () => {
    const { addEndpoint, create, start, clock, outcomes } = await givenWebhooks();
    await addEndpoint();
    for (const reference of ['a', 'b', 'c']) await create(reference);
    let isDown = true;
    const sender = respondingSender(() => ({ status: isDown ? 503 : 204 }));
    const dispatcher = start(sender);
    await expect.poll(() => outcomes).toHaveLength(3);
    clock.advance(5_500);
    dispatcher.wake();
    await expect.poll(() => outcomes).toHaveLength(6);
    clock.advance(60_000);
    isDown = false;
    await create('new');
    dispatcher.wake();

    // The new one, and the first of those that waited.
    await expect.poll(() => outcomes.filter((outcome) => outcome === 'delivered')).toHaveLength(2);
    clock.advance(RECOVERY.withinMs);
    dispatcher.wake();
    await expect.poll(() => outcomes.filter((outcome) => outcome === 'delivered')).toHaveLength(4);
  });

  it('a receiver that fails for a minute, while very many wait: gets each of them within minutes, not with the retry', async () => {
    const { addEndpoint, create, start, clock, outcomes, webhooks } = await givenWebhooks();
    await addEndpoint();
    for (const reference of ['a', 'b', 'c', 'd', 'e', 'f']) await create(reference);
    let isDown = true;
    // Two are very many.
    const bounded: WebhookRepository = {
      ...webhooks,
      settle: (lease, delivery, result) =>
        webhooks.settle(lease, delivery, { ...result, wake: { ...result.wake, limit: 2 } }),
    };
    const sender = respondingSender(() => ({ status: isDown ? 503 : 204 }));
    const dispatcher = start(sender, { webhooks: bounded });
    await expect.poll(() => outcomes).toHaveLength(6);
    clock.advance(5_500);
    dispatcher.wake();
    await expect.poll(() => outcomes).toHaveLength(12);
    clock.advance(60_000);
    isDown = false;
    await create('new');
    dispatcher.wake();
    const delivered = () => outcomes.filter((outcome) => outcome === 'delivered').length;
    for (const count of [2, 3, 5, 6, 7]) {
      await expect.poll(delivered).toBeGreaterThanOrEqual(count);
      clock.advance(RECOVERY.withinMs / 2);
      dispatcher.wake();
    }
    await expect.poll(delivered).toBe(7);
  });

  it('a receiver that answers with Retry-After: is asked again after that time', async () => {
    const { addEndpoint, create, start, log, clock, outcomes } = await givenWebhooks();
    const { id } = await addEndpoint();
    await create('person-1');
    start(respondingSender(() => ({ status: 429, retryAfterSeconds: 3_600 })));
    await expect.poll(() => outcomes).toEqual(['retry']);
    expect((await log(id))[0]?.dueAt).toEqual(new Date(clock.now().getTime() + HOUR_MS));
  });

  it('a receiver that answers 410: the endpoint is disabled, and what waits for it fails', async () => {
    const { addEndpoint, create, withdraw, start, log, endpoint, outcomes } = await givenWebhooks();
    const { id } = await addEndpoint();
    await withdraw(await create('person-1'));
    const sender = respondingSender(() => ({ status: 410 }));
    start(sender);
    await expect.poll(() => outcomes).toEqual(['gone']);
    expect((await endpoint(id))?.state).toBe('disabled');
    expect((await log(id)).map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(sender.sent).toHaveLength(1);
  });

  it('a receiver that fails for three days: the endpoint is paused, and what waits for it stays', async () => {
    const { addEndpoint, create, start, log, endpoint, clock, outcomes, faults } = await givenWebhooks();
    const { id } = await addEndpoint();
    await create('person-1');
    const sender = respondingSender(() => ({ status: 500 }));
    const asked: string[] = [];
    // A pause without mails is better than no pause.
    const mailsIfPaused = async (paused: { readonly id: string }) => {
      asked.push(paused.id);
      throw new Error('no answer');
    };
    const dispatcher = start(sender, { mailsIfPaused });
    await expect.poll(() => outcomes).toHaveLength(1);
    expect(asked).toEqual([]);
    clock.advance(3 * DAY_MS);
    await create('person-2');
    dispatcher.wake();
    await expect.poll(async () => (await endpoint(id))?.state).toBe('paused');
    expect([...new Set(asked)]).toEqual([id]);
    expect(faults).toMatchObject([{ endpointId: id, cause: { message: 'no answer' } }]);
    expect((await log(id)).map(({ state }) => state)).toContain('waiting');
    const sentBefore = sender.sent.length;
    clock.advance(HOUR_MS);
    dispatcher.wake();
    await create('person-3');
    await expect.poll(async () => (await log(id)).length).toBe(3);
    expect(sender.sent).toHaveLength(sentBefore);
  });

  it('an endpoint whose secret cannot be decrypted: gets nothing and has the reason in its log, others go on', async () => {
    const { addEndpoint, create, start, log, attempts, outcomes, faults, webhooks } = await givenWebhooks();
    const lost = await addEndpoint();
    const sealed = await addEndpoint({ secret: { value: 'sealed', wrappedBy: 'key-1' } });
    await addEndpoint();
    // As the sealing layer does.
    const unreadable = (): never => {
      throw new Error('the key is lost');
    };
    const leaseEndpoints: WebhookRepository['leaseEndpoints'] = async (request) => {
      const endpoints = await webhooks.leaseEndpoints(request);
      for (const { id, secret } of endpoints)
        if (id === lost.id) Object.defineProperty(secret, 'value', { get: unreadable });
      return endpoints;
    };
    const sender = respondingSender();
    start(sender, { webhooks: { ...webhooks, leaseEndpoints } });
    await create('person-1');
    await expect.poll(() => outcomes.toSorted()).toEqual(['delivered', 'retry', 'retry']);
    expect(sender.sent).toHaveLength(1);
    for (const { id } of [lost, sealed]) {
      const [delivery] = await log(id);
      if (delivery === undefined) throw new Error('no delivery is in the log');
      expect((await attempts(delivery))[0]?.fault).toMatch(/^The secret of this endpoint could not be decrypted/);
    }
    const byEndpoint = new Map(
      (faults as VerificationFault[]).map(({ endpointId, cause }) => [endpointId, String(cause)]),
    );
    expect(byEndpoint).toEqual(
      new Map([
        [lost.id, 'Error: the key is lost'],
        [sealed.id, 'Error: The secret is encrypted. Give the dispatcher the sealed repository.'],
      ]),
    );
  });

  it('a receiver that hangs: other endpoints and other verifications get theirs', async () => {
    const { addEndpoint, create, start, clock } = await givenWebhooks();
    const urls = Array.from({ length: 9 }, (_, index) => `https://hangs-${index}.example/`);
    for (const url of urls) await addEndpoint({ url });
    await addEndpoint({ url: 'https://healthy.example/' });
    const sender = respondingSender(({ url }) => (url.includes('hangs') ? new Promise(() => undefined) : {}));
    start(sender);
    for (let index = 0; index < 30; index++) await create(`person-${index}`);
    clock.advance(1);
    const healthy = () => sender.sent.filter(({ url }) => url.includes('healthy'));
    await expect.poll(healthy).toHaveLength(30);
    for (const url of urls) expect(sender.sent.filter((message) => message.url === url)).toHaveLength(1);
  });
});

describe('several dispatchers', () => {
  it('send each event once, and those of a verification in order', async () => {
    const { addEndpoint, create, withdraw, start, outcomes } = await givenWebhooks();
    await addEndpoint();
    await addEndpoint();
    const sender = respondingSender(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return {};
    });
    const dispatchers = [start(sender), start(sender), start(sender)];
    for (let index = 0; index < 20; index++) {
      await withdraw(await create(`person-${index}`));
      for (const { wake } of dispatchers) wake();
    }
    await expect.poll(() => outcomes).toHaveLength(80);
    const keys = sender.sent.map(({ url, id, secrets }) => `${url} ${id} ${secrets.length}`);
    expect(keys).toHaveLength(80);
    const sequences = Map.groupBy(sender.sent, ({ data }) => data.verificationId).values();
    for (const sent of sequences) expect(sent.map(({ data }) => data.sequence)).toEqual([1, 1, 2, 2]);
  });

  it('send nothing twice after a stall, if no other took the endpoint meanwhile', async () => {
    const { addEndpoint, create, start, clock, outcomes } = await givenWebhooks();
    await addEndpoint();
    await create('quick');
    const hanging = await create('hanging');
    const response = Promise.withResolvers<object>();
    const sender = respondingSender(({ body }) => (body.includes(hanging) ? response.promise : {}));
    const dispatcher = start(sender);
    await expect.poll(() => sender.sent.length).toBe(2);
    clock.advance(60_000);
    await create('next');
    dispatcher.wake();
    await expect.poll(() => outcomes).toEqual(['delivered', 'delivered']);
    response.resolve({});
    await expect.poll(() => outcomes).toEqual(['delivered', 'delivered', 'delivered']);
    expect(sender.sent).toHaveLength(3);
  });

  it('go on where another lost its lease, whose result is not stored', async () => {
    const { addEndpoint, create, start, log, attempts, clock, outcomes } = await givenWebhooks();
    const { id } = await addEndpoint();
    await create('person-1');
    const stalled = Promise.withResolvers<object>();
    const first = respondingSender(() => stalled.promise);
    start(first);
    await expect.poll(() => first.sent.length).toBe(1);
    clock.advance(60_000);
    const second = respondingSender();
    start(second);
    await expect.poll(() => outcomes).toEqual(['delivered']);
    stalled.resolve({ status: 500 });
    await expect.poll(async () => (await log(id)).map(({ state }) => state)).toEqual(['delivered']);
    const [delivery] = await log(id);
    if (delivery === undefined) throw new Error('no delivery is in the log');
    expect(await attempts(delivery)).toHaveLength(1);
    expect(second.sent.map((message) => message.id)).toEqual(first.sent.map((message) => message.id));
  });
});

describe('a fault of the storage', () => {
  it('a fault of the storage is reported, and the dispatcher goes on', async () => {
    const { addEndpoint, create, start, webhooks, faults, outcomes } = await givenWebhooks();
    await addEndpoint();
    const outages = [new Error('away'), undefined, new Error('still away')];
    const flaky: WebhookRepository = {
      ...webhooks,
      async fanOut(request) {
        const fault = outages.shift();
        if (fault !== undefined) throw fault;
        return await webhooks.fanOut(request);
      },
    };
    await create('person-1');
    start(respondingSender(), { webhooks: flaky });
    await expect.poll(() => outcomes).toEqual(['delivered']);
    await create('person-2');
    await expect.poll(() => outcomes).toEqual(['delivered', 'delivered']);
    expect(faults.map(String)).toEqual(['Error: away', 'Error: still away']);
  });
});

describe('close', () => {
  it('waits for a request under way, stores its result, begins no other, and ends the leases', async () => {
    const { addEndpoint, create, withdraw, start, log, outcomes } = await givenWebhooks();
    const { id } = await addEndpoint();
    await withdraw(await create('person-1'));
    const slow = Promise.withResolvers<object>();
    const sender = respondingSender(() => slow.promise);
    const dispatcher = start(sender);
    await expect.poll(() => sender.sent.length).toBe(1);
    const closed = dispatcher.close();
    slow.resolve({});
    await closed;
    expect(outcomes).toEqual(['delivered']);
    expect((await log(id)).map(({ state }) => state)).toEqual(['delivered', 'waiting']);
    const next = respondingSender();
    start(next);
    await expect.poll(() => next.sent.map(({ data }) => data.sequence)).toEqual([2]);
  });

  it('drops the result of a request that takes longer, so that it is sent again', async () => {
    const { addEndpoint, create, start, outcomes } = await givenWebhooks();
    await addEndpoint();
    await create('person-1');
    const never = Promise.withResolvers<object>();
    const sender = respondingSender(() => never.promise);
    const dispatcher = start(sender);
    await expect.poll(() => sender.sent.length).toBe(1);
    await dispatcher.close({ withinMs: 1 });
    never.resolve({ status: 500 });
    const next = respondingSender();
    start(next);
    await expect.poll(() => next.sent.length).toBe(1);
    await expect.poll(() => outcomes).toEqual(['delivered']);
  });
});
