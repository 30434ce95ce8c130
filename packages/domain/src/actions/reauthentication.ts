import type { StaffSession } from '../staff/sign-in.ts';

/** How long a confirmed identity holds within its session, in milliseconds. Signing in does not confirm. */
export const CONFIRMED_MS: number = 10 * 60 * 1000;

/** Whether whoever is signed in gave their password again less than ten minutes ago (`SignIn.confirmPath`). */
export function isConfirmed({ confirmedAt }: Pick<StaffSession, 'confirmedAt'>, now: Date): boolean {
  if (confirmedAt === null) return false;
  const age = now.getTime() - confirmedAt.getTime();
  // Where a clock was put back, a confirmation does not hold until it has caught up.
  return -CONFIRMED_MS < age && age < CONFIRMED_MS;
}
