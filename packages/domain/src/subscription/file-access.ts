import type { ClientRepository } from './client-repository.ts';

/** Whether a client has access to the files of its verifications. A test twin has it if its client has it. */
export async function hasFileAccess(clients: Pick<ClientRepository, 'find'>, clientId: string): Promise<boolean> {
  const client = (await clients.find(clientId))?.client;
  if (client === undefined) return false;
  return client.testOf === null ? client.fileAccess : hasFileAccess(clients, client.testOf);
}
