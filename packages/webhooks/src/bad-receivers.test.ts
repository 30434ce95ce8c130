import { expect, it } from 'vitest';
import { givenWebhooks } from '../test-support/given-webhooks.ts';
import { type Receiver, startRawReceiver, startReceiver } from '../test-support/receiver.ts';
import { createWebhookSender } from './index.ts';

const VERIFICATIONS = 25;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n';

/** Receivers that misbehave, each in a way of its own. */
async function startBadReceivers(): Promise<Receiver[]> {
  return [
    await startRawReceiver(() => undefined),
    await startRawReceiver((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer));
    }),
    await startRawReceiver((socket) => {
      const flood = () => {
        while (socket.writable && socket.write('a'.repeat(65_536)));
      };
      socket.on('drain', flood);
      socket.write(HEAD, flood);
    }),
    await startRawReceiver((socket) => socket.resetAndDestroy()),
    await startReceiver((_, response) => response.writeHead(500).end()),
    await startReceiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 1_200)),
  ];
}

it('receivers that hang, drip, flood, reset, fail or are slow do not delay a healthy one of the same client', async () => {
  const { addEndpoint, create, withdraw, start, clock } = await givenWebhooks();
  const healthy = await startReceiver();
  const urlOf = ({ port }: Receiver) => `http://localhost:${port}/`;
  for (const receiver of await startBadReceivers()) await addEndpoint({ url: urlOf(receiver) });
  await addEndpoint({ url: 'http://localhost:1/' });
  await addEndpoint({ url: urlOf(healthy) });

  const sender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8', '::1'], deadlineMs: 3_000 });
  const dispatcher = start(sender);
  for (let index = 0; index < VERIFICATIONS; index++) await withdraw(await create(`person-${index}`));
  clock.advance(1);
  dispatcher.wake();

  await expect.poll(() => healthy.received.length).toBe(2 * VERIFICATIONS);
  const bodies = healthy.received.map(
    ({ body }) => JSON.parse(body) as { data: { verificationId: string; sequence: number } },
  );
  for (const sent of Map.groupBy(bodies, ({ data }) => data.verificationId).values()) {
    expect(sent.map(({ data }) => data.sequence)).toEqual([1, 2]);
  }
  sender.close();
});
