import { randomUUID } from 'node:crypto';
import {
  type Clock,
  type Countersign,
  createCountersign,
  type Ids,
  type RateLimiter,
  type SealingSecrets,
} from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { createApiListener, openApiDocument } from '@countersign/http';
import { createWeb } from '@countersign/web';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { createOwnSignIn, type OwnSignIn } from './sign-in.ts';

/** What the service needs from outside. Tests give it the parts of `@countersign/memory`. */
export interface ServicePorts {
  readonly storage: Storage;
  readonly sealing: Parameters<typeof createCountersign>[0]['sealing'];
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: SealingSecrets;
  readonly publicBaseUrl: string;
  /** Receives faults of this service, for its log: requests that failed with status 500 or 503, and faults that no caller waits for. */
  readonly onFault: (fault: unknown) => void;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly countersign: Countersign;
  readonly signIn: OwnSignIn;
}

/** Builds our service: pages of our own, the API of Countersign at `/api/v1`, and its pages everywhere else. */
export function createService({ publicBaseUrl, ...ports }: ServicePorts): Service {
  const countersign = createCountersign(ports, { publicBaseUrl });
  const signIn = createOwnSignIn(ports.clock);
  const app = Fastify();

  app.get('/', async () => 'Our own service');
  app.register(async (own) => addSignInPages(own, signIn));
  app.register(async (rest) => {
    // Countersign reads bodies itself: Fastify must leave them alone.
    rest.removeAllContentTypeParsers();
    rest.addContentTypeParser('*', (_request, _payload, done) => done(null));
    addApi(rest, countersign, ports.onFault);
    addPages(rest, { countersign, signIn, ports, publicBaseUrl });
  });
  return { app, countersign, signIn };
}

function addApi(app: FastifyInstance, countersign: Countersign, onFault: ServicePorts['onFault']): void {
  const api = createApiListener(countersign, {
    mountPath: '/api/v1',
    clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    newRequestId: () => randomUUID(),
    onFault,
  });
  app.all('/api/v1/*', async ({ raw }, reply) => {
    reply.hijack();
    await api(raw, reply.raw);
  });
}

function addPages(
  app: FastifyInstance,
  {
    countersign,
    signIn,
    ports: { secrets, clock, onFault },
    publicBaseUrl,
  }: Omit<Service, 'app'> & { ports: Pick<ServicePorts, 'secrets' | 'clock' | 'onFault'>; publicBaseUrl: string },
): void {
  const pages = createWeb({
    countersign,
    signIn: signIn.port,
    secrets,
    clock,
    publicBaseUrl,
    clientAddress: ({ env }) => (env as HttpBindings).incoming.socket.remoteAddress ?? '',
    apiDocument: () => openApiDocument({ serverUrl: `${publicBaseUrl}/api/v1` }),
    answersUnknownPaths: true,
    onFault,
  });
  const listener = getRequestListener(pages.fetch);
  app.all('/*', async ({ raw }, reply) => {
    reply.hijack();
    await listener(raw, reply.raw);
  });
}

type Form = Readonly<Record<string, string>>;

function addSignInPages(app: FastifyInstance, signIn: OwnSignIn): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  const page = (reply: FastifyReply, fields: string, status = 200) =>
    reply
      .code(status)
      .type('text/html')
      .send(`<!doctype html><form method="post">${fields}<button>Go</button></form>`);
  const SIGN_IN = '<input name="email" type="email"><input name="password" type="password">';
  const CONFIRM = '<input name="password" type="password">';

  app.get('/login', async (_request, reply) => page(reply, SIGN_IN));
  app.post<{ Body: Form; Querystring: Form }>('/login', async ({ body, query }, reply) => {
    const cookie = await signIn.signIn(body.email ?? '', body.password ?? '');
    if (cookie === null) return page(reply, SIGN_IN, 401);
    return reply.header('Set-Cookie', cookie).redirect(localPath(query.returnTo), 303);
  });
  app.get('/confirm', async (_request, reply) => page(reply, CONFIRM));
  app.post<{ Body: Form; Querystring: Form }>('/confirm', async ({ body, query, headers }, reply) => {
    const isConfirmed = await signIn.confirm(headers.cookie, body.password ?? '');
    return isConfirmed ? reply.redirect(localPath(query.returnTo), 303) : page(reply, CONFIRM, 401);
  });
  app.post('/logout', async ({ headers }, reply) => {
    signIn.signOut(headers.cookie);
    return reply.redirect('/login', 303);
  });
}

/** Keeps redirects inside this service. */
function localPath(path = ''): string {
  return /^\/(?![/\\])/.test(path) ? path : '/review';
}
