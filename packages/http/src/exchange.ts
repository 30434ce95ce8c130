import type { Principal, RateLimitDecision } from '@countersign/domain';
import type { ApiErrorCode } from './errors.ts';
import type { Answer } from './responses.ts';

/** One request, for a log. It holds no id of a verification, no query and no key. */
export interface RequestEntry {
  readonly requestId: string;
  readonly method: string;
  /** The path below the mount point as the interface writes it, such as `/verifications/{id}`; `*` for an unknown one. */
  readonly path: string;
}

/** What the request came to. */
export interface ResponseEntry extends RequestEntry {
  readonly status: number;
  readonly durationMs: number;
  /** Of a valid key. */
  readonly clientId: string | undefined;
  readonly keyId: string | undefined;
  /** Of an error. */
  readonly code: ApiErrorCode | undefined;
}

/** A request while it is answered: what becomes known of it on the way, also where that ends in an error. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  path: string;
  principal?: Principal;
  rateLimit?: RateLimitDecision;
}

export function requestEntry({ requestId, method, path }: Exchange): RequestEntry {
  return { requestId, method, path };
}

export function responseEntry(exchange: Exchange, { status, code }: Answer, durationMs: number): ResponseEntry {
  const { requestId, method, path, principal } = exchange;
  return {
    requestId,
    method,
    path,
    status,
    durationMs,
    clientId: principal?.clientId,
    keyId: principal?.keyId,
    code,
  };
}
