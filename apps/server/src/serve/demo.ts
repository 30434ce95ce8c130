import type { ClientRepository, Countersign, ManageStaff, NewUser } from '@countersign/domain';

/** The key itself: printed once, kept nowhere. */
export interface DemoClient {
  readonly clientId: string;
  readonly key: string;
}

/** Always the same one: of several servers that start at once on an empty database, the storage lets one make it. */
const CLIENT_ID = '00000000-0000-7000-8000-00000000de30';

/**
 * A client with an active Standard subscription and a key that may do everything, so that a first trial needs no
 * setting up; a sandbox, so that it needs no person either. Only where there is no client at all; of several callers at once, one gets it.
 */
export async function createDemoClient(
  { apiKeys }: Pick<Countersign, 'apiKeys'>,
  clients: Pick<ClientRepository, 'create' | 'list'>,
): Promise<DemoClient | undefined> {
  if ((await clients.list()).length > 0) return undefined;
  const now = new Date();
  const { outcome } = await clients.create({
    client: { id: CLIENT_ID, name: 'Demo', createdAt: now, sandbox: true },
    subscription: { plan: 'standard', status: 'active', monthlyLimit: null, startsAt: now, endsAt: null },
  });
  if (outcome === 'exists') return undefined;
  const { value } = await apiKeys.issue(CLIENT_ID, { name: 'Demo', permissions: ['*'] });
  return { clientId: CLIENT_ID, key: value };
}

/** Somebody to try the pages with. The link works once: printed, kept nowhere. */
export interface DemoMember {
  readonly email: string;
  readonly signInUrl: string;
}

export interface DemoStaff {
  /** Staff of the demo client, for the dashboard. */
  readonly team: DemoMember;
  /** For the console and the operators' pages. */
  readonly operator: DemoMember;
}

/** Always the same ones: of several servers that start at once on an empty database, one makes them. */
const TEAM = { email: 'team@demo.example', name: 'Demo team', role: 'client' } as const;
const OPERATOR = { email: 'operator@demo.example', name: 'Demo operator', role: 'operator' } as const;

/** An owner of the client and an operator, where nobody has an account yet; of several callers at once, one gets them. */
export async function createDemoStaff(
  staff: Pick<ManageStaff, 'create' | 'list'>,
  { clientId, publicBaseUrl }: { clientId: string; publicBaseUrl: string },
): Promise<DemoStaff | undefined> {
  if ((await staff.list()).length > 0) return undefined;
  const invite = async (input: NewUser): Promise<DemoMember | undefined> => {
    const made = await staff.create(input);
    if (made.outcome === 'exists') return undefined;
    return { email: input.email, signInUrl: `${publicBaseUrl}${made.invitationPath}` };
  };
  const team = await invite({ ...TEAM, clientId });
  if (team === undefined) return undefined;
  const operator = await invite(OPERATOR);
  return operator === undefined ? undefined : { team, operator };
}
