import type { StaffRole, User } from '@countersign/domain';

type Area = 'dashboard' | 'review' | 'admin';

/** The areas for staff: the path where each starts, and the roles that may enter. */
export const AREAS: Readonly<Record<Area, { readonly path: string; readonly roles: readonly StaffRole[] }>> = {
  dashboard: { path: '/dashboard', roles: ['client'] },
  review: { path: '/review', roles: ['reviewer', 'operator'] },
  admin: { path: '/admin', roles: ['operator'] },
};

const HOMES: Readonly<Record<StaffRole, Area>> = { client: 'dashboard', reviewer: 'review', operator: 'admin' };

/** Returns the path of the area where users with this role start. */
export function homeOf({ role }: Pick<User, 'role'>): string {
  return AREAS[HOMES[role]].path;
}

/** Whether users with this role may enter the area. */
export function mayEnter(area: Area, { role }: Pick<User, 'role'>): boolean {
  return AREAS[area].roles.includes(role);
}
