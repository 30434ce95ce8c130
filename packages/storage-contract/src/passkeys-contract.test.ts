import {
  createCountingIds,
  createFixedClock,
  createMemoryAccounts,
  memoryPasskeyAnswer,
} from '@countersign/memory';
import { proveSuites } from '../test-support/mutants/prove-suites.ts';
import { PASSKEY_MUTANTS } from '../test-support/mutants/staff-passkeys.ts';
import { passkeysContract } from './passkeys-contract.ts';
import { type PasskeysSubject, passkeysSuite } from './suites/staff-passkeys.ts';

const VISITOR = { cookies: undefined, clientAddress: '192.0.2.1' };

function memoryPasskeys(): PasskeysSubject {
  const clock = createFixedClock();
  const accounts = createMemoryAccounts({ clock, ids: createCountingIds(), offersPasskeys: true });
  const { staff, passkeys } = accounts;
  if (passkeys === undefined) throw new Error('there are no passkeys');
  return {
    instance: () => staff,
    passkeys,
    now: clock.now,
    elapse: async (milliseconds) => clock.advance(milliseconds),
    async join({ invitationPath }) {
      const input = { token: invitationPath.split('/').at(-1) ?? '', password: 'violet anchor 7 gravel' };
      return (await accounts.acceptInvitation(VISITOR, input)).outcome !== 'refused';
    },
    addSecondFactor: async (userId) => staff.setUpSecondFactor(userId),
    async addPasskey(user, name) {
      const { options } = await passkeys.beginAdding(VISITOR, user);
      const response = memoryPasskeyAnswer(options, `${user.id} ${name}`);
      const { outcome } = await passkeys.finishAdding(VISITOR, { user, name, response });
      return outcome === 'throttled' ? 'refused' : outcome;
    },
    async enterPasskey(user, name) {
      const begun = await passkeys.begin(VISITOR, 'sign_in');
      const response = memoryPasskeyAnswer(begun?.options ?? '', `${user.id} ${name}`);
      const verified = await passkeys.finish(VISITOR, { purpose: 'sign_in', response });
      if (verified.outcome !== 'verified') return false;
      return (await passkeys.startSession(VISITOR, verified)).outcome === 'signed_in';
    },
    close: async () => undefined,
  };
}

passkeysContract('memory passkeys', async () => memoryPasskeys());

proveSuites([passkeysSuite], PASSKEY_MUTANTS, memoryPasskeys);
