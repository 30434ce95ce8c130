import type { Clock } from '@countersign/domain';
import type { ProviderName, User } from '@countersign/domain/staff';
import type { Passwords } from '../credentials/passwords.ts';
import type { AccountsDatabase, StaffDatabase } from '../database/tables.ts';
import type { Challenges } from '../second-factor/challenges.ts';
import type { SecondFactors } from '../second-factor/second-factors.ts';
import type { Confirmations, CookieJar } from '../sessions/cookies.ts';
import type { FoundSession, Sessions } from '../sessions/sessions.ts';
import type { Attempts, UsedCodes } from './attempts.ts';
import type { Devices } from './devices.ts';

/** The parts that the operations of the account pages share. */
export interface AccountsParts {
  database(): Promise<StaffDatabase>;
  readonly kind: AccountsDatabase['kind'];
  currentSession(cookies: string | undefined): Promise<FoundSession | null>;
  readonly sessions: Sessions;
  readonly confirmations: Confirmations;
  readonly challenges: Challenges;
  readonly secondFactors: SecondFactors;
  readonly cookies: CookieJar;
  readonly attempts: Attempts;
  readonly devices: Devices;
  readonly usedCodes: UsedCodes;
  readonly passwords: Passwords;
  /** Whether a user may set a password and sign in with it: not where it is off for the role or their providers withdrew access, unless an operator allows it. */
  mayUsePassword(user: Pick<User, 'id' | 'role'>): Promise<boolean>;
  /** The identity providers to which a user is connected. */
  providersOf(userId: string): Promise<readonly ProviderName[]>;
  readonly clock: Clock;
  readonly appName: string;
}
