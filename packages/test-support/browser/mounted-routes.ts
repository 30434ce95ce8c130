import { join } from 'node:path';
import { createAccounts } from '@countersign/accounts';
import { createCountersign } from '@countersign/domain';
import { openApiDocument } from '@countersign/http';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { createWeb } from '@countersign/web';
import { temporaryFolder } from '../processes/temporary-folder.ts';

/** Lists the routes of all pages in the log's form, without assets: `GET /verify/{id}/{slug}`. */
export async function mountedRoutes(): Promise<string[]> {
  const clock = createFixedClock();
  const rateLimiter = createMemoryRateLimiter(clock);
  const secrets = createCountingSecrets();
  const publicBaseUrl = 'https://verify.example';
  const file = join(temporaryFolder(), 'countersign.db');
  await (await createSqliteStorage({ file })).close();
  const accounts = await createAccounts({
    database: { kind: 'sqlite', file },
    secretKeys: [new Uint8Array(32)],
    publicBaseUrl,
    rateLimiter,
    clock,
  });
  try {
    const storage = createMemoryStorage();
    const ports = { storage, sealing: 'none', rateLimiter, clock, ids: createCountingIds(), secrets } as const;
    const web = createWeb({
      countersign: createCountersign(ports, { publicBaseUrl }),
      signIn: accounts,
      accounts,
      secrets,
      clock,
      publicBaseUrl,
      apiDocument: () => openApiDocument({ serverUrl: '/api/v1' }),
      clientAddress: () => '192.0.2.1',
      onFault: () => undefined,
    });
    // Routes for all methods are middleware, not pages.
    const pages = web.routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/assets'));
    return [...new Set(pages.map(({ method, path }) => `${method} ${loggedAs(path)}`))].sort();
  } finally {
    await accounts.close();
  }
}

/** Rewrites a path template to OpenAPI's form. */
function loggedAs(path: string): string {
  return path.replace(/:(\w+)(?:\{.*?\})?(?=\/|$)/g, '{$1}');
}
