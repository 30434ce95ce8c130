import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { RequestEntry, ResponseEntry } from './exchange.ts';

/** What the API needs from the server around it, whichever kind that is. None of these functions may throw. */
export interface AnswerOptions {
  /** A new value for `X-Request-Id`. */
  readonly newRequestId: () => string;
  /** Told of every answer. */
  readonly onResponse?: ((entry: ResponseEntry) => void) | undefined;
  /** Told of everything that became 500 or 503. */
  readonly onFault: (fault: unknown, entry: RequestEntry) => void;
  /** The present moment, for `Retry-After`; default: the system's. */
  readonly now?: (() => Date) | undefined;
  /** Where clients reach the mount point, for the OpenAPI document; default: its path. */
  readonly serverUrl?: string | undefined;
}

/** For an application on Hono. */
export interface ApiOptions extends AnswerOptions {
  /** The network address of the client, after the proxies that are trusted. */
  readonly clientAddress: (context: Context) => string;
}

/** For a server on node:http. */
export interface ApiListenerOptions extends AnswerOptions {
  /** The network address of the client, after the proxies that are trusted. */
  readonly clientAddress: (incoming: IncomingMessage) => string;
  /** What the paths of requests begin with, without a slash at the end: `/api/v1`; default: nothing. */
  readonly mountPath?: string | undefined;
}
