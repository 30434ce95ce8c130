import type { ManageStaff } from '@countersign/domain/staff';
import type { StaffSubject } from '../../src/suites/staff.ts';
import { withheldSuite } from '../../src/suites/withheld-invitations.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { roundTrip } from './patch.ts';

/** Replaces some operations of every instance. */
function breaking(change: (staff: ManageStaff) => Partial<ManageStaff>): Mutant<StaffSubject>['breakIn'] {
  return (subject) => {
    const staff = subject.instance();
    const broken = { ...staff, ...change(staff) };
    return { ...subject, instance: () => broken };
  };
}

export const WITHHELD_MUTANTS: readonly Mutant<StaffSubject>[] = mutantsOf(withheldSuite, {
  'withholds nothing': breaking(({ list }) => ({ team: (clientId) => list({ clientId }) })),
  'withholds without being asked': breaking(({ create }) => ({
    create: (input, context) => create(input, { ...context, withholds: true }),
  })),
  'lists withheld invitations without a link': breaking(({ team, find }) => ({
    async team(clientId) {
      const listed = await team(clientId);
      const isUser = await Promise.all(listed.map(async ({ id }) => (await find(id)) !== null));
      return listed.map((user, n) => (isUser[n] === true ? user : { ...user, invitedUntil: null }));
    },
  })),
  'lists withheld invitations as users': breaking(({ team, list }) => ({
    list: async (of) => (of === undefined ? list() : team(of.clientId)),
  })),
  'lists the invitations of every team': breaking(({ team }) => ({ team: () => team('c1') })),
  'finds withheld invitations': breaking(({ find, team }) => ({
    find: async (userId) => (await find(userId)) ?? (await team('c1')).find(({ id }) => id === userId) ?? null,
  })),
  'renews none': breaking(({ invite, find }) => ({
    invite: async (userId) => ((await find(userId)) === null ? null : invite(userId)),
  })),
  'changes the role of none': breaking(({ changeRole, find }) => ({
    changeRole: async (userId, to, options) =>
      (await find(userId)) === null ? { outcome: 'not_found' } : changeRole(userId, to, options),
  })),
  'removes none': breaking(({ remove, find }) => ({
    remove: async (userId, options) =>
      (await find(userId)) === null ? { outcome: 'not_found' } : remove(userId, options),
  })),
  'accepts the link of one': (subject) => ({
    ...subject,
    join: async (link) => (await subject.join(link)) || subject.now() < link.expiresAt,
  }),
  'looks before it stores one, in another step': breaking(({ create, team }) => ({
    async create(input, context) {
      const listed = input.clientId === undefined ? [] : await team(input.clientId);
      await roundTrip();
      const result = await create(input, context);
      const known = listed.some(({ email }) => email === input.email);
      if (result.outcome !== 'exists' || known || context?.withholds !== true) return result;
      return { ...result, existing: { ...result.existing, clientId: null } };
    },
  })),
  'keeps one of a user who came': breaking(({ create, team }) => {
    const kept: Awaited<ReturnType<ManageStaff['team']>>[number][] = [];
    return {
      async create(input, context) {
        const before = input.clientId === undefined ? [] : await team(input.clientId);
        const result = await create(input, context);
        const replaced = before.find(({ email }) => email === input.email);
        if (result.outcome === 'created' && replaced !== undefined) kept.push(replaced);
        return result;
      },
      team: async (clientId) => [...(await team(clientId)), ...kept],
    };
  }),
});
