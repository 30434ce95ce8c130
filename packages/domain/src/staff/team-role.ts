/**
 * What somebody may do within their client's team. `owner`: everything, keys and team included. `agent`: verifications
 * and what subjects handed in. `viewer`: the list and the usage, nothing that subjects handed in.
 */
export const TEAM_ROLES = ['owner', 'agent', 'viewer'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];
