import { createCountingIds, createFixedClock, createMemoryStaff } from '@countersign/memory';
import { proveSuites } from '../test-support/mutants/prove-suites.ts';
import { STAFF_MUTANTS } from '../test-support/mutants/staff.ts';
import { IDENTITY_MUTANTS } from '../test-support/mutants/staff-identities.ts';
import { WITHHELD_MUTANTS } from '../test-support/mutants/withheld-invitations.ts';
import { staffContract } from './staff-contract.ts';
import { STAFF_SUITES, type StaffSubject } from './suites/staff.ts';
import { identitiesSuite } from './suites/staff-identities.ts';
import { withheldSuite } from './suites/withheld-invitations.ts';

function memoryStaff(): StaffSubject {
  const clock = createFixedClock();
  const staff = createMemoryStaff({ clock, ids: createCountingIds() });
  return {
    instance: () => staff,
    now: clock.now,
    elapse: async (milliseconds) => clock.advance(milliseconds),
    async join({ invitationPath }) {
      const user = staff.userOfLink(invitationPath.split('/').at(-1) ?? '');
      if (user !== null) staff.join(user.id);
      return user !== null;
    },
    addSecondFactor: async (userId) => staff.setUpSecondFactor(userId),
    close: async () => undefined,
  };
}

staffContract('memory staff', async () => memoryStaff());

proveSuites(STAFF_SUITES, STAFF_MUTANTS, memoryStaff);
proveSuites([identitiesSuite], IDENTITY_MUTANTS, memoryStaff);
proveSuites([withheldSuite], WITHHELD_MUTANTS, memoryStaff);
