import type { Month } from './monthly-limit.ts';
import type { Subscription } from './subscription.ts';

export interface ClientWithSubscription {
  readonly client: Client;
  readonly subscription: Subscription | null;
}

/** The fields of a subscription that a change sets; those left out stay as they are. */
export type SubscriptionChange = { readonly [K in keyof Subscription]?: Subscription[K] | undefined };

/** Clients, their subscriptions and their counted use. */
export interface ClientRepository {
  /**
   * Inserts a client and its subscription, both or neither.
   *
   * Concurrency: of calls with one id, the first wins; the others receive `exists` and change nothing.
   */
  create(entry: ClientWithSubscription): Promise<{ outcome: 'created' } | { outcome: 'exists' }>;

  /** Finds a client and its subscription, or null. */
  find(clientId: string): Promise<ClientWithSubscription | null>;

  /** Lists all clients, oldest first, then by id. */
  list(): Promise<readonly ClientWithSubscription[]>;

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

  /** Turns the sandbox of a client on or off. The last of several calls wins; setting the current value is no error. */
  setSandbox(
    clientId: string,
    sandbox: boolean,
  ): Promise<{ outcome: 'changed'; client: Client } | { outcome: 'client_not_found' }>;

  /** Counts the verifications charged to the client in the month; 0 for an unknown client. */
  usedIn(clientId: string, month: Month): Promise<number>;
}

/** A customer of the service. It has API keys, a subscription, a team and verifications. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Whether it is for tests: the service completes and decides verifications of a sandbox (sandbox/). */
  readonly sandbox: boolean;
}
