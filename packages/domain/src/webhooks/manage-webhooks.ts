import { CountersignError, invalidParameters } from '../errors.ts';
import type { Fields, ListField, TextField } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Runtime, Secrets } from '../runtime.ts';
import {
  type EndpointState,
  isReadable,
  MAX_REPLACED_SECRETS,
  MAX_WEBHOOK_ENDPOINTS,
  newWebhookSecret,
  replacedSecrets,
  rotatedSecrets,
  signingSecrets,
  type WebhookEndpoint,
} from './webhook-endpoint.ts';
import { WEBHOOK_TYPES, type WebhookType } from './webhook-event.ts';
import type { EndpointChange, ExpectedEndpoint, WebhookRepository } from './webhook-repository.ts';
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
export interface ListedEndpoint extends Omit<WebhookEndpoint, 'secret' | 'previousSecret' | 'olderSecret'> {
  /** Until when replaced secrets still sign, the newest first. */
  readonly replacedSecretsUntil: readonly Date[];
}

/** An endpoint and its new secret, which is returned once. */
export interface EndpointWithSecret {
  readonly endpoint: ListedEndpoint;
  readonly secret: string;
}

/** A test webhook and its response. */
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
   * now on. If the state changes meanwhile, the move is decided again.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_ENDPOINT_STATE` if its state does not allow the move
   */
  move(clientId: string, endpointId: string, move: EndpointMove): Promise<ListedEndpoint>;
  /**
   * Creates a new secret. The present one keeps signing for `SECRET_OVERLAP_HOURS`, and earlier ones until their end, so that
   * any secret that the receiver may use stays valid.
   * @param seen the version of the secret that the caller saw; default: the present one
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_SECRET_REPLACED` if the secret is not the one seen,
   * `WEBHOOK_SECRETS_OVERLAP` while `MAX_REPLACED_SECRETS` still sign
   */
  rotateSecret(clientId: string, endpointId: string, seen?: number): Promise<EndpointWithSecret>;
  /**
   * Removes an endpoint and its log, if the typed text is its name.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`; `INVALID_PARAMETERS` at `name`; nothing is removed then
   */
  remove(clientId: string, endpointId: string, typedName: string): Promise<void>;
  /**
   * Sends a test webhook immediately, in any state of the endpoint. The log does not contain it.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `RATE_LIMIT_EXCEEDED`, `WEBHOOK_SECRET_UNREADABLE`
   */
  test(clientId: string, endpointId: string): Promise<WebhookTest>;
}

/** A change of the state of an endpoint. */
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

/** A move is decided again after each concurrent change of the state, at most this often. */
const MOVE_ATTEMPTS = 5;

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

export interface ManageWebhooksPorts extends Pick<Runtime, 'clock' | 'ids'> {
  readonly webhooks: Pick<WebhookRepository, 'add' | 'list' | 'change' | 'remove'>;
  /** Without it, tests reject. */
  readonly sender: WebhookSender | undefined;
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

  /** @returns null if the endpoint is not as expected */
  async function apply(
    { clientId, id }: Pick<WebhookEndpoint, 'clientId' | 'id'>,
    change: EndpointChange,
    expected?: ExpectedEndpoint,
  ): Promise<ListedEndpoint | null> {
    const result = await webhooks.change(clientId, id, change, clock.now(), expected);
    if (result.outcome === 'not_found') throw unknownEndpoint();
    return result.outcome === 'conflict' ? null : listed(result.endpoint);
  }

  return {
    async create(clientId, input, createdBy) {
      const { name, url, types } = parseInput(newSchema(), input);
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
        secretVersion: 1,
        previousSecret: null,
        olderSecret: null,
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
      const { name, url, types } = parseInput(changeSchema(), input);
      const changed = await apply(
        { clientId, id: endpointId },
        {
          ...(name !== undefined && { name }),
          ...(url !== undefined && { url: checkedUrl(url) }),
          ...(types !== undefined && { types: [...types] }),
        },
      );
      if (changed === null) throw new Error('the storage refused a change that expects nothing');
      return changed;
    },

    async move(clientId, endpointId, move) {
      const { to } = MOVES[move];
      for (let attempt = 1; attempt <= MOVE_ATTEMPTS; attempt += 1) {
        const endpoint = await find(clientId, endpointId);
        const { state } = endpoint;
        if (state === to) return listed(endpoint);
        if (!isEndpointMovePossible(move, state)) break;
        const moved = await apply(
          endpoint,
          {
            state: to,
            // Otherwise its first failure would pause it again.
            ...(to === 'active' && { failingSince: null }),
            ...(move === 'enable' && { since: clock.now() }),
          },
          { state },
        );
        if (moved !== null) return moved;
      }
      throw new CountersignError('WEBHOOK_ENDPOINT_STATE');
    },

    async rotateSecret(clientId, endpointId, seen) {
      const present = await find(clientId, endpointId);
      const { secretVersion } = present;
      if (seen !== undefined && seen !== secretVersion) throw new CountersignError('WEBHOOK_SECRET_REPLACED');
      const value = newWebhookSecret(secrets);
      const rotated = rotatedSecrets(present, value, clock.now());
      if (rotated === null) throw tooManySecrets(present);
      const endpoint = await apply(present, rotated, { secretVersion });
      if (endpoint === null) throw new CountersignError('WEBHOOK_SECRET_REPLACED');
      return { endpoint, secret: value };
    },

    async remove(clientId, endpointId, typedName) {
      const { name } = await find(clientId, endpointId);
      if (typedName !== name) {
        throw invalidParameters([
          { path: 'name', message: `must be the name of the endpoint: “${name}”`, code: 'invalid' },
        ]);
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
      const signing = signingSecrets(endpoint, at);
      if (!signing.every(isReadable)) throw new CountersignError('WEBHOOK_SECRET_UNREADABLE');
      const request = JSON.stringify({
        type: 'webhook.test',
        timestamp: at.toISOString(),
        data: { endpointId },
      } satisfies WebhookTestBody);
      const response = await sender.send({
        id: ids.next(),
        url: endpoint.url,
        body: request,
        secrets: signing.map(({ value }) => value),
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

/** The error while all replaced secrets sign: the older one ends first. */
function tooManySecrets({ olderSecret }: Pick<WebhookEndpoint, 'olderSecret'>): CountersignError {
  const until = olderSecret?.validUntil.toISOString();
  return new CountersignError(
    'WEBHOOK_SECRETS_OVERLAP',
    `${MAX_REPLACED_SECRETS} replaced secrets still sign. Replace the secret after ${until}.`,
  );
}

function listedEndpoint(stored: WebhookEndpoint, now: Date): ListedEndpoint {
  const { secret: _, previousSecret, olderSecret, ...endpoint } = stored;
  const replaced = replacedSecrets({ previousSecret, olderSecret }, now);
  return { ...endpoint, replacedSecretsUntil: replaced.map(({ validUntil }) => validUntil) };
}
