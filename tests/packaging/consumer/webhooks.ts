import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@countersign/client';
import { createCountersign } from '@countersign/domain';
import { createWebhook } from '@countersign/domain/actions';
import { createForgetDeliveries } from '@countersign/domain/webhooks';
import { createMemoryRateLimiter, createMemoryStorage } from '@countersign/memory';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { createWebhookSender, startWebhookDispatcher } from '@countersign/webhooks';

const secretKeys = [Buffer.alloc(32, 7)];
const storage = createMemoryStorage();
const sealing = createSealing({ keys: createKeyRing(secretKeys) });
const clock = createSystemClock();
const ids = createUuidIds();

// The receiver below is inside. Without these two settings, webhooks go to public addresses by https:// only.
const webhookSender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] });
const webhooksOverHttp = true;

const countersign = createCountersign(
  {
    storage,
    sealing,
    // Sends the tests of endpoints. The dispatcher sends everything else.
    webhookSender,
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids,
    secrets: createNodeSecrets(secretKeys),
  },
  { publicBaseUrl: 'https://verify.example', webhooksOverHttp },
);

// The dispatcher signs with the secrets of the endpoints: give it the repository that decrypts them.
const webhooks = sealing.sealWebhooks(storage.webhooks);
const dispatcher = startWebhookDispatcher({ webhooks, sender: webhookSender, clock, ids, onFault: console.error });
const forgetDeliveries = createForgetDeliveries({ webhooks, clock });
const forgetting = setInterval(() => void forgetDeliveries().catch(console.error), 60 * 60 * 1_000);

// The client's system.
const receiver = createServer().listen(0, '127.0.0.1');
await once(receiver, 'listening');
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
const operator = countersign.as({ kind: 'command_line' });
const types = ['verification.created', 'verification.approved'] as const;
const { secret } = await operator.run(createWebhook, { clientId: client.id, name: 'shop', url, types });

const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
const received = once(receiver, 'request');
await countersign.verifications.create(await countersign.authenticate(key), {
  subjectType: 'kyc',
  subjectReference: 'user_1',
});

const [request, response] = (await received) as [IncomingMessage, ServerResponse];
const body: Buffer[] = await request.toArray();
const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
const signed = new Request(url, { method: 'POST', headers, body: Buffer.concat(body) });
const { payload } = await verifyWebhook(signed, [secret]);
response.writeHead(204).end();
console.log(payload.type);

// Before the process ends: waits for requests under way.
clearInterval(forgetting);
await dispatcher.close();
webhookSender.close();
receiver.close();
