import { CountersignError, invalidParameters } from '../errors.ts';
import type { Fields, ListField, TextField } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Clock, Ids, Secrets } from '../runtime.ts';
import {
  type EndpointState,
  MAX_WEBHOOK_ENDPOINTS,
  newWebhookSecret,
  SECRET_OVERLAP_MS,
  type StoredSecret,
  signingSecrets,
  type WebhookEndpoint,
} from './webhook-endpoint.ts';
import { WEBHOOK_TYPES, type WebhookType } from './webhook-event.ts';
import type { EndpointChange, WebhookRepository } from './webhook-repository.ts';
import type { WebhookResponse, WebhookSender } from './webhook-sender.ts';
import { parseWebhookUrl, WEBHOOK_URL_MAX } from './webhook-url.ts';

/** The settings of an endpoint that users choose. */
export interface EndpointSettings {
  /** Display name of the receiver. */
  readonly name: string;
  readonly url: string;
  /** The types of webhooks that it receives. At least one. */
  readonly types: readonly WebhookType[];
}

/** Settings to change. Omitted ones stay unchanged. */
export type EndpointSettingsChange = { readonly [K in keyof EndpointSettings]?: EndpointSettings[K] | undefined };

/** An endpoint without its secrets. */
export interface ListedEndpoint extends Omit<WebhookEndpoint, 'secret' | 'previousSecret'> {
  /** Until when the previous secret still signs; null if it does not. */
  readonly previousSecretUntil: Date | null;
}

/** An endpoint and its new secret, which is returned once. */
export interface EndpointWithSecret {
  readonly endpoint: ListedEndpoint;
  readonly secret: string;
}

/** A test webhook and its answer. */
export interface WebhookTest {
  readonly request: string;
  readonly response: WebhookResponse;
}

/** Manages the endpoints of a client. Another client's endpoint is not found. */
export interface ManageWebhooks {
  /**
   * Creates an endpoint. It receives events from now on.
   * @param createdBy the user who asked for it; null for the command line
   * @throws CountersignError `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`, `WEBHOOK_LIMIT_REACHED`
   */
  create(clientId: string, input: EndpointSettings, createdBy: string | null): Promise<EndpointWithSecret>;
  /** Lists the endpoints, oldest first, and how many there can be. */
  overview(clientId: string): Promise<{ readonly endpoints: readonly ListedEndpoint[]; readonly limit: number }>;
  /** @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND` */
  get(clientId: string, endpointId: string): Promise<ListedEndpoint>;
  /**
   * Changes the given settings. Waiting deliveries go to the new URL.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `INVALID_PARAMETERS`
   */
  change(clientId: string, endpointId: string, input: EndpointSettingsChange): Promise<ListedEndpoint>;
  /**
   * Moves an endpoint to another state. A move to its current state changes nothing. After `enable`, it receives events from
   * now on.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_ENDPOINT_STATE` if its state does not allow the move
   */
  move(clientId: string, endpointId: string, move: EndpointMove): Promise<ListedEndpoint>;
  /**
   * Creates a new secret. The previous one keeps signing for another day.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`
   */
  rotateSecret(clientId: string, endpointId: string): Promise<EndpointWithSecret>;
  /**
   * Removes an endpoint and its log, if the typed text is its name.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`; `INVALID_PARAMETERS` at `name`; nothing is removed then
   */
  remove(clientId: string, endpointId: string, typedName: string): Promise<void>;
  /**
   * Sends a test webhook at once, in any state of the endpoint. The log does not contain it.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `RATE_LIMIT_EXCEEDED`
   */
  test(clientId: string, endpointId: string): Promise<WebhookTest>;
}

export type EndpointMove = 'pause' | 'resume' | 'disable' | 'enable';

interface StateMove {
  /** The states that allow the move. */
  readonly from: readonly EndpointState[];
  readonly to: EndpointState;
}

const MOVES: Readonly<Record<EndpointMove, StateMove>> = {
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  disable: { from: ['active', 'paused'], to: 'disabled' },
  enable: { from: ['disabled'], to: 'active' },
};

/** Whether an endpoint in this state allows the move. */
export function isEndpointMovePossible(move: EndpointMove, state: EndpointState): boolean {
  return MOVES[move].from.includes(state);
}

/** Longest name of an endpoint, in characters. */
const ENDPOINT_NAME_MAX = 100;

/** Field for the name of an endpoint. */
export const endpointNameField: TextField = { kind: 'text', shape: 'label', max: ENDPOINT_NAME_MAX };

const endpointUrlField: TextField = { kind: 'text', max: WEBHOOK_URL_MAX };

const webhookTypesField: ListField<WebhookType> = {
  kind: 'list',
  each: { kind: 'choice', of: WEBHOOK_TYPES },
  min: 1,
  max: WEBHOOK_TYPES.length,
};

/** Fields of a new endpoint. */
export const endpointFields: Fields<EndpointSettings> = {
  name: endpointNameField,
  url: endpointUrlField,
  types: webhookTypesField,
};

/** Fields of a change. */
export const endpointChangeFields: Fields<EndpointSettingsChange> = {
  name: { ...endpointNameField, optional: true },
  url: { ...endpointUrlField, optional: true },
  types: { ...webhookTypesField, optional: true },
};

const newSchema = typedSchemaOf<EndpointSettings>(endpointFields);
const changeSchema = typedSchemaOf<EndpointSettingsChange>(endpointChangeFields);

export interface ManageWebhooksPorts {
  readonly webhooks: Pick<WebhookRepository, 'add' | 'list' | 'change' | 'remove'>;
  /** Without it, tests reject. */
  readonly sender: WebhookSender | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'randomBase64'>;
  /** Counts a test of the client. */
  readonly countTest: (clientId: string) => Promise<{ readonly allowed: boolean }>;
}

/** @param settings.allowsHttp whether the URL of an endpoint may begin with `http://` */
export function createManageWebhooks(
  { webhooks, sender, clock, ids, secrets, countTest }: ManageWebhooksPorts,
  settings: { readonly allowsHttp: boolean },
): ManageWebhooks {
  const find = (clientId: string, endpointId: string) => findEndpoint(webhooks, clientId, endpointId);
  const listed = (endpoint: WebhookEndpoint): ListedEndpoint => listedEndpoint(endpoint, clock.now());

  /** @throws CountersignError `INVALID_PARAMETERS` at `url` */
  function checkedUrl(url: string): string {
    const parsed = parseWebhookUrl(url, settings);
    if (typeof parsed !== 'string') throw invalidParameters([{ path: 'url', ...parsed }]);
    return parsed;
  }

  async function apply(clientId: string, endpointId: string, change: EndpointChange): Promise<ListedEndpoint> {
    const result = await webhooks.change(clientId, endpointId, change, clock.now());
    if (result.outcome === 'not_found') throw unknownEndpoint();
    return listed(result.endpoint);
  }

  return {
    async create(clientId, input, createdBy) {
      const { name, url, types } = parseInput(newSchema, input);
      const now = clock.now();
      const value = newWebhookSecret(secrets);
      const endpoint: WebhookEndpoint = {
        id: ids.next(),
        clientId,
        url: checkedUrl(url),
        name,
        types: [...types],
        state: 'active',
        since: now,
        createdAt: now,
        createdBy,
        secret: { value, wrappedBy: null },
        previousSecret: null,
        failingSince: null,
      };
      const { outcome } = await webhooks.add(endpoint);
      switch (outcome) {
        case 'added':
          return { endpoint: listed(endpoint), secret: value };
        case 'limit_reached':
          throw new CountersignError(
            'WEBHOOK_LIMIT_REACHED',
            `The client already has ${MAX_WEBHOOK_ENDPOINTS} endpoints. Remove one, then add the new one.`,
          );
        case 'client_not_found':
          throw new CountersignError('CLIENT_NOT_FOUND');
        default:
          return outcome satisfies never;
      }
    },

    async overview(clientId) {
      return { endpoints: (await webhooks.list(clientId)).map(listed), limit: MAX_WEBHOOK_ENDPOINTS };
    },

    get: async (clientId, endpointId) => listed(await find(clientId, endpointId)),

    async change(clientId, endpointId, input) {
      const { name, url, types } = parseInput(changeSchema, input);
      return apply(clientId, endpointId, {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url: checkedUrl(url) }),
        ...(types !== undefined && { types: [...types] }),
      });
    },

    async move(clientId, endpointId, move) {
      const endpoint = await find(clientId, endpointId);
      const { to } = MOVES[move];
      if (endpoint.state === to) return listed(endpoint);
      if (!isEndpointMovePossible(move, endpoint.state)) throw new CountersignError('WEBHOOK_ENDPOINT_STATE');
      return apply(clientId, endpointId, {
        state: to,
        // Otherwise its first failure would pause it again.
        ...(to === 'active' && { failingSince: null }),
        ...(move === 'enable' && { since: clock.now() }),
      });
    },

    async rotateSecret(clientId, endpointId) {
      const { secret: present } = await find(clientId, endpointId);
      const value = newWebhookSecret(secrets);
      const validUntil = new Date(clock.now().getTime() + SECRET_OVERLAP_MS);
      const endpoint = await apply(clientId, endpointId, {
        secret: { value, wrappedBy: null },
        previousSecret: isReadable(present) ? { ...present, validUntil } : null,
      });
      return { endpoint, secret: value };
    },

    async remove(clientId, endpointId, typedName) {
      const { name } = await find(clientId, endpointId);
      if (typedName !== name) {
        throw invalidParameters([{ path: 'name', message: `must be ${name}`, code: 'invalid' }]);
      }
      const { outcome } = await webhooks.remove(clientId, endpointId);
      if (outcome === 'not_found') throw unknownEndpoint();
    },

    async test(clientId, endpointId) {
      const endpoint = await find(clientId, endpointId);
      if (sender === undefined)
        throw new Error('The port `webhookSender` is missing: this service sends no webhooks');
      if (!(await countTest(clientId)).allowed) throw new CountersignError('RATE_LIMIT_EXCEEDED');
      const at = clock.now();
      const request = JSON.stringify({
        type: 'webhook.test',
        timestamp: at.toISOString(),
        data: { endpointId },
      } satisfies WebhookTestBody);
      const response = await sender.send({
        id: ids.next(),
        url: endpoint.url,
        body: request,
        secrets: signingSecrets(endpoint, at).map(({ value }) => value),
        at,
      });
      return { request, response };
    },
  };
}

/** The body of a test webhook. */
export interface WebhookTestBody {
  readonly type: 'webhook.test';
  /** When it was sent: ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: { readonly endpointId: string };
}

/** @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND` */
export async function findEndpoint(
  webhooks: Pick<WebhookRepository, 'list'>,
  clientId: string,
  endpointId: string,
): Promise<WebhookEndpoint> {
  const endpoint = (await webhooks.list(clientId)).find(({ id }) => id === endpointId);
  if (endpoint === undefined) throw unknownEndpoint();
  return endpoint;
}

export function unknownEndpoint(): CountersignError {
  return new CountersignError('WEBHOOK_ENDPOINT_NOT_FOUND');
}

/** Whether a secret can be decrypted: reading the `value` of one that was sealed by a lost key throws. */
function isReadable(secret: StoredSecret): boolean {
  try {
    return secret.value !== '';
  } catch {
    return false;
  }
}

function listedEndpoint({ secret: _, previousSecret, ...endpoint }: WebhookEndpoint, now: Date): ListedEndpoint {
  const isValid = previousSecret !== null && now < previousSecret.validUntil;
  return { ...endpoint, previousSecretUntil: isValid ? previousSecret.validUntil : null };
}
