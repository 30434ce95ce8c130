import type { AuditEntry } from '@countersign/domain';
import type { TeamRole } from '@countersign/domain/staff';
import { aUser, type GivenConsole, givenConsole, PASSWORD } from './console.ts';

/** Test data: a client with a user of each role in its team, and a second client with an owner. */
export interface GivenTeam extends GivenConsole {
  readonly clientId: string;
  readonly otherClientId: string;
  /** Summarises the audit log, oldest first: `verifications.export refused NOT_ALLOWED`. */
  auditLines(): Promise<string[]>;
}

export const ADA = 'ada';
export const AGNES = 'agnes';
export const VIC = 'vic';
/** The owner of the other client. */
export const OTTO = 'otto';

export async function givenTeam(...options: Parameters<typeof givenConsole>): Promise<GivenTeam> {
  const given = await givenConsole(...options);
  const { accounts, countersign, ports, principal } = given;
  const other = await countersign.clients.create({ name: 'Beta Bank', plan: 'standard' });
  const add = (id: string, clientId: string, teamRole: TeamRole): void => {
    accounts.add(aUser(id, { role: 'client', clientId, teamRole }), PASSWORD);
  };
  add(ADA, principal.clientId, 'owner');
  add(AGNES, principal.clientId, 'agent');
  add(VIC, principal.clientId, 'viewer');
  add(OTTO, other.client.id, 'owner');

  return {
    ...given,
    clientId: principal.clientId,
    otherClientId: other.client.id,
    auditLines: async () => (await ports.storage.audit.read(0, 1_000)).map(lineOf),
  };
}

function lineOf({ action, outcome, detail }: AuditEntry): string {
  const code = detail.code;
  return typeof code === 'string' ? `${action} ${outcome} ${code}` : `${action} ${outcome}`;
}
