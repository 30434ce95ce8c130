import type { ManageStaff, NewUser } from '@countersign/domain';

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
