import type { Countersign } from '@countersign/domain';

/** The key itself: printed once, kept nowhere. */
export interface DemoClient {
  readonly clientId: string;
  readonly key: string;
}

/**
 * A client with an active Standard subscription and a key that may do everything, so that a first trial needs no
 * setting up. Only where there is no client at all.
 */
export async function createDemoClient(
  countersign: Pick<Countersign, 'clients' | 'apiKeys'>,
): Promise<DemoClient | undefined> {
  if ((await countersign.clients.list()).length > 0) return undefined;
  const { client } = await countersign.clients.create({ name: 'Demo', plan: 'standard' });
  const { value } = await countersign.apiKeys.issue(client.id, { name: 'Demo', permissions: ['*'] });
  return { clientId: client.id, key: value };
}
