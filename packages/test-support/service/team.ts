import type { AuditEntry, Caller } from '@countersign/domain';
import type { TeamRole, User } from '@countersign/domain/staff';
import { type Operations, operationsOf } from './operations.ts';
import type { Service } from './service.ts';

export const ADDRESS = '203.0.113.7';

/** A client with a user of each role in its team. */
export interface Team {
  readonly clientId: string;
  readonly owner: User;
  readonly agent: User;
  readonly viewer: User;
}

export async function givenTeam(service: Service, name = 'Acme'): Promise<Team> {
  const { client } = await service.countersign.clients.create({ name, plan: 'standard' });
  const user = async (teamRole: TeamRole) =>
    givenStaff(service, { role: 'client', clientId: client.id, teamRole });
  return {
    clientId: client.id,
    owner: await user('owner'),
    agent: await user('agent'),
    viewer: await user('viewer'),
  };
}

export async function givenStaff(
  { staff }: Service,
  input: Pick<User, 'role'> & { clientId?: string; teamRole?: TeamRole },
): Promise<User> {
  const { length } = await staff.list();
  const made = await staff.create({ ...input, email: `member${length}@example.com`, name: `Member ${length}` });
  if (made.outcome === 'exists') throw new Error('the e-mail address is in use');
  staff.join(made.user.id);
  return made.user;
}

/** Creates a caller who signed in an hour ago and, by default, confirmed the password a minute ago. */
export function signedIn(
  { clock }: Pick<Service, 'clock'>,
  user: User,
  { confirmedSecondsAgo = 60 }: { confirmedSecondsAgo?: number | null } = {},
): Caller {
  const ago = (seconds: number): Date => new Date(clock.now().getTime() - seconds * 1000);
  const confirmedAt = confirmedSecondsAgo === null ? null : ago(confirmedSecondsAgo);
  return {
    kind: 'user',
    session: { user, signedInAt: ago(3600), withSecondFactor: true, confirmedAt },
    from: ADDRESS,
  };
}

/** The actions of a signed-in user. */
export function operationsAs(
  service: Service,
  user: User,
  options?: { confirmedSecondsAgo?: number | null },
): Operations {
  return operationsOf(service.countersign.as(signedIn(service, user, options)));
}

/** Reads all audit entries, oldest first. */
export async function linesOf({ storage }: Pick<Service, 'storage'>): Promise<readonly AuditEntry[]> {
  return storage.audit.read(0, 10_000);
}

/** Summarises each audit entry: `team.remove refused LAST_OWNER`. */
export async function auditSummary(service: Pick<Service, 'storage'>): Promise<string[]> {
  return (await linesOf(service)).map(({ action, outcome, detail: { code } }) =>
    typeof code === 'string' ? `${action} ${outcome} ${code}` : `${action} ${outcome}`,
  );
}
