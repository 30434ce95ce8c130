import type { FlowSettings } from './flow-settings.ts';
import type { Month } from './monthly-limit.ts';
import type { ReasonTemplates } from './reason-templates.ts';
import type { Subscription } from './subscription.ts';

/** A client and its subscription, null if it never had one. */
export interface ClientWithSubscription {
  readonly client: Client;
  readonly subscription: Subscription | null;
}

/** A client to create, with its test twin. Without `test`, the first `testTwin` makes one. */
export interface NewClientEntry extends ClientWithSubscription {
  readonly test?: Client | undefined;
}

/** The fields of a subscription that a change sets; those left out stay as they are. */
export type SubscriptionChange = { readonly [K in keyof Subscription]?: Subscription[K] | undefined };

/** The last client of a page of `search`; the next page begins after it. */
export interface ClientPosition {
  readonly name: string;
  readonly id: string;
}

/** Clients whose name begins with a text. */
export interface ClientQuery {
  /** Compared by `clientNameKey`; an empty text matches every name. */
  readonly namePrefix: string;
  readonly after: ClientPosition | undefined;
  readonly limit: number;
  /** How far matches are counted: `totalCount` is exact up to this number, and any larger number if there are more. */
  readonly countUpTo: number;
}

/** Clients, their subscriptions and their counted use. */
export interface ClientRepository {
  /**
   * Inserts a client, its subscription and its test twin, all or none.
   *
   * Concurrency: of calls with one id, the first wins; the others receive `exists` and change nothing.
   */
  create(entry: NewClientEntry): Promise<{ outcome: 'created' } | { outcome: 'exists' }>;

  /**
   * Returns the test twin of a client. A client without one, which an older version of the service created, gets `ifMissing`, with
   * its own name. Null for an unknown client, and for a client that is a twin itself.
   *
   * Concurrency: of calls at once for one client, the first inserts its twin, and all return that one.
   */
  testTwin(clientId: string, ifMissing: Pick<Client, 'id' | 'createdAt'>): Promise<Client | null>;

  /** Finds a client and its subscription, or null. */
  find(clientId: string): Promise<ClientWithSubscription | null>;

  /** Lists all clients, oldest first, then by id. It reads every client, so it is not for requests. */
  list(): Promise<readonly ClientWithSubscription[]>;

  /**
   * Reads a page of the clients whose name begins with a text, at one moment: ordered by the `clientNameKey` of their name,
   * compared by code point, ties broken by `id`. `totalCount` counts all matches, wherever the page begins. Test twins are left out.
   */
  search(query: ClientQuery): Promise<{
    readonly entries: readonly ClientWithSubscription[];
    readonly totalCount: number;
  }>;

  /** Returns what a list of verifications shows of their clients, by id, of at most 100 ids. Unknown ids are left out. */
  names(clientIds: readonly string[]): Promise<ReadonlyMap<string, ListedClient>>;

  /**
   * Sets the given fields of the client's subscription in one step. A client without a subscription gets `initial`
   * unchanged, or `no_subscription` if that is null. An unknown client is `client_not_found`.
   *
   * Concurrency: changes of different fields are all kept; of changes of one field the last wins. Of calls with an
   * `initial`, the first inserts it; the others apply their `change` to it and receive the result.
   */
  changeSubscription(
    clientId: string,
    change: SubscriptionChange,
    initial: Subscription | null,
  ): Promise<
    | { outcome: 'changed'; subscription: Subscription }
    | { outcome: 'no_subscription' }
    | { outcome: 'client_not_found' }
  >;

  /**
   * Replaces the client's return addresses. Of several calls, the last wins whole; setting the current list is no error.
   */
  setReturnAddresses(
    clientId: string,
    returnAddresses: readonly string[],
  ): Promise<{ outcome: 'changed'; client: Client } | { outcome: 'client_not_found' }>;

  /** Switches the client's access to files on or off. The last of several calls wins; setting the current value is no error. */
  setFileAccess(
    clientId: string,
    fileAccess: boolean,
  ): Promise<{ outcome: 'changed'; client: Client } | { outcome: 'client_not_found' }>;

  /** Replaces the client's flow settings. Of concurrent calls, the last wins as a whole. Setting the current ones is no error. */
  setFlowSettings(
    clientId: string,
    flowSettings: FlowSettings,
  ): Promise<{ outcome: 'changed'; client: Client } | { outcome: 'client_not_found' }>;

  /** Replaces the client's templates of messages. Of concurrent calls, the last wins as a whole. Setting the current ones is no error. */
  setReasonTemplates(
    clientId: string,
    reasonTemplates: ReasonTemplates,
  ): Promise<{ outcome: 'changed'; client: Client } | { outcome: 'client_not_found' }>;

  /** Counts the verifications charged to the client in the month; 0 for an unknown client. */
  usedIn(clientId: string, month: Month): Promise<number>;
}

/** How a client is called. A test twin has the name of its client. */
export type NameOfClient = Pick<Client, 'name' | 'testOf'>;

/** What a list of verifications shows of their clients: the name, and the due time, which has no effect on a test twin. */
export interface ListedClient extends NameOfClient {
  readonly dueHours: FlowSettings['dueHours'];
}

/** A customer of the service. It has API keys, a subscription, a team and verifications. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Where its subjects may return to, in the spelling of `parseReturnAddresses` and its order. */
  readonly returnAddresses: readonly string[];
  /** The client whose test twin it is (sandbox/ drives its verifications); null for a client in live use. A client has at most one twin. */
  readonly testOf: string | null;
  /** Whether its API keys with every permission, owners and agents read the files of its verifications. */
  readonly fileAccess: boolean;
  /** What it asks of its subjects and tells them. Those of a test twin have no effect: the settings of its client hold. */
  readonly flowSettings: FlowSettings;
  /** Messages that reviewers of its verifications insert. Those of a test twin have no effect: it has the templates of its client. */
  readonly reasonTemplates: ReasonTemplates;
}
