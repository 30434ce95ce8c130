import { SERVICE_ROLES, type StaffRole, type User } from './user.ts';

/** The session of a signed-in user. */
export interface StaffSession {
  readonly user: User;
  readonly signedInAt: Date;
  /** Whether the user signed in with a second factor. */
  readonly withSecondFactor: boolean;
  /** When the user last entered the password again in this session, at `confirmPath`; null if never. */
  readonly confirmedAt: Date | null;
}

/**
 * The part of signing in that pages for staff need. @countersign/accounts implements it; an adopter with its own
 * sign-in implements just this.
 */
export interface SignIn {
  /** Path below the service's address for anonymous visitors; `?returnTo=` carries the path that they asked for. */
  readonly signInPath: string;
  /** Path that the sign-out form posts to. */
  readonly signOutPath: string;
  /** Path where a signed-in user confirms their identity; `?returnTo=` carries the path to return to. */
  readonly confirmPath: string;
  /** Returns the session of a `Cookie` header; null for an anonymous visitor. An ended session is null immediately. */
  identify(cookies: string | undefined): Promise<StaffSession | null>;
  /** Returns a user's name, for histories and notes; null for an unknown id. */
  nameOf(userId: string): Promise<string | null>;
}

/** Roles that read the personal data of every client. They need a second factor where the service requires one. */
const SECOND_FACTOR_ROLES: readonly StaffRole[] = SERVICE_ROLES;

/**
 * Whether a session lacks the second factor that its user's role needs: reviewers and operators see nothing without it.
 * @param options.required setting of the installation (`SECOND_FACTOR`)
 */
export function lacksSecondFactor(
  { user, withSecondFactor }: Pick<StaffSession, 'user' | 'withSecondFactor'>,
  { required }: { readonly required: boolean },
): boolean {
  return required && SECOND_FACTOR_ROLES.includes(user.role) && !withSecondFactor;
}
