import {
  type Client,
  type ClientAppearance,
  type ClientWithSubscription,
  NO_APPEARANCE,
  testTwinOf,
} from '@countersign/domain/clients';
import {
  type AppearanceOutcome,
  type ClientAppearanceEntry,
  type ClientAppearanceRepository,
  type ClientPosition,
  type ClientRepository,
  clientNameKey,
  compareText,
} from '@countersign/domain/storage';
import { compareTime, type Sync, type Tables } from './tables.ts';

/** Clients, their subscriptions and their usage. A list and a search read all clients. */
export function createClients({ clients, subscriptions, usage }: Tables): Sync<ClientRepository> {
  const withSubscription = (client: Client): ClientWithSubscription => ({
    client,
    subscription: subscriptions.get(client.id)?.subscription ?? null,
  });
  const byName = (a: ClientPosition, b: ClientPosition): number =>
    compareText(clientNameKey(a.name), clientNameKey(b.name)) || compareText(a.id, b.id);
  function change(clientId: string, changed: Partial<Client>) {
    const present = clients.get(clientId);
    if (present === undefined) return { outcome: 'client_not_found' } as const;
    const client = { ...present, ...changed };
    clients.put(client);
    return { outcome: 'changed', client } as const;
  }
  return {
    create({ client, subscription, test }) {
      if (clients.get(client.id) !== undefined) return { outcome: 'exists' };
      clients.put(client);
      if (test !== undefined) clients.put(test);
      if (subscription !== null) subscriptions.put({ clientId: client.id, subscription });
      return { outcome: 'created' };
    },
    testTwin(clientId, ifMissing) {
      const client = clients.get(clientId);
      if (client === undefined || client.testOf !== null) return null;
      const twin = clients.first('twin', clientId) ?? testTwinOf(client, ifMissing);
      clients.put(twin);
      return twin;
    },
    find(clientId) {
      const client = clients.get(clientId);
      return client === undefined ? null : withSubscription(client);
    },
    list: () =>
      clients
        .all()
        .sort((a, b) => compareTime(a.createdAt, b.createdAt) || compareText(a.id, b.id))
        .map(withSubscription),
    search({ namePrefix, after, limit }) {
      const prefix = clientNameKey(namePrefix);
      const matching = clients
        .all()
        .filter(({ name, testOf }) => testOf === null && clientNameKey(name).startsWith(prefix))
        .sort(byName);
      const left = matching.filter((client) => after === undefined || byName(after, client) < 0);
      return { entries: left.slice(0, limit).map(withSubscription), totalCount: matching.length };
    },
    names(clientIds) {
      const known = clientIds.flatMap((id): Client | [] => clients.get(id) ?? []);
      return new Map(
        known.map(({ id, name, testOf, flowSettings: { dueHours } }) => [id, { name, testOf, dueHours }]),
      );
    },
    changeSubscription(clientId, changed, initial) {
      if (clients.get(clientId) === undefined) return { outcome: 'client_not_found' };
      const present = subscriptions.get(clientId)?.subscription;
      const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
      const subscription = present === undefined ? initial : { ...present, ...given };
      if (subscription === null) return { outcome: 'no_subscription' };
      subscriptions.put({ clientId, subscription });
      return { outcome: 'changed', subscription };
    },
    setReturnAddresses: (clientId, returnAddresses) => change(clientId, { returnAddresses }),
    setFileAccess: (clientId, fileAccess) => change(clientId, { fileAccess }),
    setFlowSettings: (clientId, flowSettings) => change(clientId, { flowSettings }),
    setReasonTemplates: (clientId, reasonTemplates) => change(clientId, { reasonTemplates }),
    usedIn: (clientId, month) => usage.get(clientId, month)?.used ?? 0,
  };
}

/** How clients appear to their subjects. */
export function createAppearances({ clients, appearances }: Tables): Sync<ClientAppearanceRepository> {
  const appearanceOf = ({ details, logo }: ClientAppearanceEntry): ClientAppearance => ({
    ...details,
    logo: logo && { id: logo.id, width: logo.width, height: logo.height },
  });
  function change(clientId: string, changed: Partial<ClientAppearanceEntry>): AppearanceOutcome {
    if (clients.get(clientId) === undefined) return { outcome: 'client_not_found' };
    const { logo: _, ...details } = NO_APPEARANCE;
    const entry = { ...(appearances.get(clientId) ?? { clientId, details, logo: null }), ...changed };
    appearances.put(entry);
    return { outcome: 'changed', appearance: appearanceOf(entry) };
  }
  return {
    find(clientId) {
      const entry = appearances.get(clientId);
      return entry === undefined ? null : appearanceOf(entry);
    },
    setDetails: (clientId, { displayName, colour, supportAddress, privacyAddress }) =>
      change(clientId, { details: { displayName, colour, supportAddress, privacyAddress } }),
    setLogo: (clientId, logo) => change(clientId, { logo }),
    logoContent(clientId, logoId) {
      const logo = appearances.get(clientId)?.logo ?? null;
      return logo?.id === logoId ? logo.content : null;
    },
  };
}
