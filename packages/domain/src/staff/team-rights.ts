import type { TeamRole } from './user.ts';

/** Rights in a client's dashboard that only some team roles have. */
export type TeamRight =
  | 'manage_keys'
  | 'manage_webhooks'
  | 'manage_return_addresses'
  | 'manage_file_access'
  | 'manage_face'
  | 'manage_flow'
  | 'manage_templates'
  | 'manage_team'
  | 'read_submitted_data'
  | 'manage_verifications'
  | 'manage_retention'
  | 'export';

/** The rights of each team role. Every role reads lists, usage and verifications without submitted data; a viewer no more. */
const RIGHTS: Readonly<Record<TeamRole, readonly TeamRight[]>> = {
  owner: [
    'manage_keys',
    'manage_webhooks',
    'manage_return_addresses',
    'manage_file_access',
    'manage_face',
    'manage_flow',
    'manage_templates',
    'manage_team',
    'read_submitted_data',
    'manage_verifications',
    'manage_retention',
    'export',
  ],
  agent: ['read_submitted_data', 'manage_verifications', 'export'],
  viewer: [],
};

/** Whether a team role has a right. A user without one has no rights. */
export function roleHas(teamRole: TeamRole | null, right: TeamRight): boolean {
  return teamRole !== null && RIGHTS[teamRole].includes(right);
}
