import type { Dashboard, TeamRole } from '@countersign/domain';
import type { Service } from '../service/service.ts';

/** The dashboard of somebody in a client's team who has just confirmed who they are. */
export function dashboardOf(
  { countersign, clock }: Pick<Service, 'countersign' | 'clock'>,
  clientId: string,
  { teamRole = 'owner', userId = 'staff-1' }: { teamRole?: TeamRole; userId?: string } = {},
): Dashboard {
  const now = clock.now();
  const user = {
    id: userId,
    email: 'ada@example.org',
    name: 'Ada',
    role: 'client',
    clientId,
    teamRole,
  } as const;
  const session = { user, signedInAt: now, withSecondFactor: false, confirmedAt: now };
  return countersign.actingAs({ kind: 'user', session, from: '192.0.2.1' }).dashboard;
}
