import { expect } from 'vitest';

/** The body of each response (interface, Response envelope). */
export interface Envelope {
  readonly success: boolean;
  readonly data?: Record<string, unknown>;
  readonly message?: string;
  readonly error?: string;
  readonly code?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Envelope;
}

export interface ApiClient {
  /** Creates a verification. Sends a string or bytes unchanged, any other body as JSON. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Requests a path below the base URL. Default: the list of verifications. */
  get(path?: string): Promise<Answer>;
  request(path: string, init?: RequestInit): Promise<Answer>;
}

/** Creates a client that calls the API over HTTP, with keep-alive connections. */
export function createApiClient(baseUrl: string, key?: string): ApiClient {
  const request = async (path: string, { headers, ...init }: RequestInit = {}): Promise<Answer> => {
    const sent = new Headers(headers);
    if (key !== undefined && !sent.has('X-API-Key')) sent.set('X-API-Key', key);
    const response = await fetch(baseUrl + path, { ...init, headers: sent });
    return { status: response.status, headers: response.headers, body: await bodyOf(response) };
  };

  return {
    request,
    get: (path = '/verifications') => request(path),
    post: (body, headers = {}) =>
      request('/verifications', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body:
          typeof body === 'string' || body instanceof Uint8Array
            ? (body as NonNullable<RequestInit['body']>)
            : JSON.stringify(body),
      }),
  };
}

/** Builds a valid body for creating a verification. */
export function newSubject(subjectReference: string): object {
  return { subjectType: 'kyc', subjectReference };
}

/** Runs an action `count` times concurrently. */
export function atOnce<T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => action(index)));
}

/** Counts responses by status and code: `{ '201': 100, '403 LIMIT_EXCEEDED': 100 }`. */
export function kindsOf(answers: readonly Answer[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { status, body } of answers) {
    const kind = body.code === undefined ? String(status) : `${status} ${body.code}`;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

/** Returns the id of a created verification. */
export function idOf({ status, body }: Answer): string {
  const id = body.data?.id;
  if (typeof id !== 'string') throw new Error(`no id in ${status} ${JSON.stringify(body)}`);
  return id;
}

/** Returns `data` of a successful response. */
export function dataOf({ status, body }: Answer): Record<string, unknown> {
  if (body.data === undefined) throw new Error(`no data in ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Expects an error response with this status and code, in the envelope and with the common headers. */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }, JSON.stringify(answer.body)).toEqual({ status, code });
  const { data, ...body } = answer.body;
  expect(body).toEqual({ success: false, error: expect.stringMatching(/\S/) as string, code });
  if (data !== undefined) expect(data).toBeTypeOf('object');
  expectCommonHeaders(answer.headers);
}

/** Expects the headers that each API response has. */
export function expectCommonHeaders(headers: Headers): void {
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(headers.get('x-request-id')).toMatch(/\S/);
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`);
    expect(text, `X-RateLimit-${name}`).toMatch(/^\d+$/);
    return Number(text);
  }) as [number, number, number];
  expect(limit).toBeGreaterThan(0);
  expect(remaining).toBeLessThan(limit);
  expect(reset).toBeGreaterThan(Date.now() / 1000 - 60);
}

/** A file has no envelope. */
async function bodyOf(response: Response): Promise<Envelope> {
  if (response.headers.has('content-disposition')) return { success: (await response.bytes()).length > 0 };
  return parsed(await response.text());
}

function parsed(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch (cause) {
    throw new Error(`not JSON: ${JSON.stringify(text.slice(0, 200))}`, { cause });
  }
}
