import { invalidParameters } from '../errors.ts';
import type { ClientMode } from './client-mode.ts';
import type { Client, ClientRepository, NameOfClient } from './client-repository.ts';
import { NEW_FLOW_SETTINGS } from './flow-settings.ts';

// Test mode: a client has a test twin, itself a client, with keys, verifications and webhooks of its own. `sandbox/` drives its
// verifications. Team, retention policy, flow settings, templates and access to files are those of the client in live use.

/** Returns the mode of a client. */
export function modeOf({ testOf }: Pick<Client, 'testOf'>): ClientMode {
  return testOf === null ? 'live' : 'test';
}

/** Returns the id of the client in live use, whose team, retention policy, flow settings, templates and access to files hold. */
export function liveIdOf({ id, testOf }: Pick<Client, 'id' | 'testOf'>): string {
  return testOf ?? id;
}

/** Refuses to change settings that a test twin has from its client. @throws CountersignError `INVALID_PARAMETERS` */
export function refuseTestTwin({ testOf }: Pick<Client, 'testOf'>, what: string): void {
  if (testOf === null) return;
  const message = `is a test client, which has the ${what} of its client. Change the ${what} of ${testOf}`;
  throw invalidParameters([{ path: 'clientId', message }]);
}

/**
 * Returns the client in live use whose settings apply to a client. Null if it is missing.
 * @param client its id, or the client itself, which is not read again
 */
export async function liveClientOf(
  clients: Pick<ClientRepository, 'find'>,
  client: string | Client,
): Promise<Client | null> {
  const find = async (id: string) => (await clients.find(id))?.client ?? null;
  const found = typeof client === 'string' ? await find(client) : client;
  return found === null || found.testOf === null ? found : find(found.testOf);
}

/** Names a client for staff of the installation, who see clients in live use beside test twins. */
export function nameForStaff({ name, testOf }: NameOfClient): string {
  return testOf === null ? name : `${name} (test)`;
}

/** Makes a client with the settings of a new one. */
export function newClient(client: Pick<Client, 'id' | 'name' | 'createdAt'>): Client {
  return {
    ...client,
    returnAddresses: [],
    testOf: null,
    fileAccess: false,
    flowSettings: { ...NEW_FLOW_SETTINGS },
    reasonTemplates: { ask: [], reject: [] },
  };
}

/** Makes the test twin of a client in live use. */
export function testTwinOf(
  { id, name }: Pick<Client, 'id' | 'name'>,
  twin: Pick<Client, 'id' | 'createdAt'>,
): Client {
  return { ...newClient({ ...twin, name }), testOf: id };
}
