import { setTimeout as pause } from 'node:timers/promises';
import { type Countersign, DOWNLOAD_WAIT_MS, type Permission, type Principal } from '@countersign/domain';
import { watchedParts } from '@countersign/domain/exports';
import type { Flows } from '@countersign/domain/flows';
import type { StoragePart } from '@countersign/domain/storage';
import { type Compress, compressOnce } from './compress-once.ts';
import { creationMessage } from './creation-message.ts';
import { ApiError } from './errors.ts';
import { isServed } from './needed-parts.ts';
import { ERASE_PARAMETERS } from './openapi/data-operations.ts';
import { openApiDocument } from './openapi/document.ts';
import { LIST_PARAMETERS } from './openapi/operations.ts';
import type { RequestContext } from './request-context.ts';
import type { Query, QueryParameters } from './request-target.ts';
import { type DownloadResult, exportResult, fileResult, type OperationResult, success } from './responses.ts';

/** What an operation reads of a request once its key, rate limit, permission, path, query and body are checked. */
export interface OperationInput {
  readonly principal: Principal;
  /** The `{id}` of the path, decoded; empty where the path has none. */
  readonly id: string;
  /** The `{fileId}` of the path, decoded; empty where the path has none. */
  readonly fileId: string;
  readonly query: Query;
  /** The JSON object of the body; undefined where the operation takes no fields. */
  readonly body: object | undefined;
  readonly request: RequestContext;
}

export interface Operation {
  readonly permission: Permission;
  readonly query: QueryParameters;
  /** `empty`: no fields, so no body or `{}`. `none`: the body is not read. */
  readonly body: 'json' | 'empty' | 'none';
  run(input: OperationInput): Promise<OperationResult>;
}

/** An operation that needs no key. It reads where the API is mounted, and which encodings the caller accepts. */
export type PublicOperation = (request: RequestContext) => Promise<OperationResult>;

/** A method that a route may support. `HEAD` is answered as `GET`; the server leaves the body out. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Operations<O> = Readonly<Partial<Record<Method, O>>>;

/** A path below the mount point as the interface writes it, such as `/verifications/{id}`, and its operations. */
export type Route =
  | { readonly access: 'key'; readonly template: string; readonly operations: Operations<Operation> }
  | { readonly access: 'public'; readonly template: string; readonly operations: Operations<PublicOperation> };

export interface RouteMatch {
  readonly route: Route;
  /** The `{id}` and the `{fileId}` as the path has them, not decoded; empty where it has none. */
  readonly segments: { readonly id: string; readonly fileId: string };
}

/** Returns the routes whose parts the storage has. The most requested come first, because routes are searched in this order. */
export function apiRoutes(
  {
    verifications,
    flows,
    rateLimits,
    parts,
  }: Pick<Countersign, 'verifications' | 'flows' | 'rateLimits' | 'parts'>,
  serverUrl?: string,
): Route[] {
  const create: Operation = {
    permission: 'verifications:create',
    query: {},
    body: 'json',
    async run({ principal, body, request }) {
      const idempotencyKey = request.header('idempotency-key');
      const creation = await verifications.create(principal, body, { idempotencyKey });
      const { verification, replayed, sandboxOutcomeIgnored } = creation;
      const result = success(201, verification, {
        message: creationMessage(body ?? {}, { sandboxOutcomeIgnored }),
        headers: {
          // Relative to the URL of the request (RFC 9110, section 10.2.2): correct behind any proxy.
          Location: `verifications/${verification.id}`,
          ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}),
        },
      });
      return { ...result, createdId: verification.id };
    },
  };
  const withdraw: Operation = {
    permission: 'verifications:create',
    query: {},
    body: 'empty',
    run: async ({ principal, id }) =>
      success(200, await verifications.withdraw(principal, id), { message: 'Verification withdrawn' }),
  };
  const endRelationship: Operation = {
    permission: 'verifications:create',
    query: {},
    body: 'json',
    run: async ({ principal, id, body, request }) =>
      success(200, await verifications.endRelationship(principal, id, body, { from: request.clientAddress() })),
  };
  const eraseData: Operation = {
    permission: '*',
    query: ERASE_PARAMETERS,
    body: 'none',
    async run({ principal, id, query, request }) {
      const options = { withdraw: query.withdraw === true, from: request.clientAddress() };
      return success(200, await verifications.eraseData(principal, id, options));
    },
  };
  /** Runs a download in a slot of the client, which it leaves with its last part. */
  async function download({ clientId }: Principal, run: () => Promise<DownloadResult>): Promise<DownloadResult> {
    const end = await rateLimits.beginDownload(clientId, () => pause(DOWNLOAD_WAIT_MS));
    try {
      const result = await run();
      return { ...result, body: watchedParts(result.body, { onEnd: end }) };
    } catch (error) {
      end();
      throw error;
    }
  }

  const readFile: Operation = {
    permission: '*',
    query: {},
    body: 'none',
    run: ({ principal, id, fileId, request }) =>
      download(principal, async () =>
        fileResult(await verifications.readFile(principal, id, fileId, { from: request.clientAddress() })),
      ),
  };
  const exportData: Operation = {
    permission: '*',
    query: {},
    body: 'none',
    run: ({ principal, id, request }) =>
      download(principal, async () =>
        exportResult(await verifications.exportData(principal, id, { from: request.clientAddress() })),
      ),
  };
  const list = reading(({ principal, query }) => verifications.list(principal, query), LIST_PARAMETERS);
  const get = reading(({ principal, id }) => verifications.get(principal, id));
  const details = reading(({ principal, id }) => verifications.details(principal, id));

  const routes: Route[] = [
    { access: 'key', template: '/verifications/{id}', operations: { GET: get } },
    { access: 'key', template: '/verifications', operations: { GET: list, POST: create } },
    { access: 'key', template: '/verifications/{id}/details', operations: { GET: details } },
    { access: 'key', template: '/verifications/{id}/withdraw', operations: { POST: withdraw } },
    { access: 'key', template: '/verifications/{id}/relationship-end', operations: { PUT: endRelationship } },
    { access: 'key', template: '/verifications/{id}/data', operations: { DELETE: eraseData } },
    { access: 'key', template: '/verifications/{id}/files/{fileId}', operations: { GET: readFile } },
    { access: 'key', template: '/verifications/{id}/export', operations: { GET: exportData } },
    { access: 'public', template: '/openapi.json', operations: { GET: describing({ flows, parts }, serverUrl) } },
  ];
  return routes.filter(({ template }) => isServed(template, parts));
}

function reading(read: (input: OperationInput) => Promise<object>, query: QueryParameters = {}): Operation {
  return {
    permission: 'verifications:read',
    query,
    body: 'none',
    run: async (input) => success(200, await read(input)),
  };
}

/** Answers the OpenAPI document, compressed if the caller accepts it. Keeps that of the latest mount point: usually there is only one. */
function describing(
  described: { readonly flows: Flows; readonly parts: ReadonlySet<StoragePart> },
  serverUrl: string | undefined,
): PublicOperation {
  let latest: { readonly url: string; readonly text: string; readonly compress: Compress } | undefined;

  function documentAt(url: string): { readonly text: string; readonly compress: Compress } {
    if (latest?.url === url) return latest;
    const text = JSON.stringify(openApiDocument({ serverUrl: url, ...described }));
    latest = { url, text, compress: compressOnce(new TextEncoder().encode(text)) };
    return latest;
  }

  return async (request) => {
    const { text, compress } = documentAt(serverUrl ?? (request.mountPath || '/'));
    const headers = { Vary: 'Accept-Encoding' };
    const compressed = await compress(request.header('accept-encoding'));
    if (compressed === null) return { status: 200, body: text, headers };
    return {
      status: 200,
      body: compressed.bytes,
      headers: { ...headers, 'Content-Encoding': compressed.encoding },
    };
  };
}

/**
 * Makes the function that finds the route of a path below the mount point, or null. It is our own because it also
 * serves node:http, and because an unknown path is refused after the key is checked, not before.
 */
export function createRouter(routes: readonly Route[]): (path: string) => RouteMatch | null {
  const matchers = routes.map(matcherOf);
  return (path) => {
    for (const match of matchers) {
      const found = match(path);
      if (found !== null) return found;
    }
    return null;
  };
}

/** Compares texts: a regular expression with a group takes several times as long. */
function matcherOf(route: Route): (path: string) => RouteMatch | null {
  const [before = '', after, end = ''] = route.template.split(/\{\w+\}/);
  if (after === undefined) {
    const found = { route, segments: { id: '', fileId: '' } };
    return (path) => (path === before ? found : null);
  }
  const hasFile = route.template.includes('{fileId}');
  return (path) => {
    const last = hasFile ? end : after;
    if (!path.startsWith(before) || !path.endsWith(last)) return null;
    const middle = path.slice(before.length, path.length - last.length);
    if (!hasFile) return isSegment(middle) ? { route, segments: { id: middle, fileId: '' } } : null;
    const [id = '', fileId = '', ...more] = middle.split(after);
    return more.length === 0 && isSegment(id) && isSegment(fileId) ? { route, segments: { id, fileId } } : null;
  };
}

function isSegment(text: string): boolean {
  return text !== '' && !text.includes('/');
}

/** @throws {@link ApiError} `METHOD_NOT_ALLOWED`, with `Allow` */
export function operationOf<O>({ operations }: { readonly operations: Operations<O> }, method: string): O {
  const name = method === 'HEAD' ? 'GET' : method;
  const operation = Object.hasOwn(operations, name) ? operations[name as Method] : undefined;
  if (operation !== undefined) return operation;
  const allowed = Object.keys(operations).flatMap((known) => (known === 'GET' ? ['GET', 'HEAD'] : [known]));
  throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } });
}
