import type { ClientMode } from './client-mode.ts';
import type { Client, NameOfClient } from './client-repository.ts';
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
