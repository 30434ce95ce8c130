import { type ListedUser, listTeam } from '@countersign/domain';
import type { Context } from 'hono';
import { PageError } from '../../site/page-error.ts';
import { wantedTemplate } from '../../site/route-template.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';

/**
 * One of the reader's own team. Another client's and an id that there is not are the same, and recorded.
 * @throws PageError 404
 */
export async function userOf(context: Context<StaffEnv>, userId: string): Promise<ListedUser> {
  const as = context.get('as');
  const user = (await as.run(listTeam, {})).find(({ id }) => id === userId);
  if (user !== undefined) return user;
  const detail = { path: wantedTemplate(context), code: 'USER_NOT_FOUND' };
  await as.recordRefusal({ action: 'page.request', targetId: userId, detail });
  throw new PageError(404);
}
