import { isCountersignError } from '@countersign/domain';
import { searchUsers } from '@countersign/domain/actions';
import type { ListedUser } from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { StaffEnv } from './area.tsx';
import type { Filter, Lookup } from './filters.tsx';

/** A filter by user for operators: the e-mail address or its beginning, or an id. An id also names users that are removed, and API keys. */
export async function userFilter(context: Context<StaffEnv>, name: string, label: string): Promise<Filter> {
  const text = (context.req.query(name) ?? '').trim();
  return text.includes('@') ? { name, label, lookup: await lookUp(context, text) } : { name, label };
}

async function lookUp(context: Context<StaffEnv>, text: string): Promise<Lookup> {
  const { t } = context.get('page');
  const users = await usersFound(context, text);
  const [first, ...others] = users.filter(({ email }) => email.toLowerCase() === text.toLowerCase());
  const user = first !== undefined && others.length === 0 ? first : users.length === 1 ? users[0] : undefined;
  if (user !== undefined) return { text: user.email, value: user.id, suggestions: [] };
  if (users.length === 0) return { text, value: '', suggestions: [], problem: t('staff:user.none') };
  return {
    text,
    value: '',
    suggestions: [],
    problem: t('staff:user.several'),
    matches: users.map(({ id, email }) => [id, email]),
  };
}

async function usersFound(context: Context<StaffEnv>, email: string): Promise<readonly ListedUser[]> {
  try {
    return (await context.get('as').run(searchUsers, { email })).users;
  } catch (error) {
    // A text that cannot be an address finds nothing.
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return [];
  }
}
