import type { Client } from '../src/subscription/client-repository.ts';
import { NEW_FLOW_SETTINGS } from '../src/subscription/flow-settings.ts';
import { NO_TEMPLATES } from '../src/subscription/reason-templates.ts';
import { NOW } from './verifications.ts';

/** A client with the values of a new one. */
export function aClient(given: Partial<Client> = {}): Client {
  return {
    id: 'client-1',
    name: 'Acme',
    createdAt: NOW,
    returnAddresses: [],
    testOf: null,
    fileAccess: false,
    flowSettings: NEW_FLOW_SETTINGS,
    reasonTemplates: NO_TEMPLATES,
    ...given,
  };
}
