import type { IncomingMessage } from 'node:http';
import { RESPONSE_KEPT } from '@countersign/domain/storage';
import type { WebhookVerdict } from '@countersign/domain/webhooks';

/** Bytes of a response's body that are read. */
const BYTES_KEPT = RESPONSE_KEPT;

/**
 * Control characters except tab and line ends: storages refuse NUL, and terminals obey escape sequences. Direction controls
 * would show a line in another order.
 */
const CONTROLS = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu;

/** The beginning of a response's body. */
export interface ResponseText {
  /** Returns the text read so far. */
  text(): string;
  /** Resolves when enough was read, or when the body ended or broke off. */
  readonly done: Promise<void>;
}

/** Reads the beginning of a body. Then the connection is closed, however much would follow. */
export function readResponse(response: IncomingMessage): ResponseText {
  const chunks: Buffer[] = [];
  let size = 0;
  const done = new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      // A copy: a part of a large buffer would keep all of it.
      chunks.push(Buffer.from(chunk.subarray(0, BYTES_KEPT - size)));
      size += chunks.at(-1)?.length ?? 0;
      if (size < BYTES_KEPT) return;
      response.destroy();
      resolve();
    });
    // The status was received, so a body that breaks off is no fault.
    response.on('error', () => resolve());
    response.on('close', () => resolve());
  });
  return { text: () => storableText(Buffer.concat(chunks)), done };
}

/** Decodes UTF-8 and drops a last character that was cut off. */
function storableText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replace(CONTROLS, '\ufffd');
}

/** What a status means to the sender of a webhook (Standard Webhooks): only 2xx accepts it, and 410 wants no more. */
export function verdictOf(status: number | null): WebhookVerdict['verdict'] {
  if (status === 410) return 'gone';
  return status !== null && status >= 200 && status < 300 ? 'accepted' : 'failed';
}

/** Reads `Retry-After`: seconds, or an HTTP date. Null if it is absent or says neither. */
export function retryAfterSeconds(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // The date of RFC 9110: Sun, 06 Nov 1994 08:49:37 GMT. `Date.parse` accepts more, such as numbers of years.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}
