import type { components } from './api-types.ts';

/** The body of a webhook. Its `type` names the event; more types may come, so ignore unknown ones. */
export type WebhookPayload = components['schemas']['Webhook'];

/** The parts of a webhook request, where it is no `Request`: `{ headers: incoming.headers, body: rawBody }` in node:http. */
export interface ReceivedWebhook {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived. JSON that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
}

/** A webhook whose signature is right. */
export interface VerifiedWebhook {
  /** `webhook-id`, the same for each delivery of an event: use it to handle an event once. */
  readonly id: string;
  /** `webhook-timestamp`: when this attempt was sent. */
  readonly timestamp: Date;
  readonly payload: WebhookPayload;
}

/** Why a webhook was refused. */
export type WebhookErrorCode =
  | 'HEADERS_MISSING'
  | 'INVALID_TIMESTAMP'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  | 'INVALID_SIGNATURE'
  | 'INVALID_PAYLOAD';

const MESSAGES: Readonly<Record<WebhookErrorCode, string>> = {
  HEADERS_MISSING: 'The request lacks webhook-id, webhook-timestamp or webhook-signature.',
  INVALID_TIMESTAMP: 'webhook-timestamp is not a time in seconds.',
  TIMESTAMP_TOO_OLD: 'The webhook was sent too long ago. It may be a recorded one.',
  TIMESTAMP_TOO_NEW: 'The webhook was sent in the future. Check the clock of this machine.',
  INVALID_SIGNATURE: 'No signature fits the body and a secret of this endpoint.',
  INVALID_PAYLOAD: 'The body is signed, but it is not a JSON object.',
};

/** The error that `verifyWebhook` throws for a request that must not be trusted. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode) {
    super(MESSAGES[code]);
    this.code = code;
  }
}

/** Options of `verifyWebhook`. */
export interface WebhookOptions {
  /** How far the time of sending may be from now, in both directions; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Returns the time; default: the system clock. */
  readonly now?: (() => Date) | undefined;
}

const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook by the Standard Webhooks specification: HMAC-SHA256 with a secret of the endpoint, sent at most five
 * minutes ago.
 *
 * @param request a `Request` whose body was not read, or its headers and raw body
 * @param secrets the secrets of the endpoint, `whsec_…`: two while one replaces the other
 * @throws WebhookVerificationError if the request must not be trusted; TypeError if it cannot be checked
 *
 * @example
 * const { id, payload } = await verifyWebhook(request, ['whsec_…']);
 */
export async function verifyWebhook(
  request: Request | ReceivedWebhook,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = () => new Date() }: WebhookOptions = {},
): Promise<VerifiedWebhook> {
  const keys = keysIn(secrets);
  const body = await bodyOf(request);
  const id = headerOf(request, 'webhook-id');
  const seconds = headerOf(request, 'webhook-timestamp');
  const signatures = headerOf(request, 'webhook-signature');
  if (id === '' || seconds === '' || signatures === '') throw new WebhookVerificationError('HEADERS_MISSING');
  const timestamp = timestampOf(seconds, { now: now(), toleranceSeconds });

  const content = join(new TextEncoder().encode(`${id}.${seconds}.`), body);
  if (!(await isSigned(content, signatures, keys))) throw new WebhookVerificationError('INVALID_SIGNATURE');
  return { id, timestamp, payload: payloadIn(body) };
}

function keysIn(secrets: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  if (list.length === 0) throw new TypeError('secrets is empty. Give the secrets of the endpoint: whsec_…');
  return list.map((secret) => {
    const [, base64] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(secret) ?? [];
    const key = base64 === undefined ? null : bytesIn(base64);
    if (key === null)
      throw new TypeError('A secret is not whsec_ followed by base64. Copy it again, without spaces.');
    return key;
  });
}

async function bodyOf(request: Request | ReceivedWebhook): Promise<Uint8Array> {
  if (request instanceof Request) {
    if (request.bodyUsed)
      throw new TypeError('The body was read already. Verify the request first, or give its text.');
    return new Uint8Array(await request.arrayBuffer());
  }
  if (typeof request.body === 'string') return new TextEncoder().encode(request.body);
  if (request.body instanceof Uint8Array) return request.body;
  throw new TypeError('body is neither text nor bytes. Give the raw body, not what a JSON parser made of it.');
}

/** Returns the value of a header, empty if it is absent. */
function headerOf({ headers }: Pick<ReceivedWebhook, 'headers'>, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value.join(', ');
}

function timestampOf(text: string, { now, toleranceSeconds }: { now: Date; toleranceSeconds: number }): Date {
  if (!/^\d{1,12}$/.test(text)) throw new WebhookVerificationError('INVALID_TIMESTAMP');
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(text);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('TIMESTAMP_TOO_OLD');
  if (-ageSeconds > toleranceSeconds) throw new WebhookVerificationError('TIMESTAMP_TOO_NEW');
  return new Date(Number(text) * 1_000);
}

/** Whether one of the signatures, such as `v1,… v1,…`, was made with one of the keys. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
  keys: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const received = signatures
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [bytesIn(part.slice('v1,'.length)) ?? []] : []));
  let fits = false;
  for (const key of keys) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', imported, content));
    for (const signature of received) fits = isEqual(expected, signature) || fits;
  }
  return fits;
}

/** Compares in a time that depends on the lengths only, so that it tells nothing about the expected signature. */
function isEqual(expected: Uint8Array, received: ArrayLike<number>): boolean {
  let difference = expected.length ^ received.length;
  expected.forEach((byte, index) => {
    difference |= byte ^ (received[index] ?? 0);
  });
  return difference === 0;
}

function payloadIn(body: Uint8Array): VerifiedWebhook['payload'] {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    // The signature says that this service wrote it.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as WebhookPayload;
  } catch {
    // Below.
  }
  throw new WebhookVerificationError('INVALID_PAYLOAD');
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
