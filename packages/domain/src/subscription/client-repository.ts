import type { Client } from './client.ts';
import type { Month } from './quota.ts';
import type { Subscription } from './subscription.ts';

export interface ClientWithSubscription {
  readonly client: Client;
  readonly subscription: Subscription | null;
}

/** The fields of a subscription that a change sets; those left out stay as they are. */
export type SubscriptionChange = { readonly [K in keyof Subscription]?: Subscription[K] | undefined };

/** Clients, their subscriptions and their counted use. */
export interface ClientRepository {
  /** Inserts a client and its subscription, both or neither. `exists` when the id is taken; nothing is changed then. */
  create(entry: ClientWithSubscription): Promise<{ outcome: 'created' } | { outcome: 'exists' }>;

  /** One client with its subscription, or null. */
  find(clientId: string): Promise<ClientWithSubscription | null>;

  /** All clients, oldest first (then by id). */
  list(): Promise<readonly ClientWithSubscription[]>;

  /**
   * Sets the given fields of the client's subscription in one step, so that two changes of different fields at once
   * both hold; of two changes of one field the later wins. Where the client has none, `initial` becomes its
   * subscription as it is; with `initial` null the answer is then `no_subscription`. `client_not_found` for an
   * unknown client.
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

  /** Makes the client a sandbox or an ordinary one. Setting what is set already is no error. */
  setSandbox(
    clientId: string,
    sandbox: boolean,
  ): Promise<{ outcome: 'changed'; client: Client } | { outcome: 'client_not_found' }>;

  /** How many verifications were charged to the client in the month: 0 for a month, or a client, without any. */
  usedIn(clientId: string, month: Month): Promise<number>;
}
