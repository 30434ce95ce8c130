import type { ManageApiKeys } from '../access/manage-api-keys.ts';
import type { ManageExports } from '../exports/manage-exports.ts';
import type { Clock } from '../runtime.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import { liveIdOf } from '../subscription/test-twin.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { ManageWebhooks } from '../webhooks/manage-webhooks.ts';
import type { WebhookLog } from '../webhooks/webhook-log.ts';
import { type AttentionFacts, type AttentionItem, attentionOf, isFailing } from './attention.ts';
import { type FirstStep, firstStepsOf, type ModeFacts, NO_FACTS } from './first-steps.ts';

/** Reads what the overview of a client's team lists. */
export interface ReadOverview {
  /**
   * Lists what needs attention of the client.
   * @param may what the user may act on; the rest is not read
   */
  attention(
    clientId: string,
    may: { readonly [K in keyof AttentionFacts]: boolean },
  ): Promise<readonly AttentionItem[]>;
  /** Lists all first steps by facts of both modes. @param clientId the client or its test twin */
  firstSteps(clientId: string): Promise<readonly FirstStep[]>;
}

interface OverviewPorts {
  readonly clients: Pick<ManageClients, 'get' | 'testTwin' | 'usage'>;
  readonly apiKeys: Pick<ManageApiKeys, 'overview'>;
  readonly webhooks: Pick<ManageWebhooks, 'overview'>;
  readonly webhookLog: Pick<WebhookLog, 'refused'>;
  readonly exports: Pick<ManageExports, 'list'>;
  readonly verifications: Pick<VerificationRepository, 'browse'>;
  readonly clock: Clock;
}

/** Any verification of a client. */
const ANY = {
  status: undefined,
  type: undefined,
  subjectReferencePrefix: undefined,
  requestedFrom: undefined,
  requestedUntil: undefined,
  after: undefined,
  limit: 1,
  withoutTotal: true,
} as const;

export function createReadOverview(ports: OverviewPorts): ReadOverview {
  const { clients, apiKeys, webhooks, webhookLog, exports, verifications, clock } = ports;

  async function failingEndpoints(clientId: string): Promise<AttentionFacts['endpoints']> {
    const failing = (await webhooks.overview(clientId)).endpoints.filter(isFailing);
    return Promise.all(failing.map(async (one) => ({ ...one, refused: await webhookLog.refused(one) })));
  }

  async function waitingCopies(clientId: string): Promise<AttentionFacts['copies']> {
    const { exports: found, next } = await exports.list({ clientId, waiting: true });
    return { exports: found, hasMore: next !== null };
  }

  async function factsOf(clientId: string): Promise<ModeFacts> {
    const [{ keys }, { endpoints }, { records }] = await Promise.all([
      apiKeys.overview(clientId),
      webhooks.overview(clientId),
      verifications.browse(clientId, ANY),
    ]);
    return {
      keys: keys.filter(({ state }) => state === 'active'),
      endpoints,
      hasVerification: records.length > 0,
    };
  }

  return {
    async attention(clientId, may) {
      const [endpoints, keys, copies] = await Promise.all([
        may.endpoints ? failingEndpoints(clientId) : null,
        may.keys ? apiKeys.overview(clientId).then((found) => found.keys) : null,
        may.copies ? waitingCopies(clientId) : null,
      ]);
      return attentionOf({ endpoints, keys, copies }, clock.now());
    },

    async firstSteps(clientId) {
      const liveId = liveIdOf((await clients.get(clientId)).client);
      const [facts, { state }] = await Promise.all([factsOf(liveId), clients.usage(liveId)]);
      const live = { ...facts, hasSubscription: state !== 'no_active_subscription' };
      // A client in full use has all it needs in live mode. Its test twin is not read for each visit.
      const steps = firstStepsOf({ live, test: NO_FACTS });
      if (steps.every(({ isDone }) => isDone)) return steps;
      return firstStepsOf({ live, test: await factsOf((await clients.testTwin(liveId)).id) });
    },
  };
}
