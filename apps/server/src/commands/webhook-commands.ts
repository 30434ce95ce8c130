import {
  type Action,
  changeWebhook,
  createWebhook,
  disableWebhook,
  enableWebhook,
  getClient,
  getWebhook,
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhooks,
  type OfClient,
  type OnEndpoint,
  pauseWebhook,
  removeWebhook,
  resendWebhook,
  resendWebhooksSince,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@countersign/domain/actions';
import type { Attempt, DeliveryEntry } from '@countersign/domain/storage';
import {
  type EndpointWithSecret,
  type ListedEndpoint,
  SECRET_OVERLAP_HOURS,
  WEBHOOK_TYPES,
} from '@countersign/domain/webhooks';
import { InvalidArgumentError } from 'commander';
import { type OpenAdministration, openVerificationAdministration } from '../composition/administration.ts';
import { readLinkSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';
import type { ActionCommand, ActionCommands, CommandOption, Printed } from './action-command.ts';
import { tableOf } from './terminal.ts';

/** Commands must name the client. In a team, it is the user's own. */
const CLIENT: CommandOption = { isOptional: false };
const ofClient = { clientId: CLIENT };
const SETTINGS = {
  ...ofClient,
  name: { help: 'name of the receiver, such as shop' },
  url: { help: 'https:// URL that receives the webhooks' },
  types: { help: `types that it receives, separated by commas: ${WEBHOOK_TYPES.join(', ')}` },
};

/** Adds `webhook create`, `list`, `get`, `change`, `pause` and so on. */
export function addWebhookCommands(commands: ActionCommands): void {
  const add = <I, O>(row: ActionCommand<I, O>): void => commands.add({ ...row, open });

  add({
    name: 'webhook create',
    description: 'add an endpoint; its secret is shown once',
    action: createWebhook,
    options: SETTINGS,
    print: printSecret,
  });

  add({
    name: 'webhook list',
    description: 'list the endpoints of a client, oldest first',
    action: listWebhooks,
    options: ofClient,
    async input({ clientId }, { run }) {
      await run(getClient, { clientId: String(clientId) });
      return { clientId };
    },
    print: ({ endpoints }) => ({ json: endpoints, text: endpointTable(endpoints) }),
  });

  add({ name: 'webhook get', description: 'show one endpoint', action: getWebhook, options: ofClient });

  add({
    name: 'webhook change',
    description: 'change the given settings of an endpoint',
    action: changeWebhook,
    options: SETTINGS,
    input(given) {
      const { clientId: _client, endpointId: _endpoint, ...settings } = given;
      if (Object.keys(settings).length === 0) {
        throw new InvalidArgumentError('nothing to change: give --name, --url or --types');
      }
      return given;
    },
    print: printEndpoint,
  });

  const moves: readonly [name: string, description: string, action: Action<OnEndpoint, ListedEndpoint>][] = [
    ['pause', 'pause an endpoint: its webhooks wait', pauseWebhook],
    ['resume', 'resume a paused endpoint: its waiting webhooks are sent', resumeWebhook],
    ['disable', 'disable an endpoint: its waiting webhooks fail', disableWebhook],
    ['enable', 'enable a disabled endpoint: it receives events from now on', enableWebhook],
  ];
  for (const [name, description, action] of moves) {
    add({ name: `webhook ${name}`, description, action, options: ofClient, print: printEndpoint });
  }

  add({
    name: 'webhook rotate-secret',
    description: `replace the secret of an endpoint; the new one is shown once, the old one keeps signing for ${SECRET_OVERLAP_HOURS} hours`,
    action: rotateWebhookSecret,
    options: { ...ofClient, secretVersion: null },
    print: printSecret,
  });

  add({
    name: 'webhook remove',
    description: 'remove an endpoint, its deliveries and their log',
    action: removeWebhook,
    options: { ...ofClient, name: { help: 'its name, to confirm' } },
    print: (_, { clientId, endpointId }) => ({
      json: { id: endpointId, clientId },
      text: `Endpoint ${endpointId} is removed`,
    }),
  });

  add({
    name: 'webhook test',
    description: 'send a test to an endpoint and show its response',
    action: testWebhook,
    options: ofClient,
    print: (test) => ({
      json: test,
      text: [resultOf(test.response), test.response.text]
        .filter((line) => line !== null && line !== '')
        .join('\n'),
    }),
  });

  add({
    name: 'webhook deliveries',
    description: 'list the deliveries to an endpoint, newest event first',
    action: listWebhookDeliveries,
    options: {
      ...ofClient,
      state: { help: 'only deliveries in this state' },
      after: {
        name: 'after',
        value: '<position>',
        help: 'start after this position: "next" of the previous page',
      },
    },
    print: ({ deliveries, next }) => ({
      json: { deliveries, next },
      text: deliveryTable(deliveries) + (next === null ? '' : `\nNext page: --after ${next}`),
    }),
  });

  add({
    name: 'webhook attempts',
    description: 'show the requests of a delivery and their responses, oldest first',
    action: listWebhookAttempts,
    options: ofClient,
    print: (attempts) => ({ json: attempts, text: attemptTable(attempts) }),
  });

  add({
    name: 'webhook resend',
    description: 'send a delivery again',
    action: resendWebhook,
    options: ofClient,
    print: (count) => printCount(count, 'The delivery is waiting already'),
  });

  add({
    name: 'webhook resend-since',
    description: 'send all deliveries of events since a given time again',
    action: resendWebhooksSince,
    options: ofClient,
    print: (count) => printCount(count, 'Nothing to send again: no finished delivery of an event since then'),
  });
}

function printSecret({ endpoint, secret }: EndpointWithSecret, _input: OfClient): Printed {
  const { id, ...rest } = endpoint;
  return { json: { id, secret, ...rest }, text: `Endpoint ${id}: the secret is shown only once\n${secret}` };
}

function printEndpoint(endpoint: ListedEndpoint, _input: OfClient): Printed {
  const { id, name, state, url } = endpoint;
  return { json: endpoint, text: `Endpoint ${id} (${name}) is ${state}: ${url}` };
}

function printCount(count: number, ifNone: string): Printed {
  const text = count === 1 ? '1 delivery will be sent again' : `${count} deliveries will be sent again`;
  return { json: { count }, text: count === 0 ? ifNone : text };
}

function endpointTable(endpoints: readonly ListedEndpoint[]): string {
  const rows = endpoints.map(({ id, name, state, failingSince, types, url }) => [
    id,
    name,
    state,
    failingSince?.toISOString() ?? '',
    types.join(','),
    url,
  ]);
  return tableOf(['ID', 'NAME', 'STATE', 'FAILING SINCE', 'TYPES', 'URL'], rows, 'No endpoints yet');
}

function deliveryTable(deliveries: readonly DeliveryEntry[]): string {
  const rows = deliveries.map(({ eventId, type, verificationId, version, at, state, attempts }) => [
    eventId,
    at.toISOString(),
    type,
    state,
    String(attempts),
    `${verificationId} (${version})`,
  ]);
  return tableOf(['EVENT', 'AT', 'TYPE', 'STATE', 'ATTEMPTS', 'VERIFICATION'], rows, 'No deliveries');
}

function attemptTable(attempts: readonly Attempt[]): string {
  const rows = attempts.map((attempt) => [
    attempt.at.toISOString(),
    resultOf(attempt),
    `${attempt.durationMs} ms`,
    // Line breaks would split the row.
    (attempt.response ?? '').replaceAll(/\s+/g, ' ').slice(0, 80),
  ]);
  return tableOf(['AT', 'RESULT', 'DURATION', 'RESPONSE'], rows, 'Nothing has been sent yet');
}

function resultOf({ status, fault }: { readonly status: number | null; readonly fault: string | null }): string {
  return status === null ? `No response: ${fault}` : `Status ${status}`;
}

/** Secrets of endpoints are sealed with the servers' secrets. */
function open(environment: Environment): Promise<OpenAdministration> {
  return openVerificationAdministration(readLinkSettings(environment));
}
