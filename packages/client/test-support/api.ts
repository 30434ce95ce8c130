import { type Countersign, createCountersign, type NewApiKey } from '@countersign/domain';
import type { NewClient } from '@countersign/domain/clients';
import { createApi } from '@countersign/http';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { Hono } from 'hono';
import { type ClientOptions, type CountersignClient, createClient, type KeyMode } from '../src/index.ts';

const ORIGIN = 'https://verify.example';
const BASE_URL = `${ORIGIN}/api/v1`;

/** The API in memory, a client of it, and what was sent. */
export interface GivenApi {
  readonly client: CountersignClient;
  readonly clientId: string;
  readonly key: string;
  readonly countersign: Countersign;
  readonly clock: ReturnType<typeof createFixedClock>;
  readonly sent: readonly Request[];
}

/** What stands between the client and the API: it may change the request, the response, or answer itself. */
export type Between = (
  request: Request,
  api: (request: Request) => Promise<Response>,
) => Response | Promise<Response>;

export interface GivenOptions {
  readonly between?: Between;
  readonly options?: Partial<ClientOptions>;
  readonly newClient?: Partial<NewClient>;
  readonly newKey?: Partial<NewApiKey>;
  /** The mode of the key; default `live`. */
  readonly keyMode?: KeyMode;
}

export async function givenApi(given: GivenOptions = {}): Promise<GivenApi> {
  const { between, options, newClient, newKey, keyMode = 'live' } = given;
  const clock = createFixedClock();
  const countersign = createCountersign(
    {
      storage: createMemoryStorage(),
      sealing: 'none',
      evidence: { store: createMemoryEvidenceStore({ now: clock.now }), intake: createTrustingIntake() },
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets: createCountingSecrets(),
    },
    { publicBaseUrl: ORIGIN },
  );
  const { client: registered } = await countersign.clients.create({
    name: 'Acme',
    plan: 'standard',
    ...newClient,
  });
  const { id: owner } = keyMode === 'live' ? registered : await countersign.clients.testTwin(registered.id);
  const { value: key } = await countersign.apiKeys.issue(owner, { permissions: ['*'], ...newKey });

  let requests = 0;
  const api = createApi(countersign, {
    clientAddress: () => '192.0.2.1',
    newRequestId: () => `request-${++requests}`,
    onFault: () => undefined,
    now: clock.now,
  });
  const app = new Hono().route('/api/v1', api);
  const answer = async (request: Request): Promise<Response> => await app.fetch(request);
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: BASE_URL,
    apiKey: key,
    fetch: (request) => {
      sent.push(request.clone());
      return between === undefined ? answer(request) : between(request, answer);
    },
    ...options,
  });
  return { client, clientId: registered.id, key, countersign, clock, sent };
}

/** A client whose every request gets these answers, in this order; the last one again and again. */
export function clientAnswered(
  answers: readonly (() => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
): { client: CountersignClient; sent: readonly Request[] } {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: BASE_URL,
    apiKey: 'csk_1',
    fetch: (request) => {
      sent.push(request);
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer === undefined) throw new Error('no answer is given');
      return answer();
    },
    ...options,
  });
  return { client, sent };
}

/** An error response of the API. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ success: false, error: `It is ${code}.`, code }, { status, headers });
}
