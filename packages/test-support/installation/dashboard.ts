import type { TeamRole } from '@countersign/domain/staff';
import { type Operations, operationsOf } from '../service/operations.ts';
import type { Service } from '../service/service.ts';

/** Returns the actions of a team member who has just confirmed their password. */
export function dashboardOf(
  { countersign, clock }: Pick<Service, 'countersign' | 'clock'>,
  clientId: string,
  { teamRole = 'owner', userId = 'staff-1' }: { teamRole?: TeamRole; userId?: string } = {},
): Operations {
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
  return operationsOf(countersign.as({ kind: 'user', session, from: '192.0.2.1' }));
}
