import { invalidParameters } from '../errors.ts';
import type { ManageStaff } from './manage-staff.ts';
import { normalEmail } from './new-user.ts';
import { belongsToClient, type User } from './user.ts';

/**
 * Finds a user who may decide verifications and has joined, by e-mail address.
 * @throws CountersignError `INVALID_PARAMETERS` about `email` for any other address. It does not say whether a user has it
 */
export async function findReviewer(staff: Pick<ManageStaff, 'search'>, email: string): Promise<User> {
  const address = normalEmail(email);
  const { users } = await staff.search({ emailPrefix: address, after: undefined, limit: 1, countUpTo: 0 });
  const [found] = users;
  if (found === undefined || found.email !== address || belongsToClient(found.role) || !found.hasJoined)
    throw invalidParameters([{ path: 'email', message: 'is not the address of a reviewer', code: 'invalid' }]);
  return found;
}
