import type { TeamRole } from '../staff/user.ts';
import type { DashboardRight } from './dashboard.ts';

const RIGHTS: Readonly<Record<TeamRole, readonly DashboardRight[]>> = {
  owner: ['manage_keys', 'manage_team', 'read_submitted_data', 'manage_verifications', 'export'],
  agent: ['read_submitted_data', 'manage_verifications', 'export'],
  viewer: [],
};

/** What a user in a client's team may do beyond the list, a verification without what was handed in, and the usage. */
export function hasRight(teamRole: TeamRole | null, right: DashboardRight): boolean {
  return teamRole !== null && RIGHTS[teamRole].includes(right);
}
