import { describeSuites } from './describe-suites.ts';
import { STAFF_SUITES, type StaffSubject } from './suites/staff.ts';
import { identitiesSuite } from './suites/staff-identities.ts';
import { withheldSuite } from './suites/withheld-invitations.ts';

/**
 * Registers the contract of `ManageStaff` with vitest. Call it in a test file of your implementation.
 *
 * @param name heading of the tests
 * @param create returns an implementation without users. It is called before each case; the subject is closed after it.
 *
 * @example
 * // my-staff.test.ts
 * import { createCountingIds, createFixedClock, createMemoryStaff } from '@countersign/memory';
 * import { staffContract } from '@countersign/storage-contract';
 *
 * staffContract('my staff', async () => {
 *   const clock = createFixedClock();
 *   const staff = createMemoryStaff({ clock, ids: createCountingIds() });
 *   return {
 *     instance: () => staff,
 *     now: clock.now,
 *     elapse: async (milliseconds) => clock.advance(milliseconds),
 *     async join({ invitationPath }) {
 *       const user = staff.userOfLink(invitationPath.split('/').at(-1) ?? '');
 *       if (user !== null) staff.join(user.id);
 *       return user !== null;
 *     },
 *     addSecondFactor: async (userId) => staff.setUpSecondFactor(userId),
 *     close: async () => undefined,
 *   };
 * });
 */
export function staffContract(name: string, create: () => Promise<StaffSubject>): void {
  describeSuites(name, [...STAFF_SUITES, identitiesSuite, withheldSuite], create, (subject) => subject.close());
}
