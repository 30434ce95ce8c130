import { getUser, type ListedUser, listUsers } from '@countersign/domain';
import type { Context } from 'hono';
import { PageError } from '../../site/page-error.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';

/** One user, as lists show them. An id that there is not is refused by the desk, and recorded. */
export async function userOf(context: Context<StaffEnv>, userId: string): Promise<ListedUser> {
  const as = context.get('as');
  const { id, clientId } = await as.run(getUser, { userId });
  const listed = (await as.run(listUsers, { clientId: clientId ?? undefined })).find((each) => each.id === id);
  // Removed between the two looks.
  if (listed === undefined) throw new PageError(404);
  return listed;
}

/** Whether somebody is whoever asks. */
export function isOwn(context: Context<StaffEnv>, user: Pick<ListedUser, 'id'>): boolean {
  return user.id === context.get('user').id;
}
