import type { Accounts, ManageStaff } from '@countersign/domain';
import { createApiListener, createReferencePage } from '@countersign/http';
import type { HttpBindings } from '@hono/node-server';
import type { ServerSettings } from '../config/settings.ts';
import { createHealth, type Phase } from '../serve/health.ts';
import { createPeerAddress } from '../serve/peer-address.ts';
import { newRequestId } from '../serve/request-id.ts';
import { createRequestListener } from '../serve/request-listener.ts';
import { createSite } from '../serve/site.ts';
import { type DependencyContainer, instanceCachingFactory } from './container.ts';
import { type CoreParts, createCoreContainer } from './core-container.ts';
import { createLazyPages } from './lazy-pages.ts';
import { tokens } from './tokens.ts';

export interface ServerParts extends Omit<CoreParts, 'settings' | 'staff'> {
  readonly settings: ServerSettings;
  readonly accounts: Accounts & ManageStaff;
  phase(): Phase;
}

const API_PATH = '/api/v1';

/** The core's container, and everything that answers requests. */
export function createServerContainer({ settings, accounts, phase, ...parts }: ServerParts): DependencyContainer {
  const { publicBaseUrl, requestRates, requireSecondFactor, trustedProxies } = settings;
  const server = createCoreContainer({ ...parts, staff: accounts, settings: { publicBaseUrl, requestRates } });
  const once = instanceCachingFactory;

  server.register(tokens.peerAddress, { useFactory: once(() => createPeerAddress(trustedProxies)) });

  server.register(tokens.api, {
    useFactory: once((c) => {
      const log = c.resolve(tokens.log);
      return createApiListener(c.resolve(tokens.countersign), {
        mountPath: API_PATH,
        clientAddress: c.resolve(tokens.peerAddress),
        newRequestId,
        serverUrl: publicBaseUrl + API_PATH,
        onResponse: (entry) => log.request(entry, API_PATH),
        onFault: (fault, entry) => log.fault(fault, { ...entry, path: API_PATH + entry.path }),
      });
    }),
  });

  server.register(tokens.pages, {
    useFactory: once((c) => {
      const log = c.resolve(tokens.log);
      const peerAddress = c.resolve(tokens.peerAddress);
      return createLazyPages(() => ({
        countersign: c.resolve(tokens.countersign),
        signIn: accounts,
        accounts,
        secrets: c.resolve(tokens.secrets),
        clock: c.resolve(tokens.clock),
        publicBaseUrl,
        clientAddress: (context) => peerAddress((context.env as HttpBindings).incoming),
        requireSecondFactor,
        newRequestId,
        onResponse: log.request,
        onFault: log.fault,
      }));
    }),
  });

  server.register(tokens.site, {
    useFactory: once((c) => {
      const log = c.resolve(tokens.log);
      const storage = c.resolve(tokens.storage);
      const { rateLimits } = c.resolve(tokens.countersign);
      const peerAddress = c.resolve(tokens.peerAddress);
      const countRequest = rateLimits.forAddress;
      const onFault = log.fault;
      return createSite({
        reference: createReferencePage({ documentUrl: `.${API_PATH}/openapi.json` }),
        health: createHealth({ ping: () => storage.ping(), phase, onFault }),
        pages: c.resolve(tokens.pages),
        newRequestId,
        peerAddress,
        countRequest,
        onResponse: log.request,
        onHealthCheck: log.healthCheck,
        onFault,
      });
    }),
  });
  server.register(tokens.listener, {
    useFactory: once((c) => {
      const log = c.resolve(tokens.log);
      return createRequestListener({
        api: c.resolve(tokens.api),
        apiPath: API_PATH,
        site: c.resolve(tokens.site),
        peerAddress: c.resolve(tokens.peerAddress),
        newRequestId,
        countRequest: c.resolve(tokens.countersign).rateLimits.forAddress,
        onResponse: log.request,
        onFault: log.fault,
      });
    }),
  });
  return server;
}
