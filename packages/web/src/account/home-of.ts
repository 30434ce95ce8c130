import type { User } from '@countersign/domain';

/** Where somebody goes after signing in who did not want to go anywhere else. */
export function homeOf({ role }: Pick<User, 'role'>): string {
  switch (role) {
    case 'reviewer':
      return '/review';
    case 'operator':
      return '/admin';
    case 'client':
      return '/dashboard';
    default:
      return role satisfies never;
  }
}
