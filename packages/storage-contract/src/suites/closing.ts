import { isCountersignError } from '@countersign/domain';
import { expect } from 'vitest';
import { isLeftOut } from '../left-out.ts';
import { shown } from '../readable.ts';
import { aClient, givenClient } from '../records/clients.ts';
import { EVERY_CALL } from '../records/every-call.ts';
import { givenKey } from '../records/keys.ts';
import { aRecord } from '../records/records.ts';
import { createCharged, givenVerification } from '../records/verifications.ts';
import { givenEndpoint } from '../records/webhooks.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** How long a call after `close` may take to reject. It needs no database for that. */
const SETTLED_WITHIN_MS = 5_000;

/** Calls to a closed storage. */
export const closingSuite: Suite = suiteOf('calls after close', {
  'close: every operation rejects afterwards with SERVICE_UNAVAILABLE': async (storage) => {
    await givenClient(storage);
    await givenKey(storage, 1);
    await givenVerification(storage, 1);
    if (!isLeftOut(storage.webhooks)) await givenEndpoint(storage);
    await storage.close();

    const ports = Object.entries(EVERY_CALL).filter(([port]) => !isLeftOut(Reflect.get(storage, port)));
    const calls = ports.flatMap(([port, operations]) =>
      Object.entries(operations).map(([name, call]) => wrongAnswer(`${port}.${name}`, () => call(storage))),
    );
    calls.push(wrongAnswer('ping', () => storage.ping()));

    expect((await Promise.all(calls)).flat()).toEqual([]);
  },

  'close: a write that begins while it closes rejects': async (storage) => {
    await givenClient(storage);
    const before = createCharged(storage, aRecord(1));

    const closed = storage.close();
    const wrong = await Promise.all([
      wrongAnswer('verifications.createCharged', () => createCharged(storage, aRecord(2))),
      wrongAnswer('clients.create', () => storage.clients.create({ client: aClient(2), subscription: null })),
    ]);
    await closed;

    expect(wrong.flat()).toEqual([]);
    expect(await before).toEqual({ outcome: 'created' });
  },
});

/** Describes how a call answers, unless it rejects as a closed storage does. */
async function wrongAnswer(name: string, call: () => Promise<unknown>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(
      () => resolve([`${name} did not settle within ${SETTLED_WITHIN_MS} ms`]),
      SETTLED_WITHIN_MS,
    );
  });
  try {
    return await Promise.race([late, settled(name, call)]);
  } finally {
    clearTimeout(timer);
  }
}

async function settled(name: string, call: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    return [`${name} resolved with ${shown([await call()])}`];
  } catch (error) {
    return isCountersignError(error, 'SERVICE_UNAVAILABLE') ? [] : [`${name} rejected with ${String(error)}`];
  }
}
