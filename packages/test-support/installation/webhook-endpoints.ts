import type { Storage } from '@countersign/domain/storage';
import { WEBHOOK_TYPES, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import type { ServerProcess } from '../processes/server-process.ts';
import { webhookEndpoint } from '../records/webhook-endpoint.ts';

/** The secret of every given endpoint. */
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Adds endpoints for all types to a client of a running server, whose environment has one secret in base64. */
export async function givenEndpoints(
  place: Pick<ServerProcess, 'databaseFile' | 'env'>,
  clientId: string,
  urls: readonly string[],
): Promise<readonly WebhookEndpoint[]> {
  const storage = await openStorage(place);
  const secretKey = Buffer.from(place.env.SECRET_KEYS ?? '', 'base64');
  const sealed = createSealing({ keys: createKeyRing([secretKey]) }).sealWebhooks(storage.webhooks);
  const ids = createUuidIds();
  const now = new Date();
  try {
    const endpoints = urls.map((url) =>
      webhookEndpoint({
        id: ids.next(),
        clientId,
        url,
        types: WEBHOOK_TYPES,
        since: now,
        createdAt: now,
        secret: { value: WEBHOOK_SECRET, wrappedBy: null },
      }),
    );
    for (const endpoint of endpoints) await sealed.add(endpoint);
    return endpoints;
  } finally {
    await storage.close();
  }
}

function openStorage({
  databaseFile,
  env: { DATABASE_URL: url },
}: Pick<ServerProcess, 'databaseFile' | 'env'>): Promise<Storage> {
  return url === undefined
    ? createSqliteStorage({ file: databaseFile })
    : createPostgresStorage({ url, poolSize: 1 });
}
