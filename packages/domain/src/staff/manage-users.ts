import { invalidParameters } from '../errors.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import {
  type ListedUser,
  type ManageStaff,
  type OneTimeLink,
  ownAccount,
  userExists,
  userNotFound,
} from './manage-staff.ts';
import { checkNewUser, type NewUser, normalEmail } from './new-user.ts';
import { type NewRole, parseNewRole } from './role-change.ts';
import type { User } from './user.ts';

/** All users, for an operator. */
export interface ManageUsers {
  list(of?: { readonly clientId: string }): Promise<readonly ListedUser[]>;
  /** @throws CountersignError `USER_NOT_FOUND` */
  get(userId: string): Promise<User>;
  /** @throws CountersignError `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`, `USER_EXISTS` */
  create(input: NewUser): Promise<OneTimeLink>;
  /** @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT` */
  invite(userId: string): Promise<OneTimeLink>;
  /** @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT`, `INVALID_PARAMETERS` */
  changeRole(userId: string, to: NewRole): Promise<void>;
  /** @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT` */
  resetSecondFactor(userId: string): Promise<User>;
  /**
   * Removes a user if their e-mail address was typed, so that no one removes another one by mistake.
   * @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT`, `INVALID_PARAMETERS`
   */
  remove(userId: string, typedEmail: string): Promise<User>;
}

/** `actions/` checks the right and records the call. */
export function createManageUsers(
  { staff, clients }: { staff: ManageStaff; clients: Pick<ManageClients, 'get'> },
  /** The operator's own id; null at the command line. */
  ownId: string | null,
): ManageUsers {
  /** An operator may leave a team without an owner. */
  const options = { keepOwner: false };

  /** Refuses the operator's own account: a stolen session must not set a password or remove a second factor. */
  function requireAnother(userId: string): void {
    if (userId === ownId) throw ownAccount();
  }

  async function get(userId: string): Promise<User> {
    const user = await staff.find(userId);
    if (user === null) throw userNotFound();
    return user;
  }

  return {
    list: (of) => staff.list(of),

    get,

    async create(input) {
      const { clientId } = checkNewUser(input);
      if (clientId !== null) await clients.get(clientId);
      const result = await staff.create(input);
      if (result.outcome === 'exists') throw userExists();
      const { user, invitationPath, expiresAt } = result;
      return { user, invitationPath, expiresAt };
    },

    async invite(userId) {
      requireAnother(userId);
      const link = await staff.invite(userId);
      if (link === null) throw userNotFound();
      return link;
    },

    async changeRole(userId, to) {
      const role = parseNewRole(to);
      requireAnother(userId);
      const { outcome } = await staff.changeRole(userId, role, options);
      switch (outcome) {
        case 'changed':
          return;
        case 'not_found':
          throw userNotFound();
        case 'other_kind':
          throw invalidParameters([
            { path: 'role', message: 'must be of the same kind: staff of a client stay with that client' },
          ]);
        default:
          throw new Error(`changing a role without keepOwner ended as ${outcome}`);
      }
    },

    async resetSecondFactor(userId) {
      requireAnother(userId);
      const user = await staff.resetSecondFactor(userId);
      if (user === null) throw userNotFound();
      return user;
    },

    async remove(userId, typedEmail) {
      requireAnother(userId);
      const { email } = await get(userId);
      if (normalEmail(typedEmail) !== normalEmail(email)) {
        throw invalidParameters([
          { path: 'email', message: "must be the user's e-mail address", code: 'invalid' },
        ]);
      }
      const result = await staff.remove(userId, options);
      switch (result.outcome) {
        case 'removed':
          return result.user;
        case 'not_found':
          throw userNotFound();
        default:
          throw new Error(`removing without keepOwner ended as ${result.outcome}`);
      }
    },
  };
}
