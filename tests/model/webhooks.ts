import type { Countersign } from '@countersign/domain';
import {
  createWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  pauseWebhook,
  removeWebhook,
  resendWebhooksSince,
  resumeWebhook,
} from '@countersign/domain/actions';
import type { Storage } from '@countersign/domain/storage';
import { WEBHOOK_TYPES, type WebhookEndpoint } from '@countersign/domain/webhooks';
import fc from 'fast-check';

/** What the commands need of a service. */
interface Service {
  readonly countersign: Countersign;
  readonly storage: Storage;
  readonly clock: { now(): Date };
  /** Returns a new id of this run. */
  readonly nextId: () => string;
}

const ENDPOINT_CHANGES = ['add', 'remove', 'resend', 'pause', 'resume', 'disable', 'enable'] as const;

/** What a sequence does to the webhooks of a service. Endpoints are named by their number among those of the client. */
export type WebhookCommand =
  | {
      readonly kind: 'endpoint';
      readonly client: number;
      readonly endpoint: number;
      readonly change: (typeof ENDPOINT_CHANGES)[number];
      /** How many types a new endpoint receives. */
      readonly types: number;
    }
  /**
   * Fans out, leases every endpoint and settles what is due. Each `every`th version is delivered; the others fail or wait, and pause
   * an endpoint that has failed for so many minutes.
   */
  | {
      readonly kind: 'send';
      readonly client: number;
      readonly every: number;
      readonly isFinal: boolean;
      readonly pauseAfterMinutes: number;
    };

/** More versions than a verification has: none is delivered. */
const NONE = 1_000;

/** Commands on webhooks of one of so many clients. */
export const webhookCommands = (clients: number): fc.Arbitrary<WebhookCommand> =>
  fc.oneof(
    fc.record(
      {
        kind: fc.constant('endpoint' as const),
        client: fc.nat(clients - 1),
        endpoint: fc.nat(1),
        change: fc.constantFrom('add', 'add', 'add', ...ENDPOINT_CHANGES),
        types: fc.constantFrom(1, WEBHOOK_TYPES.length),
      },
      { noNullPrototype: true },
    ),
    fc.record(
      {
        kind: fc.constant('send' as const),
        client: fc.nat(clients - 1),
        every: fc.constantFrom(1, 2, 3, NONE, NONE),
        isFinal: fc.boolean(),
        pauseAfterMinutes: fc.constantFrom(0, 5),
      },
      { noNullPrototype: true },
    ),
  );

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ALL = 100_000;

/** Changes of the state of an endpoint. */
const MOVES = {
  pause: pauseWebhook,
  resume: resumeWebhook,
  disable: disableWebhook,
  enable: enableWebhook,
} as const;

export async function runOnWebhooks(
  world: Service,
  client: { readonly id: string },
  command: WebhookCommand,
): Promise<unknown> {
  if (command.kind === 'send') return send(world, command);
  const as = world.countersign.as({ kind: 'command_line' });
  const { change, endpoint, types } = command;
  const clientId = client.id;
  if (change === 'add') {
    const settings = { name: 'Shop', url: 'https://shop.example/hooks', types: WEBHOOK_TYPES.slice(0, types) };
    return (await as.run(createWebhook, { clientId, ...settings })).endpoint;
  }
  const { endpoints } = await as.run(listWebhooks, { clientId });
  const endpointId = endpoints[endpoint]?.id;
  if (endpointId === undefined) return 'no endpoint';
  if (change === 'remove') return as.run(removeWebhook, { clientId, endpointId, name: 'Shop' });
  if (change === 'resend')
    return as.run(resendWebhooksSince, { clientId, endpointId, since: '2026-03-02T00:00:00.000Z' });
  return as.run(MOVES[change], { clientId, endpointId });
}

async function send(
  world: Service,
  { every, isFinal, pauseAfterMinutes }: Extract<WebhookCommand, { readonly kind: 'send' }>,
): Promise<unknown> {
  const webhooks = world.storage.webhooks;
  const now = world.clock.now();
  const until = new Date(now.getTime() + HOUR_MS);
  const count = await webhooks.fanOut({ now, limit: ALL });
  const leaseToken = world.nextId();
  const leased = await webhooks.leaseEndpoints({ leaseToken, now, until, limit: ALL });
  const sent = await Promise.all(
    leased.map((endpoint) =>
      sendTo(world, endpoint, { leaseToken, now, until, every, isFinal, pauseAfterMinutes }),
    ),
  );
  return { count, sent: new Set(sent), backlog: await webhooks.backlog(ALL) };
}

/** Settles what is due: first what is delivered, since a success ends a series of failures. */
async function sendTo(
  world: Service,
  endpoint: WebhookEndpoint,
  { leaseToken, now, until, every, isFinal, pauseAfterMinutes }: SendRequest,
): Promise<unknown> {
  const webhooks = world.storage.webhooks;
  const { clientId, id: endpointId } = endpoint;
  const lease = { clientId, endpointId, leaseToken };
  const due = (await webhooks.due(lease, { now, limit: ALL, except: [] })) ?? [];
  const isDelivered = (version: number) => version % every === 0;
  const ordered = due.toSorted(
    (a, b) => Number(isDelivered(b.event.version)) - Number(isDelivered(a.event.version)),
  );
  const outcomes = new Set<object>();
  for (const { event, attempts } of ordered) {
    const { id: eventId, verificationId, version } = event;
    const attempt = {
      id: world.nextId(),
      at: now,
      durationMs: 1,
      request: '{}',
      response: null,
      fault: 'refused',
    };
    const failed = isFinal ? ({ state: 'failed' } as const) : ({ state: 'waiting', dueAt: until } as const);
    const { outcome } = await webhooks.settle(
      lease,
      { eventId, verificationId, version },
      {
        attempt: { ...attempt, status: null },
        settlement: isDelivered(version) ? { state: 'delivered' } : failed,
        pauseIfFailingSince: new Date(now.getTime() - pauseAfterMinutes * MINUTE_MS),
        wake: { limit: 3, withinMs: 1_000 },
        disable: false,
        mailsIfPaused: await world.countersign.mails.aboutPause(endpoint),
      },
    );
    outcomes.add({ event, attempts, outcome });
  }
  await webhooks.release(lease);
  return outcomes;
}

interface SendRequest {
  readonly leaseToken: string;
  readonly now: Date;
  readonly until: Date;
  readonly every: number;
  readonly isFinal: boolean;
  readonly pauseAfterMinutes: number;
}

/** Reads the endpoints of a client with their log, and removes them: other sequences use the storage afterwards. */
export async function takeWebhooks(world: Service, clientId: string): Promise<unknown> {
  const webhooks = world.storage.webhooks;
  const pictures: unknown[] = [];
  const { endpoints } = await world.countersign.as({ kind: 'command_line' }).run(listWebhooks, { clientId });
  for (const endpoint of endpoints) {
    const query = { clientId, endpointId: endpoint.id, state: undefined, after: undefined, limit: ALL };
    const log = await webhooks.deliveries(query);
    const attempts = await Promise.all(
      log.map(async (entry) => ({
        entry,
        attempts: await webhooks.attempts(clientId, endpoint.id, entry.eventId),
      })),
    );
    pictures.push({ endpoint, log: new Set(attempts) });
    await webhooks.remove(clientId, endpoint.id);
  }
  return pictures;
}
