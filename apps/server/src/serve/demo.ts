import type { Countersign } from '@countersign/domain';
import { newClient, testTwinOf } from '@countersign/domain/clients';
import type { ManageStaff, NewUser } from '@countersign/domain/staff';
import type { ClientAppearanceRepository, ClientRepository } from '@countersign/domain/storage';
import { DEMO_LOGO } from './demo-logo.ts';

/** The demo client and its keys, which are printed once and not stored. */
export interface DemoClient {
  readonly clientId: string;
  readonly key: string;
  /** A key of test mode. */
  readonly testKey: string;
}

/** Fixed, so that of several servers that start at once on an empty database only one creates it. */
const CLIENT_ID = '00000000-0000-7000-8000-00000000de30';
const TEST_ID = '00000000-0000-7000-8000-00000000de31';

/** Fictitious, so that the pages of subjects show where help and data protection stand. */
const CONTACTS = { supportAddress: 'help@demo.example', privacyAddress: 'https://demo.example/privacy' } as const;

/**
 * Creates a client with its test twin, contacts, a logo, an active Standard subscription and a key with all permissions in each mode, for a first trial.
 * @returns undefined when a client exists, or when another caller creates the demo client at the same time
 */
export async function createDemoClient(
  { apiKeys, appearances }: Pick<Countersign, 'apiKeys' | 'appearances'>,
  {
    clients,
    appearances: logos,
  }: {
    readonly clients: Pick<ClientRepository, 'create' | 'list'>;
    readonly appearances: Pick<ClientAppearanceRepository, 'setLogo'>;
  },
): Promise<DemoClient | undefined> {
  if ((await clients.list()).length > 0) return undefined;
  const now = new Date();
  const client = newClient({ id: CLIENT_ID, name: 'Demo', createdAt: now });
  const { outcome } = await clients.create({
    client,
    subscription: { plan: 'standard', status: 'active', monthlyLimit: null, startsAt: now, endsAt: null },
    test: testTwinOf(client, { id: TEST_ID, createdAt: now }),
  });
  if (outcome === 'exists') return undefined;
  await appearances.change(CLIENT_ID, CONTACTS);
  await logos.setLogo(CLIENT_ID, DEMO_LOGO);
  const issue = async (clientId: string, name: string) =>
    (await apiKeys.issue(clientId, { name, permissions: ['*'] })).value;
  return {
    clientId: CLIENT_ID,
    key: await issue(CLIENT_ID, 'Demo'),
    testKey: await issue(TEST_ID, 'Demo, test mode'),
  };
}

/** A demo user. The link works once; it is printed and not stored. */
export interface DemoUser {
  readonly email: string;
  readonly signInUrl: string;
}

export interface DemoStaff {
  /** User of the demo client's dashboard. */
  readonly team: DemoUser;
  /** User of the reviewer console and the operators' pages. */
  readonly operator: DemoUser;
}

/** Fixed, so that of several servers that start at once on an empty database only one creates them. */
const TEAM = { email: 'team@demo.example', name: 'Demo team', role: 'client' } as const;
const OPERATOR = { email: 'operator@demo.example', name: 'Demo operator', role: 'operator' } as const;

/**
 * Creates an owner of the demo client and an operator.
 * @returns undefined when a user exists, or when another caller creates them at the same time
 */
export async function createDemoStaff(
  staff: Pick<ManageStaff, 'create' | 'list'>,
  { clientId, publicBaseUrl }: { clientId: string; publicBaseUrl: string },
): Promise<DemoStaff | undefined> {
  if ((await staff.list()).length > 0) return undefined;
  const invite = async (input: NewUser): Promise<DemoUser | undefined> => {
    const made = await staff.create(input);
    if (made.outcome === 'exists') return undefined;
    return { email: input.email, signInUrl: `${publicBaseUrl}${made.invitationPath}` };
  };
  const team = await invite({ ...TEAM, clientId });
  if (team === undefined) return undefined;
  const operator = await invite(OPERATOR);
  return operator === undefined ? undefined : { team, operator };
}
