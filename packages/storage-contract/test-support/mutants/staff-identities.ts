import type { ManageStaff, UserIdentities } from '@countersign/domain/staff';
import type { StaffSubject } from '../../src/suites/staff.ts';
import { identitiesSuite } from '../../src/suites/staff-identities.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { roundTrip } from './patch.ts';

/** Replaces some operations of the identities of every instance. */
function breaking(
  change: (identities: UserIdentities, staff: ManageStaff) => Partial<UserIdentities>,
): Mutant<StaffSubject>['breakIn'] {
  return (subject) => {
    const staff = subject.instance();
    const broken = { ...staff, identities: { ...staff.identities, ...change(staff.identities, staff) } };
    return { ...subject, instance: () => broken };
  };
}

export const IDENTITY_MUTANTS: readonly Mutant<StaffSubject>[] = mutantsOf(identitiesSuite, {
  'connects nothing': breaking(() => ({ connect: async () => ({ outcome: 'connected' }) })),
  'connects with any link': breaking(({ connect }) => ({
    connect: (userId, key) => connect(userId, key, { kind: 'email' }),
  })),
  'calls a refusal taken': breaking(({ connect }) => ({
    async connect(...input) {
      const { outcome } = await connect(...input);
      return { outcome: outcome === 'refused' ? 'taken' : outcome };
    },
  })),
  'calls what is taken refused': breaking(({ connect }) => ({
    async connect(...input) {
      const { outcome } = await connect(...input);
      return { outcome: outcome === 'taken' ? 'refused' : outcome };
    },
  })),
  'takes a disconnected user for one who has never joined': breaking(({ connect, issuersOf }) => ({
    async connect(userId, key, proof) {
      const isFirst = proof.kind === 'mark' && proof.mark === null && (await issuersOf(userId)).length === 0;
      return connect(userId, key, isFirst ? { kind: 'email' } : proof);
    },
  })),
  'checks before it connects, in another step': breaking(({ connect, find }) => ({
    async connect(userId, key, proof) {
      const known = await find(key);
      await roundTrip();
      if (known !== null && known.user.id !== userId) return { outcome: 'taken' };
      await connect(userId, key, proof);
      return { outcome: 'connected' };
    },
  })),
  'creates no user': breaking(() => ({ provision: async () => ({ outcome: 'exists' }) })),
  'creates a user before it looks': breaking(({ provision }, { create }) => ({
    async provision(input, key, options) {
      await create(input);
      return provision(input, key, options);
    },
  })),
  'takes every address for verified': breaking(() => ({ hasUnverifiedEmail: async () => false })),
  'takes every address of a provider for unverified': breaking(({ provision }) => ({
    provision: (input, key) => provision(input, key, { emailVerified: false }),
  })),
  'withdraws nothing': breaking(() => ({ withdraw: async () => undefined })),
  'gives no access back': breaking(() => ({ recordUse: async () => true })),
  'undoes every withdrawal': breaking(({ recordUse, find }) => ({
    async recordUse(use) {
      const { withdrawnAt = null } = (await find(use.key)) ?? {};
      return recordUse({ ...use, withdrawnAt });
    },
  })),
  'gives no access back, and says so': breaking(() => ({ recordUse: async () => false })),
  'disconnects nothing': breaking((_, { find }) => ({ disconnect: (userId) => find(userId) })),
  'connects users whose access is withdrawn': breaking(({ connect }) => ({
    connect: (userId, key, proof) => connect(userId, key, proof.kind === 'session' ? { kind: 'email' } : proof),
  })),
  'ends identities with every new password': breaking(({ disconnect }, { invite }) => ({
    async allowPassword(userId) {
      await disconnect(userId);
      return (await invite(userId))?.user ?? null;
    },
  })),
  'disconnects the last way to sign in': breaking(({ disconnectOne }) => ({
    disconnectOne: (userId, issuer) =>
      disconnectOne(userId, issuer, {
        passwords: true,
        issuers: ['https://login.example', 'https://other.example'],
      }),
  })),
  'disconnects every identity': breaking(({ disconnectOne, disconnect }) => ({
    async disconnectOne(userId, issuer, accepted) {
      const result = await disconnectOne(userId, issuer, accepted);
      if (result.outcome === 'disconnected') await disconnect(userId);
      return result;
    },
  })),
  'always allows a password': breaking(() => ({ isPasswordAllowed: async () => true })),
  'ends every password': breaking(({ recordUse, withdraw, find }) => ({
    async recordUse(use) {
      const known = await find(use.key);
      if (use.endPassword && known !== null) await withdraw(known.user.id);
      return recordUse(use);
    },
  })),
  'finds nothing': breaking(() => ({ find: async () => null })),
  'stores any key': breaking(({ connect }) => ({
    connect: (userId, key, proof) => connect(userId, { ...key, subject: `${key.subject}.` }, proof),
  })),
});
