import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Countersign } from '@countersign/domain';
import type { Accounts, ManageStaff } from '@countersign/domain/staff';
import type { Storage } from '@countersign/domain/storage';
import { createRecentRequests } from '@countersign/http';
import { createMemoryStorage } from '@countersign/memory';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { atEndOfFile } from '@countersign/test-support/processes/end-of-file';
import { createCore } from '../src/composition/core.ts';
import { createServerContainer, tokens } from '../src/composition/server-container.ts';
import { readServerSettings } from '../src/config/environment.ts';
import { createLog } from '../src/logging/log.ts';
import type { Connections } from '../src/serve/connections.ts';
import type { Phase } from '../src/serve/health.ts';
import { createNodeServer } from '../src/serve/node-server.ts';
import { isUpload } from '../src/serve/slow-requests.ts';

/** Accounts without users. */
export const noAccounts: Accounts & ManageStaff = new Proxy({} as Accounts & ManageStaff, {
  get: (_none, name) => {
    if (name === 'signInPath') return '/account/sign-in';
    return () => Promise.resolve(null);
  },
});

const servers: Server[] = [];

atEndOfFile(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server in this process, on a free port, with in-memory storage. It is closed after the tests of the file. */
export interface LocalServer {
  readonly server: Server;
  readonly connections: Connections;
  readonly countersign: Countersign;
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** Returns the log lines so far. */
  log(): Record<string, unknown>[];
  logText(): string;
  /** Creates a client with a key that has all permissions. */
  newKey(): Promise<string>;
  enter(phase: Phase): void;
}

export async function startLocalServer(
  options: { environment?: Record<string, string>; storage?: Partial<Storage> } = {},
): Promise<LocalServer> {
  let logText = '';
  let phase: Phase = 'serving';
  const settings = readServerSettings({ PUBLIC_BASE_URL: 'https://verify.example', ...options.environment });
  const storage = { ...createMemoryStorage(), ...options.storage };
  const log = createLog({ level: 'debug', output: { write: (line) => (logText += line) } });
  const recentRequests = createRecentRequests();
  const core = createCore({
    storage,
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(),
    secretKeys: [Buffer.alloc(32, 1)],
    staff: noAccounts,
    recentRequests,
    settings,
    onFault: (fault) => log.fault(fault),
  });
  const { countersign } = core;
  const container = createServerContainer({
    settings,
    core,
    storage,
    accounts: noAccounts,
    log,
    recentRequests,
    phase: () => phase,
    degraded: () => [],
  });
  const { server, connections } = createNodeServer({
    listener: container.resolve(tokens.listener),
    newRequestId: randomUUID,
    countRequest: countersign.rateLimits.forAddress,
    onResponse: log.request,
    isUpload,
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  function textOfLog(): string {
    log.flush();
    return logText;
  }

  return {
    server,
    connections,
    countersign,
    port,
    origin: `http://127.0.0.1:${port}`,
    log: () => linesOf(textOfLog()),
    logText: textOfLog,
    async newKey() {
      const { client } = await countersign.clients.create({ name: 'Test', plan: 'standard' });
      return (await countersign.apiKeys.issue(client.id, { permissions: ['*'] })).value;
    },
    enter(next) {
      phase = next;
    },
  };
}

function linesOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
