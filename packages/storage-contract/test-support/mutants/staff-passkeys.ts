import type { ManageStaff, UserIdentities } from '@countersign/domain/staff';
import { type PasskeysSubject, passkeysSuite } from '../../src/suites/staff-passkeys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

type Break = Mutant<PasskeysSubject>['breakIn'];

/** Replaces some operations of passkeys. */
const breaking =
  (change: (subject: PasskeysSubject) => Partial<PasskeysSubject['passkeys']>): Break =>
  (subject) => ({ ...subject, passkeys: { ...subject.passkeys, ...change(subject) } });

/** Replaces some operations of every instance of users. */
const breakingStaff =
  (change: (staff: ManageStaff) => Partial<ManageStaff>): Break =>
  (subject) => {
    const staff = subject.instance();
    const broken = { ...staff, ...change(staff) };
    return { ...subject, instance: () => broken };
  };

const breakingIdentities = (change: (staff: ManageStaff) => Partial<UserIdentities>): Break =>
  breakingStaff((staff) => ({ identities: { ...staff.identities, ...change(staff) } }));

export const PASSKEY_MUTANTS: readonly Mutant<PasskeysSubject>[] = mutantsOf(passkeysSuite, {
  'lists nothing': breaking(() => ({ list: async () => [] })),
  'lists the newest first': breaking(({ passkeys }) => ({
    list: async (userId) => [...(await passkeys.list(userId))].reverse(),
  })),
  'shows no use': breaking(({ passkeys }) => ({
    list: async (userId) => (await passkeys.list(userId)).map((each) => ({ ...each, usedAt: null })),
  })),
  'removes nothing, and says that it did': breaking(() => ({ remove: async () => true })),
  'removes the passkeys of other users': breaking(({ passkeys, instance }) => ({
    async remove(_, id) {
      for (const user of await instance().list()) if (await passkeys.remove(user.id, id)) return true;
      return false;
    },
  })),
  'adds passkeys without a second factor': (subject) => ({
    ...subject,
    async addPasskey(user, name) {
      await subject.addSecondFactor(user.id);
      return subject.addPasskey(user, name);
    },
  }),
  'adds one more, in another step': (subject) => ({
    ...subject,
    async addPasskey(user, name) {
      const [oldest] = await subject.passkeys.list(user.id);
      const outcome = await subject.addPasskey(user, name);
      if (outcome !== 'too_many') return outcome;
      await subject.passkeys.remove(user.id, oldest?.id ?? '');
      return subject.addPasskey(user, name);
    },
  }),
  'accepts passkeys that were removed': (subject) => ({ ...subject, enterPasskey: async () => true }),
  'keeps passkeys when the second factor is reset': breakingStaff(({ find }) => ({ resetSecondFactor: find })),
  'keeps passkeys when access is withdrawn': breakingIdentities(() => ({ withdraw: async () => undefined })),
  'keeps passkeys when a link sets the password': (subject) => {
    const joined = new Set<string>();
    return {
      ...subject,
      async join(link) {
        if (joined.has(link.user.id)) return true;
        joined.add(link.user.id);
        return subject.join(link);
      },
    };
  },
  'keeps passkeys of removed users': breakingStaff((staff) => ({
    async remove(userId) {
      const user = await staff.find(userId);
      return user === null ? { outcome: 'not_found' } : { outcome: 'removed', user };
    },
  })),
  'ends passkeys when providers are disconnected': breakingIdentities((staff) => ({
    async disconnect(userId) {
      await staff.resetSecondFactor(userId);
      return staff.identities.disconnect(userId);
    },
  })),
  'rejects on ids that cannot exist': breaking(({ passkeys }) => ({
    async list(userId) {
      if (userId === '') throw new Error('not an id');
      return passkeys.list(userId);
    },
  })),
});
