import { RECOVERY } from '@countersign/domain/webhooks';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { newSubject } from '@countersign/test-support/api/api-client';
import { givenClientTeam } from './client-team.ts';
import { LONG, type Looking } from './looking.ts';

const WEBHOOKS = '/dashboard/webhooks';
/** No server listens there, so that a test shows why there was no answer. */
const URL = 'https://receiver.invalid/hooks';

/** Checks the pages of endpoints, of their log and of a delivery. */
export async function lookAtWebhooks({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const client = await givenClientTeam(server);
  const reader = await newReader('de', client.owner);
  await reader.look(WEBHOOKS);
  await reader.look(`${WEBHOOKS}/new`);
  await reader.post(`${WEBHOOKS}/new`, { url: 'http://receiver.invalid' }, 422);
  await reader.post(`${WEBHOOKS}/new`, { name: LONG, url: URL, types: 'verification.created' }, 200);

  const { endpointId, eventId } = await givenDelivery(server.databaseFile, client);
  const endpoint = `${WEBHOOKS}/${endpointId}`;
  const delivery = `${endpoint}/deliveries/${eventId}`;
  await reader.look(WEBHOOKS);
  await reader.look(endpoint);
  await reader.look(`${endpoint}?state=lost`, 400);
  await reader.look(delivery);
  await reader.look(`${delivery}/resend`);
  await reader.post(`${endpoint}/deliveries/unknown/resend`, {}, 404);
  await reader.look(`${endpoint}/resend`);
  await reader.post(`${endpoint}/resend`, { since: 'yesterday' }, 422);
  await reader.look(`${endpoint}/change`);
  await reader.post(`${endpoint}/change`, { name: '', url: URL }, 422);
  await reader.look(`${endpoint}/test`);
  await reader.post(`${endpoint}/test`, {}, 200);
  await reader.look(`${endpoint}/secret`);
  await reader.post(`${endpoint}/secret`, { secretVersion: '1' }, 200);
  for (const move of ['pause', 'resume', 'disable', 'enable']) await reader.look(`${endpoint}/${move}`);
  await reader.post(`${endpoint}/disable`, {}, 200);
  for (const move of ['pause', 'resume']) await reader.post(`${endpoint}/${move}`, {}, 409);
  for (const move of ['disable', 'enable']) await reader.post(`${WEBHOOKS}/unknown/${move}`, {}, 404);
  await reader.look(`${endpoint}/remove`);
  await reader.post(`${endpoint}/remove`, { name: 'another' }, 422);
  await reader.look(`${WEBHOOKS}?done=removed`);
  reader.expectNothingWrong();
}

/** Creates a verification, and records an attempt of its delivery. */
async function givenDelivery(
  file: string,
  { api, clientId }: Awaited<ReturnType<typeof givenClientTeam>>,
): Promise<{ readonly endpointId: string; readonly eventId: string }> {
  await api.post(newSubject(LONG));
  const storage = await createSqliteStorage({ file });
  try {
    const { webhooks } = storage;
    const now = new Date();
    await webhooks.fanOut({ now, limit: 100 });
    const [endpoint] = await webhooks.list(clientId);
    const endpointId = endpoint?.id ?? '';
    const until = new Date(now.getTime() + 60_000);
    // A server that sends webhooks may have leased it before.
    const leased = await webhooks.leaseEndpoints({ leaseToken: 'looking', now, until, limit: 1 });
    for (const { id } of leased) {
      const lease = { clientId, endpointId: id, leaseToken: 'looking' };
      for (const { event } of (await webhooks.due(lease, { now, limit: 1, except: [] })) ?? []) {
        await webhooks.settle(
          lease,
          { eventId: event.id, verificationId: event.verificationId, version: event.version },
          {
            attempt: {
              id: crypto.randomUUID(),
              at: now,
              durationMs: 1_234,
              request: JSON.stringify({
                type: 'verification.created',
                data: { verificationId: event.verificationId },
              }),
              status: 500,
              response: `<!doctype html><title>${LONG}</title>${'0123456789'.repeat(100)}`,
              fault: null,
            },
            settlement: { state: 'failed' },
            pauseIfFailingSince: new Date(0),
            wake: RECOVERY,
            disable: false,
          },
        );
      }
      await webhooks.release(lease);
    }
    const query = { clientId, endpointId, state: undefined, after: undefined, limit: 1 };
    const [delivery] = await webhooks.deliveries(query);
    return { endpointId, eventId: delivery?.eventId ?? '' };
  } finally {
    await storage.close();
  }
}
