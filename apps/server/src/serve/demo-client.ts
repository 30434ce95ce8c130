import type { ClientRepository, Countersign } from '@countersign/domain';

/** The key itself: printed once, kept nowhere. */
export interface DemoClient {
  readonly clientId: string;
  readonly key: string;
}

/** Always the same one: of several servers that start at once on an empty database, the storage lets one make it. */
const CLIENT_ID = '00000000-0000-7000-8000-00000000de30';

/**
 * A client with an active Standard subscription and a key that may do everything, so that a first trial needs no
 * setting up; a sandbox, so that it needs no person either. Only where there is no client at all; of several callers at once, one gets it.
 */
export async function createDemoClient(
  { apiKeys }: Pick<Countersign, 'apiKeys'>,
  clients: Pick<ClientRepository, 'create' | 'list'>,
): Promise<DemoClient | undefined> {
  if ((await clients.list()).length > 0) return undefined;
  const now = new Date();
  const { outcome } = await clients.create({
    client: { id: CLIENT_ID, name: 'Demo', createdAt: now, sandbox: true },
    subscription: { plan: 'standard', status: 'active', monthlyLimit: null, startsAt: now, endsAt: null },
  });
  if (outcome === 'exists') return undefined;
  const { value } = await apiKeys.issue(CLIENT_ID, { name: 'Demo', permissions: ['*'] });
  return { clientId: CLIENT_ID, key: value };
}
