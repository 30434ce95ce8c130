import type { Clock } from '@countersign/domain';
import type { AuthCalls } from '../better-auth/auth-calls.ts';
import type { AccountsDatabase, StaffDatabase } from '../database/tables.ts';
import type { Confirmations, CookieJar } from '../sessions/cookies.ts';
import type { FoundSession, Sessions } from '../sessions/sessions.ts';
import type { Attempts, UsedCodes } from './attempts.ts';
import type { Devices } from './devices.ts';
import type { Passwords } from './passwords.ts';

/** The parts that the operations of the account pages share. */
export interface AccountsParts {
  /** Returns better-auth, which is loaded on first use. */
  auth(): Promise<AuthCalls>;
  database(): Promise<StaffDatabase>;
  readonly kind: AccountsDatabase['kind'];
  currentSession(cookies: string | undefined): Promise<FoundSession | null>;
  readonly sessions: Sessions;
  readonly confirmations: Confirmations;
  readonly cookies: CookieJar;
  readonly attempts: Attempts;
  readonly devices: Devices;
  readonly usedCodes: UsedCodes;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly appName: string;
}
