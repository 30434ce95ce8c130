import { z } from 'zod';
import { CountersignError, type Issue, invalidParameters } from '../errors.ts';
import type { Fields, NumberField } from '../fields/field.ts';
import { schemaOfField, typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Clock, Ids } from '../runtime.ts';
import { type BoundedCount, boundedCount, COUNTED_MATCHES } from './bounded-count.ts';
import type {
  Client,
  ClientPosition,
  ClientRepository,
  ClientWithSubscription,
  SubscriptionChange,
} from './client-repository.ts';
import { MONTHLY_LIMIT_MAX, monthOf, type Usage, usageOf } from './monthly-limit.ts';
import { parseReasonTemplates, type ReasonTemplatesInput } from './reason-templates.ts';
import { parseReturnAddresses, returnAddressIssues } from './return-address.ts';
import { PLANS, type Plan, SUBSCRIPTION_STATUSES, type Subscription } from './subscription.ts';
import { liveIdOf, modeOf, nameForStaff, newClient, refuseTestTwin, testTwinOf } from './test-twin.ts';

/** How many clients are offered to choose from. Others are found by their name. */
export const CLIENT_CHOICES = 50;

/** Characters of a client's name. */
export const CLIENT_NAME_MAX = 100;

/** A client to create. */
export interface NewClient {
  /** For people; at most `CLIENT_NAME_MAX` characters. */
  readonly name: string;
  /** `none` makes a client without a subscription. */
  readonly plan: Plan | 'none';
  /** Verifications a month; left out, the plan's own limit. */
  readonly monthlyLimit?: number | undefined;
}

/** Changes of a subscription. What is left out stays. */
export interface SubscriptionSettings {
  readonly plan?: Plan | undefined;
  readonly status?: Subscription['status'] | undefined;
  /** null returns to the plan's own limit. */
  readonly monthlyLimit?: number | null | undefined;
  /** null means open-ended. */
  readonly endsAt?: Date | null | undefined;
}

/** The part of `SubscriptionSettings` that an operator types. */
export interface SubscriptionInput extends Pick<SubscriptionSettings, 'plan' | 'status'> {
  readonly monthlyLimit?: number | undefined;
}

/** What clients are searched by, and the page. */
export interface ClientSearch {
  /** The start of the name, without case and accents, or an id. Left out, every client. */
  readonly name?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** A client in live use with its test twin. */
export interface ClientWithTwin extends ClientWithSubscription {
  /** Null if an older version of the service created the client, and nothing has needed its twin since. */
  readonly test: Client | null;
}

/** A page of clients. Ordered by name. */
export interface ClientPage {
  /** By name. */
  readonly clients: readonly ClientWithSubscription[];
  readonly total: BoundedCount;
  /** The `after` of the next page; null at the end. Opaque. */
  readonly next: string | null;
}

/** Manages clients and their subscriptions, for operators. */
export interface ManageClients {
  /** Creates a client and its test twin; with a plan, also an active subscription that starts now. @throws `INVALID_PARAMETERS` */
  create(input: NewClient): Promise<ClientWithTwin & { readonly test: Client }>;
  /** Lists all clients with their test twins, oldest first. */
  list(): Promise<readonly ClientWithTwin[]>;
  /** Reads a page of at most `limit` clients by name, without test twins. @throws `INVALID_PARAMETERS` */
  search(search: ClientSearch, limit: number): Promise<ClientPage>;
  /** Returns the names of clients by id, for staff of the installation. Unknown ids are left out. */
  names(clientIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the test twin of a client; of a test twin, itself. @throws `CLIENT_NOT_FOUND` */
  testTwin(clientId: string): Promise<Client>;
  /** @throws `CLIENT_NOT_FOUND` */
  get(clientId: string): Promise<ClientWithSubscription>;
  /**
   * Sets the given fields. A client without a subscription gets an active one that starts now, for which `plan` is needed.
   * `endsAt` may be in the past but must be after the start; else the issue at `endsAt` has the code `too_small`.
   * @throws `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`
   */
  setSubscription(clientId: string, settings: SubscriptionSettings): Promise<Subscription>;
  /**
   * Replaces the addresses to which the client's subjects may return. An empty list allows none.
   * @throws `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`
   */
  setReturnAddresses(clientId: string, returnAddresses: readonly string[]): Promise<Client>;
  /** Lists all issues of such addresses, each with its path, without changing anything. */
  returnAddressIssues(returnAddresses: readonly string[]): readonly Issue[];
  /** Switches the client's access to the files of its verifications on or off. @throws `CLIENT_NOT_FOUND` */
  setFileAccess(clientId: string, fileAccess: boolean): Promise<Client>;
  /**
   * Replaces the client's templates of messages. A list that is left out becomes empty.
   * @throws `INVALID_PARAMETERS`, also for a test twin, which has the templates of its client; `CLIENT_NOT_FOUND`
   */
  setReasonTemplates(clientId: string, templates: ReasonTemplatesInput): Promise<Client>;
  /** Reads the usage of the current month. @throws `CLIENT_NOT_FOUND` */
  usage(clientId: string): Promise<Usage>;
}

/** Verifications a month. */
const monthlyLimit: NumberField = { kind: 'number', integer: true, min: 0, max: MONTHLY_LIMIT_MAX };

/** The settings of a subscription that an operator may leave as they are. */
export const subscriptionFields: Fields<SubscriptionInput> = {
  plan: { kind: 'choice', of: PLANS, optional: true },
  status: { kind: 'choice', of: SUBSCRIPTION_STATUSES, optional: true },
  monthlyLimit: { ...monthlyLimit, optional: true },
};

export const newClientFields: Fields<NewClient> = {
  name: { kind: 'text', shape: 'label', max: CLIENT_NAME_MAX },
  plan: { kind: 'choice', of: [...PLANS, 'none'] },
  monthlyLimit: { ...monthlyLimit, optional: true },
};

/** Programs in plain JavaScript may pass anything. */
const returnAddressesSchema: z.ZodType<readonly string[]> = z.array(z.string());

const newClientSchema = typedSchemaOf<NewClient>(newClientFields);

const settingsSchema = z.strictObject({
  plan: schemaOfField(subscriptionFields.plan),
  status: schemaOfField(subscriptionFields.status),
  monthlyLimit: schemaOfField(subscriptionFields.monthlyLimit).nullable(),
  endsAt: z.date().nullable().optional(),
}) as z.ZodType<SubscriptionSettings>;

const unknownClient = (): CountersignError => new CountersignError('CLIENT_NOT_FOUND');

/** @param settings.allowsLocalReturns whether return addresses may name `localhost` and `127.0.0.1` */
export function createManageClients(
  ports: { clients: ClientRepository; clock: Clock; ids: Ids },
  settings: { readonly allowsLocalReturns: boolean },
): ManageClients {
  const { clients, clock, ids } = ports;
  const returnRules = { allowsLocal: settings.allowsLocalReturns };

  async function get(clientId: string): Promise<ClientWithSubscription> {
    const found = await clients.find(clientId);
    if (found === null) throw unknownClient();
    return found;
  }

  /** Creates the client's first subscription. If another call created one at the same time, that one wins. */
  async function begin(clientId: string, settings: SubscriptionSettings): Promise<Subscription> {
    if (settings.plan === undefined) throw planNeeded();
    const initial = startingNow(settings.plan, settings, clock.now());
    requireEndAfter(initial.startsAt, initial.endsAt);
    return set(clientId, {}, initial);
  }

  async function set(
    clientId: string,
    change: SubscriptionChange,
    initial: Subscription | null,
  ): Promise<Subscription> {
    const result = await clients.changeSubscription(clientId, change, initial);
    switch (result.outcome) {
      case 'changed':
        return result.subscription;
      case 'client_not_found':
        throw unknownClient();
      case 'no_subscription':
        throw planNeeded();
      default:
        return result satisfies never;
    }
  }

  /** A page is named by its last client. */
  async function positionAfter(clientId: string): Promise<ClientPosition> {
    const found = await clients.find(clientId);
    if (found !== null) return found.client;
    const message = 'is not a position from an earlier page';
    throw invalidParameters([{ path: 'after', message, code: 'invalid' }]);
  }

  return {
    get,
    async list() {
      const all = await clients.list();
      const twins = new Map(all.map(({ client }) => [client.testOf, client]));
      return all
        .filter(({ client }) => client.testOf === null)
        .map((entry) => ({ ...entry, test: twins.get(entry.client.id) ?? null }));
    },

    async testTwin(clientId) {
      const { client } = await get(clientId);
      if (modeOf(client) === 'test') return client;
      const twin = await clients.testTwin(clientId, { id: ids.next(), createdAt: clock.now() });
      if (twin === null) throw unknownClient();
      return twin;
    },

    async search({ name = '', after }, limit) {
      const withId = name === '' ? null : await clients.find(name);
      if (withId !== null)
        return { clients: [await get(liveIdOf(withId.client))], total: boundedCount(1), next: null };
      const { entries, totalCount } = await clients.search({
        namePrefix: name,
        after: after === undefined ? undefined : await positionAfter(after),
        // One more than a page tells whether there is a next page.
        limit: limit + 1,
        countUpTo: COUNTED_MATCHES,
      });
      const shown = entries.slice(0, limit);
      const next = entries.length > limit ? (shown.at(-1)?.client.id ?? null) : null;
      return { clients: shown, total: boundedCount(totalCount), next };
    },

    async names(clientIds) {
      const names = await clients.names([...new Set(clientIds)]);
      return new Map([...names].map(([id, name]) => [id, nameForStaff(name)]));
    },

    async create(input) {
      const { name, plan, monthlyLimit } = parseInput(newClientSchema(), input);
      if (plan === 'none' && monthlyLimit !== undefined) {
        const message = 'belongs to a subscription, and plan none has none';
        throw invalidParameters([{ path: 'monthlyLimit', message, code: 'unknown_field' }]);
      }
      const now = clock.now();
      const entry: ClientWithSubscription = {
        client: newClient({ id: ids.next(), name, createdAt: now }),
        subscription: plan === 'none' ? null : startingNow(plan, { monthlyLimit }, now),
      };
      const test = testTwinOf(entry.client, { id: ids.next(), createdAt: now });
      const { outcome } = await clients.create({ ...entry, test });
      if (outcome === 'exists')
        throw new Error(`the new client id ${entry.client.id} is taken: ids must be unique`);
      return { ...entry, test };
    },

    async setSubscription(clientId, settings) {
      const change = parseInput(settingsSchema, settings);
      const { client, subscription } = await get(clientId);
      if (modeOf(client) === 'test') throw needsNoSubscription(client);
      const { startsAt } = subscription ?? (await begin(clientId, change));
      // A start never changes, so this comparison still holds when the change is written.
      requireEndAfter(startsAt, change.endsAt);
      return set(clientId, change, null);
    },

    async setReturnAddresses(clientId, returnAddresses) {
      const given = parseInput(returnAddressesSchema, returnAddresses);
      const parsed = parseReturnAddresses(given, returnRules);
      return changedClient(await clients.setReturnAddresses(clientId, parsed));
    },

    returnAddressIssues: (returnAddresses) => returnAddressIssues(returnAddresses, returnRules),

    setFileAccess: async (clientId, fileAccess) =>
      changedClient(await clients.setFileAccess(clientId, fileAccess)),

    async setReasonTemplates(clientId, templates) {
      const parsed = parseReasonTemplates(templates);
      refuseTestTwin((await get(clientId)).client, 'templates');
      return changedClient(await clients.setReasonTemplates(clientId, parsed));
    },

    async usage(clientId) {
      const { client, subscription } = await get(clientId);
      const now = clock.now();
      return usageOf({ subscription, mode: modeOf(client) }, await clients.usedIn(clientId, monthOf(now)), now);
    },
  };
}

/** Returns the changed client. @throws `CLIENT_NOT_FOUND` */
function changedClient(result: Awaited<ReturnType<ClientRepository['setFileAccess']>>): Client {
  switch (result.outcome) {
    case 'changed':
      return result.client;
    case 'client_not_found':
      throw unknownClient();
    default:
      return result satisfies never;
  }
}

function needsNoSubscription({ testOf }: Client): CountersignError {
  const message = `is a test client, which needs no subscription. Its client is ${testOf}`;
  return invalidParameters([{ path: 'clientId', message }]);
}

function planNeeded(): CountersignError {
  return invalidParameters([{ path: 'plan', message: 'is required for the first subscription' }]);
}

function requireEndAfter(startsAt: Date, endsAt: Date | null | undefined): void {
  if (endsAt === null || endsAt === undefined || endsAt > startsAt) return;
  const message = `must be after the start, ${startsAt.toISOString()}`;
  throw invalidParameters([{ path: 'endsAt', message, code: 'too_small' }]);
}

function startingNow(plan: Plan, settings: SubscriptionSettings, now: Date): Subscription {
  return {
    plan,
    status: settings.status ?? 'active',
    monthlyLimit: settings.monthlyLimit ?? null,
    startsAt: now,
    endsAt: settings.endsAt ?? null,
  };
}
