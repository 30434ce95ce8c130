import type { Clock, Countersign, SealingSecrets } from '@countersign/domain';
import { ACTIONS, type ActionEntry } from '@countersign/domain/actions';
import type { Accounts, SignIn } from '@countersign/domain/staff';
import type { StoragePart } from '@countersign/domain/storage';
import type { Context } from 'hono';
import type { Assets } from './assets.ts';
import { createTurns, type Turn } from './turns.ts';

/** What the pages need from outside. */
export interface WebOptions {
  readonly countersign: Pick<
    Countersign,
    | 'subject'
    | 'exports'
    | 'rateLimits'
    | 'clients'
    | 'appearances'
    | 'flowSettings'
    | 'readings'
    | 'mails'
    | 'as'
    | 'parts'
  >;
  /** Identifies who is signed in. */
  readonly signIn: SignIn;
  /** The catalogue of actions. Default: `ACTIONS`. Each action of operators with texts has a page. */
  readonly actions?: readonly ActionEntry[] | undefined;
  /** If present, the pages for signing in are served too. */
  readonly accounts?: Accounts | undefined;
  /** Signs the sessions of subjects, and seals forms that come back for correction. */
  readonly secrets: SealingSecrets;
  readonly clock: Clock;
  /** The public address, without a slash at the end. It may have a path: `https://example.org/verification`. */
  readonly publicBaseUrl: string;
  /** Returns the network address of the client, as the trusted proxies report it. */
  readonly clientAddress: (context: Context) => string;
  /** Whether reviewers and operators need a second factor. Default false. */
  readonly requireSecondFactor?: boolean | undefined;
  /** Whether the intake of files accepts pictures in HEIC: `isHeicInstalled()` of @countersign/evidence. Default false. */
  readonly acceptsHeic?: boolean | undefined;
  /**
   * Makes the OpenAPI 3.1 document of the API: `() => openApiDocument(…)` of @countersign/http. With it, the documentation for
   * developers is served under `/docs`, and pages link to it. Its forms send requests to the document's server if that has the
   * origin of `publicBaseUrl`. Called once, at the first request for a page of the documentation.
   */
  readonly apiDocument?: (() => object) | undefined;
  /** Whether an unknown path gets the 404 page too. Default false: it belongs to the app around the pages. */
  readonly answersUnknownPaths?: boolean | undefined;
  /** Whether `/design` shows the parts of pages, for development. Default false. */
  readonly designPages?: boolean | undefined;
  /** Makes the id of a request, for error pages and `X-Request-Id`. Default: random. */
  readonly newRequestId?: ((context: Context) => string) | undefined;
  /** Receives one entry for each response, except for files of `assets/`. */
  readonly onResponse?: ((entry: AnswerEntry) => void) | undefined;
  /** Receives each fault with its request. */
  readonly onFault: (fault: unknown, entry: FaultEntry) => void;
}

/** A request as a log may hold it: no token and no query. */
export interface FaultEntry {
  readonly requestId?: string;
  /** The id that the caller gave in `X-Request-Id` or `traceparent`. */
  readonly callerRequestId?: string | undefined;
  readonly method: string;
  /** The route's template, such as `/verify/{id}/{slug}`. */
  readonly path: string;
  /** The verification that the address names. */
  readonly verificationId?: string | undefined;
}

/** One line of an access log. */
export interface AnswerEntry extends FaultEntry {
  readonly requestId: string;
  readonly status: number;
  readonly durationMs: number;
}

/** What every request shares. */
export interface Site {
  readonly options: WebOptions & { readonly actions: readonly ActionEntry[] };
  readonly assets: Assets;
  /** Ids of the actions that have a page of their own. Filled while pages are mounted. */
  readonly actionPages: Set<string>;
  /** Waits until it is this page's turn to use the processor. */
  readonly turn: Turn;
  /** The path of `publicBaseUrl`, without a slash at the end: empty or `/verification`. */
  readonly basePath: string;
  /** The origin of `publicBaseUrl`: `https://example.org`. */
  readonly origin: string;
  /** Whether `publicBaseUrl` is https. Cookies are `Secure` then. */
  readonly secure: boolean;
  /** The parts that the storage has: pages of others are left out. */
  readonly parts: ReadonlySet<StoragePart>;
  /** Whether the service can send e-mail to subjects. */
  readonly sendsMail: boolean;
  /** Whether users receive their one-time links by e-mail. */
  readonly mailsUsers: boolean;
}

/** @throws TypeError if `publicBaseUrl` is not an absolute address */
export function createSite(options: WebOptions, assets: Assets): Site {
  const { origin, pathname, protocol } = new URL(options.publicBaseUrl);
  return {
    options: { ...options, actions: options.actions ?? ACTIONS },
    assets,
    actionPages: new Set(),
    turn: createTurns(),
    origin,
    basePath: pathname.replace(/\/+$/, ''),
    secure: protocol === 'https:',
    parts: options.countersign.parts,
    sendsMail: options.countersign.mails.isOn,
    mailsUsers: options.countersign.mails.sendsToUsers,
  };
}
