import type { User } from './user.ts';

/** Somebody who is signed in. */
export interface StaffSession {
  readonly user: User;
  readonly signedInAt: Date;
  /** Whether this session was begun with a second factor. */
  readonly withSecondFactor: boolean;
  /** When they last gave their password again in this session, at `confirmPath`; null where they never did. */
  readonly confirmedAt: Date | null;
}

/**
 * All that the pages for staff need to know of signing in. @countersign/accounts implements it; an adopter with a
 * sign-in of their own implements just this.
 */
export interface SignIn {
  /** Path below the service's address to which whoever is not signed in is sent, with `?returnTo=` the path they wanted. */
  readonly signInPath: string;
  /** Path that a form posts to in order to sign out. */
  readonly signOutPath: string;
  /** Path at which whoever is signed in proves once more who they are, with `?returnTo=` the path to go on to. */
  readonly confirmPath: string;
  /** Who a request's `Cookie` header belongs to; null for nobody. A session that was ended is nobody's at once. */
  identify(cookies: string | undefined): Promise<StaffSession | null>;
  /** How a user is called, for histories and notes; null where the id is unknown. */
  nameOf(userId: string): Promise<string | null>;
}
