import type { Accounts, ActionEntry, Clock, Countersign, Secrets, SignIn } from '@countersign/domain';
import type { Context } from 'hono';

/** What the pages need from outside. */
export interface WebOptions {
  readonly countersign: Pick<Countersign, 'subject' | 'rateLimits' | 'clients' | 'as'>;
  /** Who is signed in. */
  readonly signIn: SignIn;
  /** The catalogue of actions. Default: `ACTIONS`. Each action of operators with texts has a page. */
  readonly actions?: readonly ActionEntry[] | undefined;
  /** With it the pages for signing in are served too. */
  readonly accounts?: Accounts | undefined;
  /** Signs the sessions of subjects. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Where people reach the service, without a slash at the end. It may hold a path: `https://example.org/verification`. */
  readonly publicBaseUrl: string;
  /** The network address a request comes from, as far as proxies are trusted. */
  readonly clientAddress: (context: Context) => string;
  /** Whether reviewers and operators need a second factor. Default false. */
  readonly requireSecondFactor?: boolean | undefined;
  /** The id of a request, told on error pages and in `X-Request-Id`. Default: random. */
  readonly newRequestId?: ((context: Context) => string) | undefined;
  /** Told of every answer, but those that are files of `assets/`. */
  readonly onResponse?: ((entry: AnswerEntry) => void) | undefined;
  /** Told of every request that ended in a fault of the service. */
  readonly onFault: (fault: unknown, entry: FaultEntry) => void;
}

/** The request that a fault happened in. It holds no id of a verification, no token and no query. */
export interface FaultEntry {
  readonly requestId?: string;
  readonly method: string;
  /** The route's template, such as `/verify/{id}/{slug}`. */
  readonly path: string;
}

/** What a request came to. */
export interface AnswerEntry extends FaultEntry {
  readonly requestId: string;
  readonly status: number;
  readonly durationMs: number;
}
