import { CountersignApiError, type ErrorCode } from './errors.ts';
import { createKeyModeCheck } from './key-mode.ts';
import type { ClientSettings } from './options.ts';
import { retryAfterSecondsIn, withRetries } from './retries.ts';

/** Statuses of failures that may pass; 502 and 504 come from proxies. */
const PASSING_STATUSES: readonly (number | undefined)[] = [408, 429, 502, 503, 504];
/** Methods that change nothing. */
const READS: readonly string[] = ['GET', 'HEAD'];
const PASSING_CODES: readonly ErrorCode[] = ['CONNECTION_FAILED', 'TIMEOUT'];

/**
 * Makes the function that sends every request of a client: with the key, to `baseUrl` only, with an `Idempotency-Key`
 * if it is a POST, repeated after failures that may pass. With `mode` in the settings, it sends writes only if the key has that mode.
 *
 * @returns a function that resolves with a successful response, whose body is a JSON object or a file
 */
export function createTransport(settings: ClientSettings): (request: Request) => Promise<Response> {
  const keyMode = createKeyModeCheck(settings.mode, () =>
    send(new Request(`${settings.baseUrl}/verifications?limit=1`)),
  );

  async function send(request: Request): Promise<Response> {
    if (!request.url.startsWith(`${settings.baseUrl}/`)) {
      throw new TypeError(`The request leads out of baseUrl, where the API key must not be sent: ${request.url}`);
    }
    const headers = new Headers(request.headers);
    headers.set('X-API-Key', settings.apiKey);
    if (request.method === 'POST' && !headers.has('Idempotency-Key')) {
      headers.set('Idempotency-Key', crypto.randomUUID());
    }
    const { url, method, signal } = request;
    const text = await request.text();
    const body = text === '' ? {} : { body: text };
    if (!READS.includes(method)) await keyMode.requireMode(signal);
    const init: RequestInit = { method, headers, redirect: 'manual', ...body };
    return await withRetries(() => attempt({ url, init, signal, settings, onResponse: keyMode.observe }), {
      ...settings,
      signal,
      afterFailure: (error) =>
        error instanceof CountersignApiError
          ? { passing: mayPass(error), retryAfterSeconds: error.retryAfterSeconds }
          : { passing: false },
    });
  }

  return send;
}

function mayPass({ code, status }: CountersignApiError): boolean {
  return PASSING_CODES.includes(code) || PASSING_STATUSES.includes(status);
}

interface Attempt {
  readonly url: string;
  readonly init: RequestInit;
  /** Ends the call. */
  readonly signal: AbortSignal;
  readonly settings: ClientSettings;
  readonly onResponse: (headers: Headers) => void;
}

/** Sends the request once. */
async function attempt({ url, init, signal, settings, onResponse }: Attempt): Promise<Response> {
  signal.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), settings.timeoutMs);
  try {
    const either = AbortSignal.any([signal, deadline.signal]);
    const response = await settings.fetch(new Request(url, { ...init, signal: either }));
    onResponse(response.headers);
    return await readResponse(response);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CountersignApiError) throw error;
    const { origin } = new URL(url);
    if (deadline.signal.aborted) {
      throw new CountersignApiError('TIMEOUT', `${origin} did not answer within ${settings.timeoutMs} ms.`, {
        cause: error,
      });
    }
    throw new CountersignApiError(
      'CONNECTION_FAILED',
      `The request to ${origin} failed. Check baseUrl and network.`,
      {
        cause: error,
      },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a response to its end. */
async function readResponse(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (isRedirect(response)) {
    await response.body?.cancel();
    const location = headers.get('Location');
    const where = location === null ? '' : ` to ${location}`;
    throw failure(
      response,
      'REDIRECT_REFUSED',
      `The server redirects${where}. The API key is not sent there: correct baseUrl.`,
    );
  }
  if (response.ok && isDownload(headers)) return new Response(await response.arrayBuffer(), { status, headers });
  const text = await response.text();
  const body = jsonObjectIn(text);
  if (response.ok && body !== null) return new Response(text, { status, headers });
  if (body?.success === false && typeof body.code === 'string') {
    throw failure(response, body.code as ErrorCode, String(body.error), body.data);
  }
  throw invalidResponse(response);
}

/** A response that this API does not give, such as the error page of a proxy. */
export function invalidResponse(response: Response): CountersignApiError {
  const contentType = response.headers.get('Content-Type') ?? 'no content type';
  const message = `The answer is not one of the Countersign API: status ${response.status}, ${contentType}. Check baseUrl (it ends in the version, such as /api/v1) and the proxies on the way.`;
  return failure(response, 'INVALID_RESPONSE', message);
}

function failure(
  { status, headers }: Response,
  code: ErrorCode,
  message: string,
  data?: unknown,
): CountersignApiError {
  return new CountersignApiError(code, message, {
    status,
    data,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: retryAfterSecondsIn(headers),
  });
}

/** Whether the response is a file. Pages of proxies are not. */
function isDownload(headers: Headers): boolean {
  return headers.get('Content-Disposition')?.startsWith('attachment') === true;
}

/** Whether the response is a redirect, or came from one that a custom `fetch` followed. */
function isRedirect({ status, type, redirected }: Response): boolean {
  return redirected || type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function jsonObjectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
