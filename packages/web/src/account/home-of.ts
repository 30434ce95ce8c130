import type { StaffMember } from '@countersign/domain';

/** Where somebody goes after signing in who did not want to go anywhere else. */
export function homeOf({ role }: Pick<StaffMember, 'role'>): string {
  switch (role) {
    case 'reviewer':
    case 'operator':
      return '/review';
    case 'client':
      return CLIENT_HOME;
    default:
      return role satisfies never;
  }
}

/** Says that the dashboard is still to come: once `/dashboard` is there, clients' staff goes there instead. */
export const CLIENT_HOME = '/account/home';
