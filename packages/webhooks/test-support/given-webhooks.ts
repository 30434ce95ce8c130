import type { Principal } from '@countersign/domain';
import type { Attempt, DeliveryEntry, WebhookRepository } from '@countersign/domain/storage';
import { WEBHOOK_TYPES, type WebhookEndpoint, type WebhookSender } from '@countersign/domain/webhooks';
import { createCountingIds, createMemoryStorage, type FixedClock } from '@countersign/memory';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { givenClient, givenService } from '@countersign/test-support/service/service';
import { onTestFinished } from 'vitest';
import {
  type AttemptOutcome,
  startWebhookDispatcher,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from '../src/index.ts';
import { secretOf } from './messages.ts';

/** A client with endpoints, in memory, whose verifications make events. */
export interface GivenWebhooks {
  readonly webhooks: WebhookRepository;
  readonly clock: FixedClock;
  readonly faults: unknown[];
  readonly outcomes: AttemptOutcome[];
  addEndpoint(given?: Partial<WebhookEndpoint>): Promise<WebhookEndpoint>;
  /** Creates a verification, and returns its id. */
  create(reference: string): Promise<string>;
  /** Creates another client. */
  anotherClient(): Promise<Pick<GivenWebhooks, 'addEndpoint' | 'create'>>;
  withdraw(verificationId: string): Promise<void>;
  /** Starts a dispatcher. It is closed with the test. */
  start(
    sender: WebhookSender,
    options?: Partial<Pick<WebhookDispatcherOptions, 'webhooks' | 'clock' | 'mailsIfPaused' | 'aroundAttempt'>>,
  ): WebhookDispatcher;
  endpoint(id: string): Promise<WebhookEndpoint | undefined>;
  /** Reads the log of an endpoint, oldest event first. */
  log(endpointId: string): Promise<DeliveryEntry[]>;
  attempts(delivery: DeliveryEntry): Promise<readonly Attempt[]>;
}

const ids = createCountingIds();

export async function givenWebhooks(): Promise<GivenWebhooks> {
  const storage = createMemoryStorage();
  const { countersign, clock } = givenService({ storage });
  const { webhooks } = storage;
  const newClient = async () => {
    const { clientId, principal } = await givenClient({ countersign }, { plan: 'enterprise' });
    return {
      clientId,
      principal,
      async addEndpoint(given: Partial<WebhookEndpoint> = {}) {
        const endpoint: WebhookEndpoint = { ...newEndpoint(clientId, clock.now()), ...given };
        await webhooks.add(endpoint);
        return endpoint;
      },
      create: (reference: string) => createVerification(countersign, principal, reference),
    };
  };
  const { clientId, principal, addEndpoint, create } = await newClient();
  const faults: unknown[] = [];
  const outcomes: AttemptOutcome[] = [];

  return {
    webhooks,
    clock,
    faults,
    outcomes,
    addEndpoint,
    create,
    anotherClient: newClient,
    withdraw: async (id) => void (await countersign.verifications.withdraw(principal, id)),
    start(sender, options) {
      const dispatcher = startWebhookDispatcher({
        webhooks,
        clock,
        ids,
        sender,
        random: () => 0,
        onFault: (fault) => faults.push(fault),
        onAttempt: (outcome) => outcomes.push(outcome),
        ...options,
      });
      onTestFinished(() => dispatcher.close({ withinMs: 0 }));
      return dispatcher;
    },
    endpoint: async (id) => (await webhooks.list(clientId)).find((endpoint) => endpoint.id === id),
    async log(endpointId) {
      const query = { clientId, endpointId, state: undefined, after: undefined, limit: 1_000 };
      return (await webhooks.deliveries(query)).toReversed();
    },
    attempts: async ({ endpointId, eventId }) => (await webhooks.attempts(clientId, endpointId, eventId)) ?? [],
  };
}

async function createVerification(
  { verifications }: ReturnType<typeof givenService>['countersign'],
  principal: Principal,
  subjectReference: string,
): Promise<string> {
  const { verification } = await verifications.create(principal, { subjectReference, subjectType: 'kyc' });
  return verification.id;
}

function newEndpoint(clientId: string, now: Date): WebhookEndpoint {
  return webhookEndpoint({
    id: ids.next(),
    clientId,
    types: WEBHOOK_TYPES,
    since: now,
    createdAt: now,
    secret: { value: secretOf(7), wrappedBy: null },
  });
}
