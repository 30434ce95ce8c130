import {
  type Countersign,
  type CountersignSettings,
  createCountersign,
  type NewApiKey,
  type Principal,
  type RateLimiter,
} from '@countersign/domain';
import type { NewClient } from '@countersign/domain/clients';
import type { EvidenceStore } from '@countersign/domain/evidence';
import { BUILT_IN_FLOWS, type Flows } from '@countersign/domain/flows';
import type { Mailer } from '@countersign/domain/mail';
import type { Storage } from '@countersign/domain/storage';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { readDocument } from '@countersign/test-support/api/documented-answers';
import { Hono } from 'hono';
import { expect } from 'vitest';
import type { AccessLogEntry, HandleOptions, LoggedRequest } from '../src/handle.ts';
import { createApi } from '../src/hono.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import type { ApiAnswer, Envelope } from './answer.ts';

/** The API on storage in memory and a fixed clock. */
export interface GivenApi {
  readonly app: Hono;
  readonly clock: ReturnType<typeof createFixedClock>;
  readonly countersign: Countersign;
  readonly storage: Storage;
  /** Contents of files. */
  readonly files: EvidenceStore;
  readonly faults: readonly { fault: unknown; entry: LoggedRequest }[];
  readonly entries: readonly AccessLogEntry[];
  /** Sends a request and checks the answer against the OpenAPI document. */
  request(path: string, init?: RequestInit & { key?: string | undefined; address?: string }): Promise<ApiAnswer>;
  /** Posts a body as JSON; sends text and bytes unchanged. */
  post(
    body: unknown,
    options?: { key?: string | undefined; headers?: Record<string, string> },
  ): Promise<ApiAnswer>;
}

export interface GivenOptions {
  readonly storage?: (storage: Storage) => Storage;
  readonly rateLimiter?: (limiter: RateLimiter) => RateLimiter;
  /** Replaces parts of the domain that the API calls. */
  readonly countersign?: (countersign: Countersign) => Countersign;
  readonly settings?: Partial<CountersignSettings>;
  readonly mailer?: Mailer;
  readonly newRequestId?: HandleOptions['newRequestId'];
}

export const MOUNT = '/api/v1';

const documentOf = (flows: Flows) =>
  readDocument(openApiDocument({ serverUrl: MOUNT, flows, strict: true }) as Record<string, unknown>);
const builtIn = documentOf(BUILT_IN_FLOWS);

export function givenApi(options: GivenOptions = {}): GivenApi {
  const { storage = (same: Storage) => same, rateLimiter = (same: RateLimiter) => same } = options;
  const clock = createFixedClock();
  const files = createMemoryEvidenceStore({ now: clock.now });
  const ports = {
    evidence: { store: files, intake: createTrustingIntake() },
    storage: storage(createMemoryStorage()),
    sealing: 'none' as const,
    rateLimiter: rateLimiter(createMemoryRateLimiter(clock)),
    clock,
    ids: createCountingIds(),
    secrets: createCountingSecrets(),
    mailer: options.mailer,
  };
  const countersign = createCountersign(ports, { publicBaseUrl: 'https://verify.example', ...options.settings });
  const { flows } = countersign;
  const document = flows === BUILT_IN_FLOWS ? builtIn : documentOf(flows);
  const faults: { fault: unknown; entry: LoggedRequest }[] = [];
  const entries: AccessLogEntry[] = [];
  let requests = 0;
  const api = createApi(options.countersign?.(countersign) ?? countersign, {
    clientAddress: ({ req }) => req.header('x-test-address') ?? '192.0.2.1',
    newRequestId: options.newRequestId ?? (() => `request-${++requests}`),
    onResponse: (entry) => void entries.push(entry),
    onFault: (fault, entry) => void faults.push({ fault, entry }),
    now: clock.now,
  });
  const app = new Hono().route(MOUNT, api);

  async function request(path: string, init: Parameters<GivenApi['request']>[1] = {}): Promise<ApiAnswer> {
    const { key, address, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (key !== undefined) headers.set('X-API-Key', key);
    if (address !== undefined) headers.set('X-Test-Address', address);
    const response = await app.request(MOUNT + path, { ...rest, headers });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: parsed(isJson(response) ? text : ''),
    };
    expect(document.problemsOfAnswer({ method: rest.method ?? 'GET', path }, answer)).toEqual([]);
    return answer;
  }

  return {
    app,
    clock,
    countersign,
    storage: ports.storage,
    files,
    faults,
    entries,
    request,
    post: (body, { key, headers } = {}) =>
      request('/verifications', {
        method: 'POST',
        key,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
  };
}

export interface GivenClient {
  readonly clientId: string;
  /** The value of its key. */
  readonly key: string;
  readonly keyId: string;
  readonly principal: Principal;
}

/** Creates a client with a key. */
export async function givenClient(
  { countersign }: Pick<GivenApi, 'countersign'>,
  client: Partial<NewClient> = {},
  key: Partial<NewApiKey> = {},
): Promise<GivenClient> {
  const { id: clientId } = (await countersign.clients.create({ name: 'Acme', plan: 'standard', ...client }))
    .client;
  const issued = await countersign.apiKeys.issue(clientId, { permissions: ['*'], ...key });
  const principal = await countersign.authenticate(issued.value, { countRequest: false });
  return { clientId, key: issued.value, keyId: issued.key.id, principal };
}

/** Returns a valid body for POST /verifications. */
export function subject(subjectReference = 'user_1'): { subjectType: string; subjectReference: string } {
  return { subjectType: 'kyc', subjectReference };
}

const isJson = ({ headers }: Response): boolean => headers.get('Content-Type') === 'application/json';

function parsed(text: string): Envelope {
  return JSON.parse(text === '' ? 'null' : text) as Envelope;
}
