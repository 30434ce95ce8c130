// tsyringe needs it as soon as it is loaded.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { Accounts, ManageStaff } from '@countersign/domain/staff';
import type { Storage } from '@countersign/domain/storage';
import { isHeicInstalled } from '@countersign/evidence';
import { type AccessLogEntry, type ApiListener, createApiListener, openApiDocument } from '@countersign/http';
import type { WebOptions } from '@countersign/web';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';
import type { ServerSettings } from '../config/settings.ts';
import type { Log } from '../logging/log.ts';
import { createHealth, type Phase } from '../serve/health.ts';
import { type AddressSource, createPeerAddress } from '../serve/peer-address.ts';
import { type AnswerRequest, createRequestListener } from '../serve/request-listener.ts';
import type { ServerResponseOptions } from '../serve/server-responses.ts';
import { createSite, type SiteEnv, type SiteOptions } from '../serve/site.ts';
import type { Core } from './core.ts';

/** What the container composes, by name. */
interface Contents {
  readonly api: ApiListener;
  readonly pages: SiteOptions['pages'];
  readonly site: Hono<SiteEnv>;
  readonly listener: AnswerRequest;
}

export const tokens: { readonly [Name in keyof Contents]: InjectionToken<Contents[Name]> } = {
  api: Symbol('API'),
  pages: Symbol('pages'),
  site: Symbol('site'),
  listener: Symbol('request listener'),
};

export interface ServerParts {
  readonly settings: ServerSettings;
  readonly core: Core;
  readonly storage: Pick<Storage, 'ping'>;
  readonly accounts: Accounts & ManageStaff;
  readonly log: Log;
  /** Gets each answered request of the API. */
  readonly recentRequests: { add(entry: AccessLogEntry): void };
  phase(): Phase;
  /** The parts that are down and without which the server takes most requests, by name. */
  degraded(): readonly string[];
  /** Gets each request whose address is looked up while no proxy is trusted. */
  onLookUp?: (source: AddressSource) => void;
}

const API_PATH = '/api/v1';

/**
 * Composes everything that answers requests.
 * @returns a container that creates each part once, on first use
 */
export function createServerContainer(parts: ServerParts): DependencyContainer {
  const { settings, core, storage, accounts, log, recentRequests, phase, degraded } = parts;
  const { countersign, clock, secrets } = core;
  const { publicBaseUrl, requireSecondFactor } = settings;
  const peerAddress = createPeerAddress(settings.trustedProxies, parts.onLookUp);
  const serverResponses: ServerResponseOptions = {
    peerAddress,
    newRequestId: randomUUID,
    countRequest: countersign.rateLimits.forAddress,
    onResponse: log.request,
    onFault: log.fault,
  };
  const server = container.createChildContainer();
  // Called here for each container: a cache made outside this function would be shared between containers.
  const once = instanceCachingFactory;

  server.register(tokens.api, {
    useFactory: once(() =>
      createApiListener(countersign, {
        mountPath: API_PATH,
        clientAddress: peerAddress,
        newRequestId: () => randomUUID(),
        serverUrl: publicBaseUrl + API_PATH,
        onResponse: (entry) => {
          recentRequests.add(entry);
          log.request(entry, API_PATH);
        },
        onFault: (fault, entry) => log.fault(fault, { ...entry, path: API_PATH + entry.path }),
      }),
    ),
  });
  server.register(tokens.pages, {
    useFactory: once(() =>
      createLazyPages({
        countersign,
        signIn: accounts,
        accounts,
        secrets,
        clock,
        publicBaseUrl,
        clientAddress: (context) => peerAddress((context.env as HttpBindings).incoming),
        requireSecondFactor,
        acceptsHeic: isHeicInstalled(),
        answersUnknownPaths: true,
        designPages: settings.designPages,
        apiDocument: () => openApiDocument({ serverUrl: publicBaseUrl + API_PATH, flows: countersign.flows }),
        newRequestId: () => randomUUID(),
        onResponse: log.request,
        onFault: log.fault,
      }),
    ),
  });
  server.register(tokens.site, {
    useFactory: once((c) =>
      createSite({
        ...serverResponses,
        health: createHealth({
          required: { database: () => storage.ping() },
          degraded,
          phase,
          onFault: log.fault,
        }),
        pages: c.resolve(tokens.pages),
        onHealthCheck: log.healthCheck,
      }),
    ),
  });
  server.register(tokens.listener, {
    useFactory: once((c) =>
      createRequestListener({
        ...serverResponses,
        api: c.resolve(tokens.api),
        apiPath: API_PATH,
        site: c.resolve(tokens.site),
      }),
    ),
  });
  return server;
}

/** Loads the pages with the first request for one. A server that only answers the API saves 20 MB. */
function createLazyPages(options: WebOptions): SiteOptions['pages'] {
  let loading: Promise<SiteOptions['pages']> | undefined;

  async function load(): Promise<SiteOptions['pages']> {
    const { createWeb } = await import('@countersign/web');
    const web = createWeb(options);
    return (request: Request, env: HttpBindings) => web.fetch(request, env);
  }

  return async (request, env) => {
    loading ??= load();
    return (await loading)(request, env);
  };
}
