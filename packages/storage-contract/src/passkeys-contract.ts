import { describeSuites } from './describe-suites.ts';
import { type PasskeysSubject, passkeysSuite } from './suites/staff-passkeys.ts';

/**
 * Registers the contract of `Accounts.passkeys` with vitest. Call it beside `staffContract` if your implementation offers passkeys.
 *
 * @param name heading of the tests
 * @param create returns an implementation without users. It is called before each case; the subject is closed after it.
 *
 * @example
 * // my-passkeys.test.ts
 * import { createCountingIds, createFixedClock, createMemoryAccounts, memoryPasskeyAnswer } from '@countersign/memory';
 * import { passkeysContract } from '@countersign/storage-contract';
 *
 * passkeysContract('my passkeys', async () => {
 *   const clock = createFixedClock();
 *   const accounts = createMemoryAccounts({ clock, ids: createCountingIds(), offersPasskeys: true });
 *   const { staff, passkeys } = accounts;
 *   if (passkeys === undefined) throw new Error('there are no passkeys');
 *   const visitor = { cookies: undefined, clientAddress: '192.0.2.1' };
 *   return {
 *     instance: () => staff,
 *     passkeys,
 *     now: clock.now,
 *     elapse: async (milliseconds) => clock.advance(milliseconds),
 *     async join({ invitationPath }) {
 *       const input = { token: invitationPath.split('/').at(-1) ?? '', password: 'violet anchor 7 gravel' };
 *       return (await accounts.acceptInvitation(visitor, input)).outcome !== 'refused';
 *     },
 *     addSecondFactor: async (userId) => staff.setUpSecondFactor(userId),
 *     async addPasskey(user, name) {
 *       const { options } = await passkeys.beginAdding(visitor, user);
 *       const response = memoryPasskeyAnswer(options, `${user.id} ${name}`);
 *       const { outcome } = await passkeys.finishAdding(visitor, { user, name, response });
 *       return outcome === 'throttled' ? 'refused' : outcome;
 *     },
 *     async enterPasskey(user, name) {
 *       const begun = await passkeys.begin(visitor, 'sign_in');
 *       const response = memoryPasskeyAnswer(begun?.options ?? '', `${user.id} ${name}`);
 *       const verified = await passkeys.finish(visitor, { purpose: 'sign_in', response });
 *       if (verified.outcome !== 'verified') return false;
 *       return (await passkeys.startSession(visitor, verified)).outcome === 'signed_in';
 *     },
 *     close: async () => undefined,
 *   };
 * });
 */
export function passkeysContract(name: string, create: () => Promise<PasskeysSubject>): void {
  describeSuites(name, [passkeysSuite], create, (subject) => subject.close());
}
