import type { Principal } from '../src/access/authenticate.ts';

/** A client's key with every permission, without quota. */
export function aPrincipal(given: Partial<Principal> = {}): Principal {
  return {
    clientId: 'client-1',
    keyId: 'key-1',
    permissions: ['*'],
    subscription: null,
    mode: 'live',
    linkDays: null,
    ...given,
  };
}
