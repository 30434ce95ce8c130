import { CountersignError, type ErrorCode, invalidParameters } from '../errors.ts';
import {
  type EndpointMove,
  type EndpointSettings,
  type EndpointSettingsChange,
  type EndpointWithSecret,
  endpointChangeFields,
  endpointFields,
  endpointNameField,
  type ListedEndpoint,
  type WebhookTest,
} from '../webhooks/manage-webhooks.ts';
import type { DeliveryPage } from '../webhooks/webhook-log.ts';
import { type Attempt, DELIVERY_STATES, type DeliveryState } from '../webhooks/webhook-repository.ts';
import { type Action, type ActionDefinition, defineAction } from './action.ts';
import type { CallerContext } from './caller.ts';
import type { Who } from './rights.ts';

const MANAGERS: readonly Who[] = [{ right: 'manage_webhooks' }, 'command_line'];

/** The client of an input: required at the command line, omitted by users of a team. */
export interface OfClient {
  readonly clientId?: string | undefined;
}
const ofClient = { clientId: { kind: 'id', by: 'page', optional: true } } as const;

/** An input about one endpoint. */
export interface OnEndpoint extends OfClient {
  readonly endpointId: string;
}
const onEndpoint = { ...ofClient, endpointId: { kind: 'id', by: 'page' } } as const;

/** An input about one delivery of an endpoint. */
export interface OnDelivery extends OnEndpoint {
  readonly eventId: string;
}
const onDelivery = { ...onEndpoint, eventId: { kind: 'id', by: 'page' } } as const;

const NOT_FOUND: readonly ErrorCode[] = ['CLIENT_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND'];

const aboutEndpoint = { client: 'clientId', target: 'endpointId' } as const;

/** Lists the endpoints, oldest first. */
export const listWebhooks: Action<
  OfClient,
  { readonly endpoints: readonly ListedEndpoint[]; readonly limit: number }
> = defineAction({
  id: 'webhooks.list',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: ofClient,
  audit: { log: 'refusals', client: 'clientId' },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ webhooks }, { clientId }, caller) => webhooks.overview(clientOf(caller, clientId)),
});

/** Reads a webhook endpoint of a client. Outcome: `WEBHOOK_ENDPOINT_NOT_FOUND`. */
export const getWebhook: Action<OnEndpoint, ListedEndpoint> = defineAction({
  id: 'webhooks.get',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: onEndpoint,
  audit: { ...aboutEndpoint, log: 'refusals' },
  outcomes: NOT_FOUND,
  run: ({ webhooks }, { clientId, endpointId }, caller) => webhooks.get(clientOf(caller, clientId), endpointId),
});

/** Creates an endpoint. Its secret is shown once. */
export const createWebhook: Action<EndpointSettings & OfClient, EndpointWithSecret> = defineAction({
  id: 'webhooks.create',
  needs: ['webhooks'],
  who: MANAGERS,
  reauthenticate: true,
  fields: { ...ofClient, ...endpointFields },
  audit: {
    client: 'clientId',
    keep: ['types'],
    made: ({ endpoint: { id } }) => ({ targetId: id }),
  },
  outcomes: ['CLIENT_NOT_FOUND', 'WEBHOOK_LIMIT_REACHED'],
  run: ({ webhooks }, { clientId, ...input }, caller) =>
    webhooks.create(clientOf(caller, clientId), input, caller.team?.userId ?? null),
});

/** Changes name, URL or types. Omitted settings stay unchanged. */
export const changeWebhook: Action<OnEndpoint & EndpointSettingsChange, ListedEndpoint> = defineAction({
  id: 'webhooks.change',
  needs: ['webhooks'],
  who: MANAGERS,
  reauthenticate: true,
  fields: { ...onEndpoint, ...endpointChangeFields },
  audit: { ...aboutEndpoint, keep: ['types'] },
  outcomes: NOT_FOUND,
  run: ({ webhooks }, { clientId, endpointId, ...input }, caller) =>
    webhooks.change(clientOf(caller, clientId), endpointId, input),
});

/** Pauses an active endpoint. Its webhooks wait. */
export const pauseWebhook: Action<OnEndpoint, ListedEndpoint> = moveAction('pause');

/** Resumes a paused endpoint. Its waiting webhooks are sent. */
export const resumeWebhook: Action<OnEndpoint, ListedEndpoint> = moveAction('resume');

/** Disables an endpoint. Its waiting webhooks fail. */
export const disableWebhook: Action<OnEndpoint, ListedEndpoint> = moveAction('disable');

/** Enables a disabled endpoint. It receives events from now on. */
export const enableWebhook: Action<OnEndpoint, ListedEndpoint> = moveAction('enable');

/** An endpoint with the secret that the caller saw. */
export interface OnSecret extends OnEndpoint {
  /** Without it, the present secret is replaced. With it, a form that is sent twice replaces one secret. */
  readonly secretVersion?: number | undefined;
}

/** Creates a new secret, which is shown once. Earlier ones keep signing for `SECRET_OVERLAP_HOURS` after they were replaced. */
export const rotateWebhookSecret: Action<OnSecret, EndpointWithSecret> = defineAction({
  id: 'webhooks.rotate_secret',
  needs: ['webhooks'],
  who: MANAGERS,
  reauthenticate: true,
  fields: { ...onEndpoint, secretVersion: { kind: 'number', integer: true, min: 1, by: 'page', optional: true } },
  audit: aboutEndpoint,
  outcomes: [...NOT_FOUND, 'WEBHOOK_SECRET_REPLACED', 'WEBHOOK_SECRETS_OVERLAP'],
  run: ({ webhooks }, { clientId, endpointId, secretVersion }, caller) =>
    webhooks.rotateSecret(clientOf(caller, clientId), endpointId, secretVersion),
});

/** Removes an endpoint. The caller confirms by its name, so that no other endpoint is removed by mistake. */
export const removeWebhook: Action<OnEndpoint & { readonly name: string }, void> = defineAction({
  id: 'webhooks.remove',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: { ...onEndpoint, name: endpointNameField },
  audit: aboutEndpoint,
  outcomes: NOT_FOUND,
  run: ({ webhooks }, { clientId, endpointId, name }, caller) =>
    webhooks.remove(clientOf(caller, clientId), endpointId, name),
});

/** Sends a test webhook immediately. */
export const testWebhook: Action<OnEndpoint, WebhookTest> = defineAction({
  id: 'webhooks.test',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: onEndpoint,
  audit: aboutEndpoint,
  outcomes: [...NOT_FOUND, 'RATE_LIMIT_EXCEEDED', 'WEBHOOK_SECRET_UNREADABLE'],
  run: ({ webhooks }, { clientId, endpointId }, caller) => webhooks.test(clientOf(caller, clientId), endpointId),
});

/** Reads a page of the deliveries to an endpoint, newest event first. */
export const listWebhookDeliveries: Action<
  OnEndpoint & { readonly state?: DeliveryState | undefined; readonly after?: string | undefined },
  DeliveryPage
> = defineAction({
  id: 'webhooks.deliveries',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: {
    ...onEndpoint,
    state: { kind: 'choice', of: DELIVERY_STATES, optional: true },
    after: { kind: 'id', by: 'page', optional: true },
  },
  audit: { ...aboutEndpoint, log: 'refusals' },
  outcomes: NOT_FOUND,
  run: ({ webhookLog }, { clientId, endpointId, ...request }, caller) =>
    webhookLog.deliveries(clientOf(caller, clientId), endpointId, request),
});

/** Reads the attempts of a delivery, oldest first. */
export const listWebhookAttempts: Action<OnDelivery, readonly Attempt[]> = defineAction({
  id: 'webhooks.attempts',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: onDelivery,
  audit: { ...aboutEndpoint, log: 'refusals' },
  outcomes: [...NOT_FOUND, 'WEBHOOK_DELIVERY_NOT_FOUND'],
  run: ({ webhookLog }, { clientId, endpointId, eventId }, caller) =>
    webhookLog.attempts(clientOf(caller, clientId), endpointId, eventId),
});

/** Sends one delivery again. Returns 0 if it is already waiting, else 1. */
export const resendWebhook: Action<OnDelivery, number> = defineAction({
  id: 'webhooks.resend',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: onDelivery,
  audit: { ...aboutEndpoint, keep: ['eventId'] },
  outcomes: [...NOT_FOUND, 'WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_STATE'],
  run: ({ webhookLog }, { clientId, endpointId, eventId }, caller) =>
    webhookLog.resend(clientOf(caller, clientId), endpointId, { eventId }),
});

/** Sends all deliveries of events since a moment again. Returns their number. */
export const resendWebhooksSince: Action<OnEndpoint & { readonly since: string }, number> = defineAction({
  id: 'webhooks.resend_since',
  needs: ['webhooks'],
  who: MANAGERS,
  fields: { ...onEndpoint, since: { kind: 'timestamp' } },
  audit: { ...aboutEndpoint, keep: ['since'] },
  outcomes: [...NOT_FOUND, 'WEBHOOK_ENDPOINT_STATE'],
  run: ({ webhookLog }, { clientId, endpointId, since }, caller) =>
    webhookLog.resend(clientOf(caller, clientId), endpointId, { since: new Date(since) }),
});

function moveAction(move: EndpointMove): Action<OnEndpoint, ListedEndpoint> {
  const definition: ActionDefinition<OnEndpoint, ListedEndpoint> = {
    id: `webhooks.${move}`,
    needs: ['webhooks'],
    who: MANAGERS,
    fields: onEndpoint,
    audit: aboutEndpoint,
    outcomes: [...NOT_FOUND, 'WEBHOOK_ENDPOINT_STATE'],
    run: ({ webhooks }, { clientId, endpointId }, caller) =>
      webhooks.move(clientOf(caller, clientId), endpointId, move),
  };
  return defineAction(definition);
}

/**
 * Returns the client whose webhooks an input is about: the caller's own, or the one that an operator names.
 * @throws CountersignError `CLIENT_NOT_FOUND` for another client than the caller's, `INVALID_PARAMETERS` without one
 */
function clientOf({ team }: CallerContext, named: string | undefined): string {
  const clientId = team?.clientId ?? named;
  if (clientId === undefined) {
    throw invalidParameters([{ path: 'clientId', message: 'is required', code: 'required' }]);
  }
  if (named !== undefined && named !== clientId) throw new CountersignError('CLIENT_NOT_FOUND');
  return clientId;
}
