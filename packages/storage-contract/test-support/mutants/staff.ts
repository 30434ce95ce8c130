import type { ListedUser, ManageStaff, NewUser, OneTimeLink, User } from '@countersign/domain/staff';
import { leavesNoOwner } from '@countersign/domain/staff';
import { STAFF_SUITES, type StaffSubject } from '../../src/suites/staff.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { roundTrip } from './patch.ts';

type Break = (staff: ManageStaff, subject: StaffSubject) => Partial<ManageStaff>;

/** Replaces some operations of every instance. */
function breaking(change: Break): Mutant<StaffSubject>['breakIn'] {
  return (subject) => {
    const staff = subject.instance();
    const broken = { ...staff, ...change(staff, subject) };
    return { ...subject, instance: () => broken };
  };
}

/** Changes what `create` answers for a new user. */
function creating(
  staff: ManageStaff,
  change: (created: OneTimeLink) => Partial<OneTimeLink> | undefined,
): Pick<ManageStaff, 'create'> {
  return {
    async create(input) {
      const result = await staff.create(input);
      return result.outcome === 'exists' ? result : { ...result, ...change(result) };
    },
  };
}

/** Lists the team of a user. */
async function teamOf(staff: ManageStaff, userId: string): Promise<readonly ListedUser[]> {
  return staff.list({ clientId: (await staff.find(userId))?.clientId ?? '' });
}

/** Replaces each user of a list. */
function listing(change: (user: ListedUser) => ListedUser): Mutant<StaffSubject>['breakIn'] {
  return breaking((staff) => ({ list: async (of) => (await staff.list(of)).map(change) }));
}

/** Lists the team of a user, decides by it, and only then writes: another call may come between. */
async function leavesTeam(staff: ManageStaff, userId: string, teamRole: User['teamRole']): Promise<boolean> {
  const team = await teamOf(staff, userId);
  await roundTrip();
  return leavesNoOwner(team, { userId, teamRole });
}

const FREE = { keepOwner: false };
const [users, teams] = STAFF_SUITES;
if (users === undefined || teams === undefined) throw new Error('the suites of staff are missing');

export const STAFF_MUTANTS: readonly Mutant<StaffSubject>[] = [
  ...mutantsOf(users, {
    'finds no user by e-mail address': breaking(() => ({ findByEmail: async () => null })),
    'compares e-mail addresses as typed': breaking((staff) => ({
      findByEmail: async (email) => (email === email.trim() ? staff.findByEmail(email) : null),
    })),
    'finds only users of this instance': breaking(() => ({ find: async () => null })),
    'chooses the id of a new user': breaking((staff) => ({ create: (input) => staff.create(input) })),
    'creates staff of a client as viewers': breaking((staff) => ({
      create: (input) => staff.create(input.role === 'client' ? { ...input, teamRole: 'viewer' } : input),
    })),
    'drops the client of a user': breaking((staff) =>
      creating(staff, ({ user }) => ({ user: { ...user, clientId: null } })),
    ),
    'creates a user for each case of an e-mail address': breaking((staff) => ({
      async create(input) {
        const result = await staff.create(input);
        return result.outcome === 'exists' ? staff.create({ ...input, email: `x${input.email.trim()}` }) : result;
      },
    })),
    'answers with the link of the user who exists': breaking((staff) => {
      const paths = new Map<string, string>();
      return {
        async create(input) {
          const result = await staff.create(input);
          if (result.outcome === 'created') paths.set(result.user.id, result.invitationPath);
          else return { ...result, invitationPath: paths.get(result.existing.id) ?? '' };
          return result;
        },
      };
    }),
    'answers with the user who exists as the new one': breaking((staff) => ({
      async create(input) {
        const result = await staff.create(input);
        return result.outcome === 'exists' ? { ...result, user: result.existing } : result;
      },
    })),
    'creates a user from corrected bad input': breaking((staff) => ({
      async create(input) {
        return staff.create(input).catch(() => staff.create({ email: input.email, role: 'reviewer' }));
      },
    })),
    'creates a user before it refuses the name': breaking((staff) => ({
      async create(input: NewUser) {
        if (input.name?.includes('\n') === true) await staff.create({ ...input, name: 'Ann' });
        return staff.create(input);
      },
    })),
    'lists the newest user first': breaking((staff) => ({
      list: async (of) => [...(await staff.list(of))].reverse(),
    })),
    'lists expired links': breaking((staff) => {
      const links = new Map<string, Date>();
      return {
        ...creating(staff, ({ user, expiresAt }) => {
          links.set(user.id, expiresAt);
          return undefined;
        }),
        list: async (of) =>
          (await staff.list(of)).map((user) => ({
            ...user,
            invitedUntil: user.invitedUntil ?? (user.hasJoined ? null : (links.get(user.id) ?? null)),
          })),
      };
    }),
    'lists invited users as joined': listing((user) => ({ ...user, hasJoined: true })),
    'lists no second factor': listing((user) => ({ ...user, hasSecondFactor: false })),
    'lists users of all clients for each client': breaking((staff) => ({ list: () => staff.list() })),
    'matches clients by a prefix of the id': breaking((staff) => ({
      list: async (of) =>
        (await staff.list()).filter(
          ({ clientId }) => of === undefined || (clientId ?? '').startsWith(of.clientId.replace('%', '')),
        ),
    })),
    'searches within e-mail addresses': breaking((staff) => ({
      async search(query) {
        const { users } = await staff.search({ ...query, emailPrefix: '' });
        const found = users.filter(({ email }) => email.includes(query.emailPrefix));
        return { users: found, totalCount: found.length };
      },
    })),
    'counts the users of a page': breaking((staff) => ({
      async search(query) {
        const { users } = await staff.search(query);
        return { users, totalCount: users.length };
      },
    })),
    'begins each page of a search with the first user': breaking((staff) => ({
      search: (query) => staff.search({ ...query, after: undefined }),
    })),
    'searches without second factors': breaking((staff) => ({
      async search(query) {
        const { users, totalCount } = await staff.search(query);
        return { users: users.map((user) => ({ ...user, hasSecondFactor: false })), totalCount };
      },
    })),
    'takes the e-mail address for an id': breaking((staff) => ({
      find: async (userId) => (await staff.find(userId)) ?? staff.findByEmail(userId),
    })),
    'throws for an unknown id': breaking((staff) => ({
      async remove(userId, options) {
        if ((await staff.find(userId)) === null) throw new Error('not found');
        return staff.remove(userId, options);
      },
    })),
    'returns one link for all users': breaking((staff) =>
      creating(staff, () => ({ invitationPath: '/account/welcome/same' })),
    ),
    'accepts a link more than once': (subject) => ({
      ...subject,
      join: async (link) => (await subject.join(link)) || true,
    }),
    'returns links that last an hour': breaking((staff, subject) =>
      creating(staff, () => ({ expiresAt: new Date(subject.now().getTime() + 60 * 60 * 1_000) })),
    ),
    'accepts the earlier link after a new one': (subject) => ({
      ...subject,
      join: async (link) => (await subject.join(link)) || subject.now() < link.expiresAt,
    }),
    'creates no new link for an invited user': breaking((staff, subject) => {
      const links = new Map<string, Awaited<ReturnType<ManageStaff['invite']>>>();
      return {
        ...creating(staff, (link) => {
          links.set(link.user.id, link);
          return undefined;
        }),
        invite: async (userId) => {
          await subject.elapse(0);
          return links.get(userId) ?? null;
        },
      };
    }),
    'resets no second factor': breaking((staff) => ({ resetSecondFactor: (userId) => staff.find(userId) })),
    'removes a user to reset the second factor': breaking((staff) => ({
      async resetSecondFactor(userId) {
        const result = await staff.remove(userId, FREE);
        return result.outcome === 'removed' ? result.user : null;
      },
    })),
    'answers removed without removing': breaking((staff) => ({
      async remove(userId) {
        const user = await staff.find(userId);
        return user === null ? { outcome: 'not_found' } : { outcome: 'removed', user };
      },
    })),
    'keeps the e-mail address of a removed user': breaking((staff) => {
      const removed = new Map<string, User>();
      return {
        async remove(userId, options) {
          const result = await staff.remove(userId, options);
          if (result.outcome === 'removed') removed.set(result.user.email, result.user);
          return result;
        },
        create: async (input) => {
          const user = removed.get(input.email);
          if (user === undefined) return staff.create(input);
          return { outcome: 'exists', existing: user, user, invitationPath: '/', expiresAt: new Date() };
        },
      };
    }),
  }),

  ...mutantsOf(teams, {
    'answers changed without changing': breaking((staff) => ({
      changeRole: async (userId) => ({ outcome: (await staff.find(userId)) === null ? 'not_found' : 'changed' }),
    })),
    'changes roles of the service only': breaking((staff) => ({
      changeRole: async (userId, to, options) =>
        'teamRole' in to ? { outcome: 'not_found' } : staff.changeRole(userId, to, options),
    })),
    'turns staff of a client into reviewers': breaking((staff) => ({
      async changeRole(userId, to, options) {
        const result = await staff.changeRole(userId, to, options);
        if (result.outcome !== 'other_kind' || 'teamRole' in to) return result;
        const user = await staff.find(userId);
        if (user === null) return { outcome: 'not_found' };
        await staff.remove(userId, FREE);
        await staff.create({ email: user.email, name: user.name, role: to.role });
        return { outcome: 'changed' };
      },
    })),
    'demotes the last owner': breaking((staff) => ({
      changeRole: (userId, to) => staff.changeRole(userId, to, FREE),
    })),
    'removes the last owner': breaking((staff) => ({ remove: (userId) => staff.remove(userId, FREE) })),
    'keeps the last owner without keepOwner too': breaking((staff) => ({
      remove: (userId) => staff.remove(userId, { keepOwner: true }),
      changeRole: (userId, to) => staff.changeRole(userId, to, { keepOwner: true }),
    })),
    'counts owners who have not joined': breaking((staff) => ({
      async remove(userId, options) {
        const owners = (await teamOf(staff, userId)).filter(({ teamRole }) => teamRole === 'owner');
        return staff.remove(userId, { keepOwner: options.keepOwner && owners.length < 2 });
      },
    })),
    'counts owners who have joined only': breaking((staff) => ({
      async remove(userId, options) {
        const team = await teamOf(staff, userId);
        if (options.keepOwner && team.every(({ hasJoined }) => !hasJoined)) return { outcome: 'last_owner' };
        return staff.remove(userId, options);
      },
    })),
    'reads, decides, then writes': breaking((staff) => ({
      async changeRole(userId, to, { keepOwner }) {
        const teamRole = 'teamRole' in to ? to.teamRole : null;
        if (keepOwner && (await leavesTeam(staff, userId, teamRole))) return { outcome: 'last_owner' };
        return staff.changeRole(userId, to, FREE);
      },
      async remove(userId, { keepOwner }) {
        if (keepOwner && (await leavesTeam(staff, userId, null))) return { outcome: 'last_owner' };
        return staff.remove(userId, FREE);
      },
    })),
  }),
];
